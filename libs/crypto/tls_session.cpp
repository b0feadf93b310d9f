#include "crypto/tls_session.hpp"

#include "crypto/tls_context.hpp"
#include "crypto/tls_socket.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace recruiting {
namespace {

constexpr std::size_t record_size = 16 * 1024; // RFC 8446 section 5.1

// The beginning of the pieces from `skip` on, up to a record: copied together only where a piece alone would make a
// small record.
std::string_view next_record(std::span<std::string_view const> pieces, std::size_t skip) {
    thread_local std::array<char, record_size> joined;
    std::size_t size = 0;
    for (auto piece : pieces) {
        if (skip >= piece.size()) {
            skip -= piece.size();
            continue;
        }
        piece.remove_prefix(skip);
        skip = 0;
        if (size == 0 && (piece.size() >= record_size || piece.end() == pieces.back().end()))
            return piece.substr(0, record_size);
        auto const part = std::min(piece.size(), record_size - size);
        std::memcpy(joined.data() + size, piece.data(), part);
        size += part;
        if (size == record_size) break;
    }
    return {joined.data(), size};
}

} // namespace

void tls_session::free_session::operator()(ssl_st* session) const noexcept { SSL_free(session); }

void tls_session::attach(int descriptor, std::string received) {
    auto* const bio = make_socket_bio(descriptor, std::move(received));
    SSL_set_bio(ssl_.get(), bio, bio);
}

tls_status tls_session::status_of(int returned) noexcept {
    switch (SSL_get_error(ssl_.get(), returned)) {
    case SSL_ERROR_NONE: return tls_status::done;
    case SSL_ERROR_WANT_READ: return tls_status::want_read;
    case SSL_ERROR_WANT_WRITE: return tls_status::want_write;
    case SSL_ERROR_ZERO_RETURN: return tls_status::closed;
    default: broken_ = true; return tls_status::failed;
    }
}

tls_status tls_session::handshake() noexcept {
    ERR_clear_error(); // SSL_get_error looks at it: what another connection left there must not count
    return status_of(SSL_do_handshake(ssl_.get()));
}

tls_transfer tls_session::read(char* into, std::size_t size) noexcept {
    ERR_clear_error();
    tls_transfer out;
    out.status = status_of(SSL_read_ex(ssl_.get(), into, size, &out.size));
    return out;
}

tls_transfer tls_session::write(std::span<std::string_view const> pieces) noexcept {
    tls_transfer out;
    for (auto record = next_record(pieces, 0); !record.empty(); record = next_record(pieces, out.size)) {
        ERR_clear_error();
        std::size_t written = 0;
        out.status = status_of(SSL_write_ex(ssl_.get(), record.data(), record.size(), &written));
        out.size += written;
        if (out.status != tls_status::done) break;
    }
    return out;
}

tls_status tls_session::shut_down() noexcept {
    if (broken_ || SSL_in_init(ssl_.get()) != 0) return tls_status::failed;
    ERR_clear_error();
    auto const returned = SSL_shutdown(ssl_.get());
    return returned >= 0 ? tls_status::done : status_of(returned);
}

bool tls_session::has_pending() const noexcept { return SSL_has_pending(ssl_.get()) != 0; }

bool tls_session::may_have_more() const noexcept { return has_pending() || !is_drained(SSL_get_rbio(ssl_.get())); }

tls_version tls_session::version() const noexcept {
    return SSL_version(ssl_.get()) == TLS1_3_VERSION ? tls_version::tls1_3 : tls_version::tls1_2;
}

bool tls_session::resumed() const noexcept { return SSL_session_reused(ssl_.get()) != 0; }

std::string_view tls_session::suite() const noexcept { return SSL_get_cipher_name(ssl_.get()); }

std::string_view tls_session::server_name() const noexcept {
    char const* const name = SSL_get_servername(ssl_.get(), TLSEXT_NAMETYPE_host_name);
    return name == nullptr ? std::string_view() : std::string_view(name);
}

std::string tls_session::failure() const {
    auto const verified = SSL_get_verify_result(ssl_.get());
    if (verified != X509_V_OK) return X509_verify_cert_error_string(verified);
    return openssl_error();
}

} // namespace recruiting
