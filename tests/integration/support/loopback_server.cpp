#include "integration/support/loopback_server.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdexcept>
#include <sys/socket.h>
#include <unistd.h>

namespace recruiting::test {

loopback_server::loopback_server(serve_function serve)
    : serve_(std::move(serve)), listener_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* const generic = reinterpret_cast<sockaddr*>(&address);
    if (::bind(listener_, generic, size) != 0 || ::listen(listener_, 512) != 0 ||
        ::getsockname(listener_, generic, &size) != 0)
        throw std::runtime_error("a test's server can't listen");
    port_ = ntohs(address.sin_port);
    accepting_ = std::thread([this] { accept_all(); });
}

loopback_server::~loopback_server() {
    stopping_ = true;
    ::shutdown(listener_, SHUT_RDWR);
    accepting_.join();
    ::close(listener_);
    {
        std::lock_guard const lock(mutex_);
        for (int const fd : open_) ::shutdown(fd, SHUT_RDWR);
    }
    for (auto& one : threads_) one.join();
}

void loopback_server::accept_all() {
    while (!stopping_) {
        int const fd = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
        if (fd < 0) continue;
        ++connections_;
        std::lock_guard const lock(mutex_);
        open_.insert(fd);
        threads_.emplace_back([this, fd] {
            serve_(fd, stopping_);
            std::lock_guard const closing(mutex_);
            open_.erase(fd); // before its number can be another's
            ::close(fd);
        });
    }
}

} // namespace recruiting::test
