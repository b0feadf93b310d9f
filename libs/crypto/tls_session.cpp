#include "crypto/tls_session.hpp"

#include "crypto/tls_context.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <memory>
#include <new>
#include <openssl/bio.h>
#include <string>
#include <sys/socket.h>

namespace recruiting {

namespace {

// OpenSSL's view of a socket: like its own socket BIO, but a send never raises SIGPIPE, and a read that emptied the
// socket is remembered.

constexpr int drained = 0x10000; // a flag of the BIO beside OpenSSL's own

struct connection {
    int descriptor;
    std::string received;
};

connection& of(BIO* bio) noexcept { return *static_cast<connection*>(BIO_get_data(bio)); }

// What fails is -1: OpenSSL 3.2 and later take 0 from a write for success.
int send_some(BIO* bio, char const* data, std::size_t size, std::size_t* written) {
    BIO_clear_retry_flags(bio);
    ssize_t sent = 0;
    do sent = ::send(of(bio).descriptor, data, size, MSG_NOSIGNAL | MSG_DONTWAIT);
    while (sent < 0 && errno == EINTR);
    if (sent < 0) {
        if (errno == EAGAIN) BIO_set_retry_write(bio);
        return -1;
    }
    *written = static_cast<std::size_t>(sent);
    return 1;
}

int receive_some(BIO* bio, char* into, std::size_t size, std::size_t* read) {
    BIO_clear_retry_flags(bio);
    BIO_clear_flags(bio, drained);
    if (auto& received = of(bio).received; !received.empty()) {
        *read = std::min(size, received.size());
        std::memcpy(into, received.data(), *read);
        received.erase(0, *read);
        return 1;
    }
    ssize_t got = 0;
    do got = ::recv(of(bio).descriptor, into, size, MSG_DONTWAIT);
    while (got < 0 && errno == EINTR);
    if (got > 0) {
        if (static_cast<std::size_t>(got) < size) BIO_set_flags(bio, drained);
        *read = static_cast<std::size_t>(got);
        return 1;
    }
    if (got == 0) {
        BIO_set_flags(bio, BIO_FLAGS_IN_EOF);
        return 0;
    }
    if (errno == EAGAIN) {
        BIO_set_flags(bio, drained);
        BIO_set_retry_read(bio);
    }
    return -1;
}

long control(BIO* bio, int command, long, void*) {
    switch (command) {
    case BIO_CTRL_EOF: return BIO_test_flags(bio, BIO_FLAGS_IN_EOF) != 0 ? 1 : 0;
    case BIO_CTRL_FLUSH: return 1;
    default: return 0;
    }
}

int destroy(BIO* bio) {
    delete static_cast<connection*>(BIO_get_data(bio));
    return 1;
}

BIO_METHOD* make_method() {
    auto* const method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "socket without signals");
    if (method == nullptr) throw std::bad_alloc();
    BIO_meth_set_write_ex(method, send_some);
    BIO_meth_set_read_ex(method, receive_some);
    BIO_meth_set_ctrl(method, control);
    BIO_meth_set_destroy(method, destroy);
    return method;
}

// The descriptor stays the caller's. received: what was read from the socket already, and comes first.
BIO* make_socket_bio(int descriptor, std::string received) {
    static BIO_METHOD* const method = make_method();
    auto data = std::make_unique<connection>(connection{descriptor, std::move(received)});
    auto* const bio = BIO_new(method);
    if (bio == nullptr) throw std::bad_alloc();
    BIO_set_data(bio, data.release());
    BIO_set_init(bio, 1);
    return bio;
}

// Did the last read take less than it asked for? Then the socket is empty, and an edge-triggered epoll reports when
// it no longer is.
bool is_drained(BIO* bio) noexcept { return BIO_test_flags(bio, drained) != 0; }

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

std::string tls_session::failure() const {
    auto const verified = SSL_get_verify_result(ssl_.get());
    if (verified != X509_V_OK) return X509_verify_cert_error_string(verified);
    return openssl_error();
}

} // namespace recruiting
