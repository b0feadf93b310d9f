#include "integration/support/link.hpp"

#include <sys/socket.h>
#include <unistd.h>

namespace recruiting::test {

link::link(int listener, dial to_server, pump copy)
    : listener_(listener), to_server_(std::move(to_server)), copy_(std::move(copy)),
      accepting_([this] { accept_all(); }) {}

link::~link() {
    stopping_ = true;
    ::shutdown(listener_, SHUT_RDWR);
    accepting_.join();
    end_all();
    for (auto& one : threads_) one.join();
    for (int const fd : open_) ::close(fd);
    ::close(listener_);
}

void link::end_all() {
    std::lock_guard const lock(mutex_);
    for (int const fd : open_) ::shutdown(fd, SHUT_RDWR);
}

void link::accept_all() {
    while (!stopping_) {
        int const client = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
        if (client < 0) continue;
        std::lock_guard const lock(mutex_); // end_all ends all or none of a connection
        open_.push_back(client);
        int const server = to_server_();
        if (server < 0) {
            ::shutdown(client, SHUT_RDWR);
            continue;
        }
        open_.push_back(server);
        threads_.emplace_back([this, client, server] { copy_(client, server, false); });
        threads_.emplace_back([this, client, server] { copy_(server, client, true); });
    }
}

} // namespace recruiting::test
