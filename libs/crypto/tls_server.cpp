#include "crypto/tls_server.hpp"

#include "core/file.hpp"
#include "core/ip.hpp"
#include "core/text.hpp"
#include "crypto/tls_context.hpp"

#include <algorithm>
#include <openssl/x509v3.h>
#include <stdexcept>

namespace recruiting {

std::optional<tls_files> parse_tls_files(std::string_view text) {
    auto const parts = split(text, ':');
    if (parts.size() != 2 || trim(parts[0]).empty() || trim(parts[1]).empty()) return std::nullopt;
    return tls_files{std::string(trim(parts[0])), std::string(trim(parts[1]))};
}

void certificate_names::add(std::string_view name, std::size_t certificate) {
    names_.emplace(to_lower(name), certificate);
}

std::optional<std::size_t> certificate_names::find(std::string_view name) const {
    auto wanted = to_lower(name);
    if (wanted.ends_with('.')) wanted.pop_back();
    if (auto const exact = names_.find(wanted); exact != names_.end()) return exact->second;
    auto const dot = wanted.find('.');
    if (dot == std::string::npos || dot == 0) return std::nullopt;
    auto const wild = names_.find("*" + wanted.substr(dot));
    if (wild == names_.end()) return std::nullopt;
    return wild->second;
}

struct tls_server::state {
    std::shared_ptr<ticket_keys> keys;
    std::vector<tls_context> contexts; // one a certificate
    certificate_names names;
    timestamp expires{timestamp::max()};

    static int choose_certificate(SSL* session, int*, void* of_state) {
        auto const& self = *static_cast<state const*>(of_state);
        char const* const name = SSL_get_servername(session, TLSEXT_NAMETYPE_host_name);
        if (name == nullptr) return SSL_TLSEXT_ERR_NOACK;
        auto const which = self.names.find(name).value_or(0);
        if (which != 0) SSL_set_SSL_CTX(session, self.contexts[which].get());
        return SSL_TLSEXT_ERR_OK;
    }
};

namespace {

struct free_names {
    void operator()(GENERAL_NAMES* names) const noexcept { GENERAL_NAMES_free(names); }
};

std::string_view text_of(ASN1_STRING const* from) {
    return {reinterpret_cast<char const*>(ASN1_STRING_get0_data(from)),
            static_cast<std::size_t>(ASN1_STRING_length(from))};
}

void add_address(std::string_view bytes, std::size_t index, certificate_names& out) {
    ip_address address{{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff}};
    if (bytes.size() != 4 && bytes.size() != address.bytes.size()) return;
    std::copy(bytes.begin(), bytes.end(), address.bytes.end() - static_cast<std::ptrdiff_t>(bytes.size()));
    out.add(to_string(address), index);
}

void add_names(X509* certificate, std::size_t index, certificate_names& out) {
    std::unique_ptr<GENERAL_NAMES, free_names> const names(
        static_cast<GENERAL_NAMES*>(X509_get_ext_d2i(certificate, NID_subject_alt_name, nullptr, nullptr)));
    for (int i = 0; names && i < sk_GENERAL_NAME_num(names.get()); ++i) {
        auto const* const name = sk_GENERAL_NAME_value(names.get(), i);
        if (name->type == GEN_DNS) out.add(text_of(name->d.dNSName), index);
        else if (name->type == GEN_IPADD) add_address(text_of(name->d.iPAddress), index, out);
    }
}

// RFC 7301 section 3.2: a client that offers protocols, none of them ours, gets an alert that says so.
int choose_protocol(SSL*, unsigned char const** out, unsigned char* out_size, unsigned char const* offered,
                    unsigned int size, void*) {
    auto const* const ours = reinterpret_cast<unsigned char const*>(http_1_1.data());
    unsigned char* chosen = nullptr;
    if (SSL_select_next_proto(&chosen, out_size, ours, static_cast<unsigned>(http_1_1.size()), offered, size) !=
        OPENSSL_NPN_NEGOTIATED)
        return SSL_TLSEXT_ERR_ALERT_FATAL;
    *out = chosen;
    return SSL_TLSEXT_ERR_OK;
}

tls_context make_server_context(tls_server_settings const& settings, tls_files const& files, ticket_keys& keys) {
    auto context = make_tls_context(TLS_server_method());
    auto* const c = context.get();
    if (settings.least == tls_version::tls1_3) SSL_CTX_set_min_proto_version(c, TLS1_3_VERSION);
    // HTTP tells by itself where a request ends, and many clients leave without a close_notify.
    SSL_CTX_set_options(c, SSL_OP_CIPHER_SERVER_PREFERENCE | SSL_OP_PRIORITIZE_CHACHA | SSL_OP_IGNORE_UNEXPECTED_EOF);
    SSL_CTX_set_session_cache_mode(c, SSL_SESS_CACHE_OFF); // tickets hold all of it, and no lock is shared
    SSL_CTX_set_alpn_select_cb(c, choose_protocol, nullptr);
    use_ticket_keys(c, keys);
    use_certificate(c, files.certificates, files.key);
    return context;
}

std::vector<ticket_key> read_ticket_keys(std::string const& path) {
    std::string content;
    if (auto const wrong = read_file(path, content)) throw std::runtime_error("the ticket keys: " + *wrong);
    auto keys = parse_ticket_keys(content);
    std::fill(content.begin(), content.end(), '\0');
    if (!keys) throw std::runtime_error("the ticket keys " + path + " must be one to sixteen times 80 random bytes");
    return std::move(*keys);
}

} // namespace

tls_server::tls_server(tls_server_settings settings, time_source const& time)
    : settings_(std::move(settings)), keys_(std::make_shared<ticket_keys>(time)) {
    if (settings_.certificates.empty()) throw std::runtime_error("TLS needs a certificate");
    reload();
}

void tls_server::reload() {
    auto made = std::make_shared<state>();
    made->keys = keys_;
    for (auto const& files : settings_.certificates) {
        auto context = make_server_context(settings_, files, *keys_);
        auto* const certificate = SSL_CTX_get0_certificate(context.get());
        add_names(certificate, made->contexts.size(), made->names);
        made->expires = std::min(made->expires, expiry_of(certificate));
        made->contexts.push_back(std::move(context));
    }
    auto* const first = made->contexts.front().get();
    // SSL_CTX_set_tlsext_servername_callback without its cast
    SSL_CTX_callback_ctrl(first, SSL_CTRL_SET_TLSEXT_SERVERNAME_CB,
                          reinterpret_cast<void (*)()>(state::choose_certificate));
    SSL_CTX_set_tlsext_servername_arg(first, made.get());
    // The last that can fail: from here on everything is taken over.
    if (!settings_.ticket_keys_file.empty()) keys_->use(read_ticket_keys(settings_.ticket_keys_file));
    std::lock_guard const lock(mutex_);
    state_ = std::move(made);
}

std::shared_ptr<tls_server::state const> tls_server::current() const {
    std::lock_guard const lock(mutex_);
    return state_;
}

tls_session tls_server::accept_session() const {
    auto from = current();
    auto* const made = SSL_new(from->contexts.front().get());
    if (made == nullptr) throw std::bad_alloc();
    SSL_set_accept_state(made);
    return {made, std::move(from)};
}

bool tls_server::serves(std::string_view host) const {
    if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
    auto const address = parse_ip(host);
    return current()->names.find(address ? to_string(*address) : std::string(host)).has_value();
}

timestamp tls_server::expires() const { return current()->expires; }

} // namespace recruiting
