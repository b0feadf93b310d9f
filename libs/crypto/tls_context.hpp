// What tls_server and tls_client have in common: OpenSSL's handles as small types, error texts, and a context with the
// versions and suites of this project. For libs/crypto only.
#pragma once
#include "core/time.hpp"

#include <memory>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <string>
#include <string_view>

namespace recruiting {

struct free_tls_context {
    void operator()(SSL_CTX* context) const noexcept { SSL_CTX_free(context); }
};
using tls_context = std::unique_ptr<SSL_CTX, free_tls_context>;

/// The first error OpenSSL noted on this thread, in words.
[[nodiscard]] std::string openssl_error();
/// Throws std::runtime_error: what, why.
[[noreturn]] void throw_tls_error(std::string const& what);

/// TLS 1.2 with ECDHE and AEAD suites, and TLS 1.3; X25519 and P-256; no compression, no renegotiation; buffers are
/// given back when they are empty, so that an idle connection is cheap.
[[nodiscard]] tls_context make_tls_context(SSL_METHOD const* method);
/// Throws std::runtime_error naming the file at fault.
void use_certificate(SSL_CTX* context, std::string const& chain_file, std::string const& key_file);

[[nodiscard]] timestamp expiry_of(X509 const* certificate);

inline constexpr std::string_view http_1_1{"\x08http/1.1"}; // RFC 7301 section 3.1: a list of one

} // namespace recruiting
