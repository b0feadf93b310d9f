#include "support/tls_probe.hpp"

#include <array>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <stdexcept>

namespace recruiting::test {
namespace {

struct free_context {
    void operator()(SSL_CTX* context) const noexcept { SSL_CTX_free(context); }
};

void note_alert(SSL const* session, int where, int value) {
    if ((where & SSL_CB_READ_ALERT) == SSL_CB_READ_ALERT && (value >> 8) == SSL3_AL_FATAL)
        *static_cast<int*>(SSL_get_ex_data(session, 0)) = value & 0xff;
}

} // namespace

void tls_probe::free_session::operator()(ssl_st* session) const noexcept {
    SSL_set_shutdown(session, SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN); // or its ticket would count as bad
    SSL_free(session);
}

tls_probe::tls_probe(int descriptor, tls_offer const& offer) {
    std::unique_ptr<SSL_CTX, free_context> const context(SSL_CTX_new(TLS_client_method()));
    auto* const c = context.get();
    SSL_CTX_set_min_proto_version(c, static_cast<int>(offer.least));
    SSL_CTX_set_max_proto_version(c, static_cast<int>(offer.most));
    if (SSL_CTX_set_cipher_list(c, offer.suites.c_str()) != 1) throw std::runtime_error("no such suites");
    if (!offer.ca_file.empty()) {
        SSL_CTX_load_verify_file(c, offer.ca_file.c_str());
        SSL_CTX_set_verify(c, SSL_VERIFY_PEER, nullptr);
    }
    ssl_.reset(SSL_new(c));
    auto* const s = ssl_.get();
    if (!offer.server_name.empty()) {
        auto name = offer.server_name;
        SSL_ctrl(s, SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name, name.data());
        if (!offer.ca_file.empty()) SSL_set1_host(s, name.c_str());
    }
    if (!offer.protocol.empty()) {
        auto const list = static_cast<char>(offer.protocol.size()) + offer.protocol;
        SSL_set_alpn_protos(s, reinterpret_cast<unsigned char const*>(list.data()), static_cast<unsigned>(list.size()));
    }
    if (offer.resume) SSL_set_session(s, offer.resume.get());
    SSL_set_info_callback(s, note_alert);
    SSL_set_fd(s, descriptor);
    SSL_set_connect_state(s);
}

tls_probe::progress tls_probe::handshake() {
    SSL_set_ex_data(ssl_.get(), 0, &alert_);
    ERR_clear_error();
    auto const returned = SSL_do_handshake(ssl_.get());
    if (returned == 1) return progress::done;
    auto const why = SSL_get_error(ssl_.get(), returned);
    return why == SSL_ERROR_WANT_READ || why == SSL_ERROR_WANT_WRITE ? progress::wants_more : progress::failed;
}

bool tls_probe::write(std::string_view text) {
    ERR_clear_error();
    return SSL_write(ssl_.get(), text.data(), static_cast<int>(text.size())) == static_cast<int>(text.size());
}

std::string tls_probe::read() {
    SSL_set_ex_data(ssl_.get(), 0, &alert_);
    ERR_clear_error();
    std::array<char, 16 * 1024> bytes{};
    auto const size = SSL_read(ssl_.get(), bytes.data(), static_cast<int>(bytes.size()));
    return size > 0 ? std::string(bytes.data(), static_cast<std::size_t>(size)) : std::string();
}

std::string tls_probe::version() const { return SSL_get_version(ssl_.get()); }
std::string tls_probe::suite() const { return SSL_get_cipher_name(ssl_.get()); }
bool tls_probe::resumed() const { return SSL_session_reused(ssl_.get()) != 0; }

std::string tls_probe::protocol() const {
    unsigned char const* name = nullptr;
    unsigned size = 0;
    SSL_get0_alpn_selected(ssl_.get(), &name, &size);
    return {reinterpret_cast<char const*>(name), size};
}

std::string tls_probe::subject() const {
    auto* const certificate = SSL_get0_peer_certificate(ssl_.get());
    if (certificate == nullptr) return {};
    std::array<char, 256> text{};
    X509_NAME_get_text_by_NID(X509_get_subject_name(certificate), NID_commonName, text.data(), text.size());
    return text.data();
}

saved_session tls_probe::session() const {
    auto* const session = SSL_get1_session(ssl_.get());
    if (session == nullptr || SSL_SESSION_is_resumable(session) != 1) {
        SSL_SESSION_free(session);
        return nullptr;
    }
    return {session, SSL_SESSION_free};
}

} // namespace recruiting::test
