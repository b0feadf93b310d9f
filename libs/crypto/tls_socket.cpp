#include "crypto/tls_socket.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <new>
#include <sys/socket.h>

namespace recruiting {
namespace {

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

} // namespace

BIO* make_socket_bio(int descriptor, std::string received) {
    static BIO_METHOD* const method = make_method();
    auto data = std::make_unique<connection>(connection{descriptor, std::move(received)});
    auto* const bio = BIO_new(method);
    if (bio == nullptr) throw std::bad_alloc();
    BIO_set_data(bio, data.release());
    BIO_set_init(bio, 1);
    return bio;
}

bool is_drained(BIO* bio) noexcept { return BIO_test_flags(bio, drained) != 0; }

} // namespace recruiting
