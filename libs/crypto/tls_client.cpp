#include "crypto/tls_client.hpp"

#include "core/ip.hpp"
#include "core/settings.hpp"
#include "crypto/tls_context.hpp"

#include <new>
#include <openssl/x509v3.h>

namespace recruiting {

struct tls_client::state {
    tls_context context;
};

namespace {

// SSL_set_tlsext_host_name without its cast. An address is no name to ask for (RFC 6066 section 3).
bool set_name(SSL* session, std::string name) {
    if (parse_ip(name)) return X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(session), name.c_str()) == 1;
    return SSL_set1_host(session, name.c_str()) == 1 &&
           SSL_ctrl(session, SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name, name.data()) == 1;
}

} // namespace

tls_client::tls_client(tls_client_settings settings) : settings_(std::move(settings)) { reload(); }

void tls_client::reload() {
    auto made = std::make_shared<state>();
    made->context = make_tls_context(TLS_client_method());
    auto* const c = made->context.get();
    SSL_CTX_set_verify(c, SSL_VERIFY_PEER, nullptr);
    if (settings_.offers_http)
        SSL_CTX_set_alpn_protos(c, reinterpret_cast<unsigned char const*>(http_1_1.data()),
                                static_cast<unsigned>(http_1_1.size()));
    if (settings_.ca_file.empty()) {
        if (SSL_CTX_set_default_verify_paths(c) != 1) throw_tls_error("can't use the system's certificates");
    } else if (SSL_CTX_load_verify_file(c, settings_.ca_file.c_str()) != 1) {
        throw_tls_error("can't use the CA certificates " + settings_.ca_file);
    }
    if (!settings_.own.certificates.empty()) use_certificate(c, settings_.own.certificates, settings_.own.key);
    std::lock_guard const lock(mutex_);
    state_ = std::move(made);
}

std::shared_ptr<tls_client::state const> tls_client::current() const {
    std::lock_guard const lock(mutex_);
    return state_;
}

std::optional<timestamp> tls_client::expires() const {
    if (settings_.own.certificates.empty()) return std::nullopt;
    return expiry_of(SSL_CTX_get0_certificate(current()->context.get()));
}

tls_session tls_client::connect_session(std::string const& host) const {
    auto from = current();
    auto* const made = SSL_new(from->context.get());
    if (made == nullptr) throw std::bad_alloc();
    tls_session session(made, std::move(from));
    SSL_set_connect_state(made);
    auto const& name = settings_.server_name.empty() ? host : settings_.server_name;
    SSL_set_hostflags(made, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
    // Without a name to verify any certificate of the authority would do.
    if (!set_name(made, name)) throw_tls_error("can't verify a server as \"" + name + "\"");
    return session;
}

void declare_certificate(settings_reader& reader, std::string name, tls_files& target, std::string help) {
    auto const parse = [](std::string_view value) { return value.empty() ? tls_files{} : parse_tls_files(value); };
    reader.custom(std::move(name), "", std::move(help),
                  parsed_into(target, parse, "must be CHAIN.pem:KEY.pem, or empty"));
}

} // namespace recruiting
