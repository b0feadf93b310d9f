#include "crypto/tls_context.hpp"

#include <cstring>
#include <ctime>
#include <stdexcept>

namespace recruiting {
namespace {

// AES-128 first: it is the cheapest where there is AES in hardware; a client without it says so by asking for ChaCha20
// first.
constexpr char const* tls1_2_suites = "ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256:"
                                      "ECDHE-ECDSA-AES256-GCM-SHA384:ECDHE-RSA-AES256-GCM-SHA384:"
                                      "ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-CHACHA20-POLY1305";
constexpr char const* tls1_3_suites = "TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256";

// A key that wants a passphrase is an error, not a question on the terminal.
int no_passphrase(char*, int, int, void*) { return -1; }

} // namespace

std::string openssl_error() {
    auto const code = ERR_peek_error();
    if (code == 0) return "the connection was lost";
    if (ERR_SYSTEM_ERROR(code)) return std::strerror(ERR_GET_REASON(code));
    char const* const reason = ERR_reason_error_string(code);
    return reason == nullptr ? "OpenSSL error " + std::to_string(code) : reason;
}

void throw_tls_error(std::string const& what) { throw std::runtime_error(what + ": " + openssl_error()); }

tls_context make_tls_context(SSL_METHOD const* method) {
    ERR_clear_error();
    tls_context made(SSL_CTX_new(method));
    auto* const context = made.get();
    if (context == nullptr || SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION) != 1 ||
        SSL_CTX_set_cipher_list(context, tls1_2_suites) != 1 || SSL_CTX_set_ciphersuites(context, tls1_3_suites) != 1 ||
        SSL_CTX_set1_groups_list(context, "X25519:P-256") != 1)
        throw_tls_error("OpenSSL does not support this program's TLS settings");
    SSL_CTX_set_options(context, SSL_OP_NO_COMPRESSION | SSL_OP_NO_RENEGOTIATION);
    SSL_CTX_set_mode(context,
                     SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    SSL_CTX_set_read_ahead(context, 1); // a record takes one recv, not one for its head and one for its body
    SSL_CTX_set_default_passwd_cb(context, no_passphrase);
    return made;
}

void use_certificate(SSL_CTX* context, std::string const& chain_file, std::string const& key_file) {
    ERR_clear_error();
    if (SSL_CTX_use_certificate_chain_file(context, chain_file.c_str()) != 1)
        throw_tls_error("can't use the certificate chain " + chain_file);
    if (SSL_CTX_use_PrivateKey_file(context, key_file.c_str(), SSL_FILETYPE_PEM) != 1)
        throw_tls_error("can't use the private key " + key_file + " of " + chain_file);
}

timestamp expiry_of(X509 const* certificate) {
    std::tm broken_down{};
    if (ASN1_TIME_to_tm(X509_get0_notAfter(certificate), &broken_down) != 1) return timestamp::max();
    return timestamp(std::chrono::seconds(::timegm(&broken_down)));
}

} // namespace recruiting
