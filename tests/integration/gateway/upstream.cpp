#include "integration/gateway/upstream.hpp"

#include <arpa/inet.h>
#include <atomic>
#include <mutex>
#include <netinet/in.h>
#include <set>
#include <stdexcept>
#include <sys/socket.h>
#include <sys/un.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace recruiting::test {

struct recording_upstream::state {
    script answer;
    int listener{-1};
    std::uint16_t port{0};
    mutable std::mutex mutex;
    std::vector<std::string> requests;
    std::set<int> open;
    std::atomic<int> used{0};
    std::atomic<bool> stopping{false};
    std::vector<std::thread> threads;
};

namespace {

std::string value_of(std::string const& head, std::string const& name) {
    auto const at = head.find("\r\n" + name + ": ");
    if (at == std::string::npos) return {};
    auto const begin = at + name.size() + 4;
    return head.substr(begin, head.find("\r\n", begin) - begin);
}

// How many of the bytes are the first request; 0: it is not all there.
std::size_t request_size(std::string const& bytes) {
    auto const head_end = bytes.find("\r\n\r\n");
    if (head_end == std::string::npos) return 0;
    auto const head = bytes.substr(0, head_end + 2);
    if (value_of(head, "Transfer-Encoding") == "chunked") {
        auto const end = bytes.find("\r\n0\r\n\r\n", head_end);
        return end == std::string::npos ? 0 : end + 7;
    }
    auto const length = value_of(head, "Content-Length");
    auto const size = head_end + 4 + (length.empty() ? 0 : std::stoul(length));
    return bytes.size() < size ? 0 : size;
}

bool send_all(int fd, std::string const& bytes) {
    for (std::size_t done = 0; done < bytes.size();) {
        auto const sent = ::send(fd, bytes.data() + done, bytes.size() - done, MSG_NOSIGNAL);
        if (sent <= 0) return false;
        done += static_cast<std::size_t>(sent);
    }
    return true;
}

template <class State>
bool answer_one(State& s, int fd, std::string const& request) {
    {
        std::lock_guard const lock(s.mutex);
        s.requests.push_back(request);
    }
    auto bytes = s.answer(request);
    if (bytes.empty()) return false;
    std::string const mark = recording_upstream::close_mark;
    bool const close = bytes.ends_with(mark);
    if (close) bytes.resize(bytes.size() - mark.size());
    return send_all(fd, bytes) && !close;
}

template <class State>
void serve(State& s, int fd) {
    std::string bytes;
    char piece[65536];
    bool used = false;
    for (bool more = true; more;) {
        if (auto const size = request_size(bytes); size > 0) {
            more = answer_one(s, fd, bytes.substr(0, size));
            bytes.erase(0, size);
            continue;
        }
        auto const got = ::recv(fd, piece, sizeof piece, 0);
        if (got <= 0) break;
        if (!std::exchange(used, true)) s.used.fetch_add(1);
        bytes.append(piece, static_cast<std::size_t>(got));
    }
    std::lock_guard const lock(s.mutex);
    s.open.erase(fd);
    ::close(fd);
}

template <class State>
void accept_all(State& s) {
    while (!s.stopping) {
        int const fd = ::accept(s.listener, nullptr, nullptr);
        if (fd < 0) continue;
        std::lock_guard const lock(s.mutex);
        s.open.insert(fd);
        s.threads.emplace_back([&s, fd] { serve(s, fd); });
    }
}

} // namespace

namespace {

template <class State>
void start(State& s, recording_upstream::script answer) {
    s.answer = std::move(answer);
    std::lock_guard const lock(s.mutex);
    s.threads.emplace_back([&s] { accept_all(s); });
}

} // namespace

recording_upstream::recording_upstream(script answer, std::string const& path) : state_(std::make_shared<state>()) {
    auto& s = *state_;
    s.listener = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path.copy(address.sun_path, sizeof address.sun_path - 1);
    if (::bind(s.listener, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 ||
        ::listen(s.listener, 512) != 0)
        throw std::runtime_error("the test's service can't listen");
    start(s, std::move(answer));
}

recording_upstream::recording_upstream(script answer, std::uint16_t port) : state_(std::make_shared<state>()) {
    auto& s = *state_;
    s.listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    int const on = 1;
    ::setsockopt(s.listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(port);
    socklen_t size = sizeof address;
    if (::bind(s.listener, reinterpret_cast<sockaddr*>(&address), size) != 0 || ::listen(s.listener, 512) != 0)
        throw std::runtime_error("the test's service can't listen");
    ::getsockname(s.listener, reinterpret_cast<sockaddr*>(&address), &size);
    s.port = ntohs(address.sin_port);
    start(s, std::move(answer));
}

recording_upstream::~recording_upstream() {
    state_->stopping = true;
    ::shutdown(state_->listener, SHUT_RDWR);
    std::vector<std::thread> threads;
    {
        std::lock_guard const lock(state_->mutex);
        threads.push_back(std::move(state_->threads.front()));
        state_->threads.erase(state_->threads.begin());
    }
    threads.front().join(); // no new connections from here on
    drop_connections();
    for (auto& one : state_->threads) one.join();
    ::close(state_->listener);
}

std::uint16_t recording_upstream::port() const noexcept { return state_->port; }

std::vector<std::string> recording_upstream::requests() const {
    std::lock_guard const lock(state_->mutex);
    return state_->requests;
}

std::size_t recording_upstream::count(std::string const& part) const {
    std::size_t found = 0;
    for (auto const& request : requests())
        if (request.substr(0, request.find("\r\n\r\n")).find(part) != std::string::npos) ++found;
    return found;
}

int recording_upstream::connections() const { return state_->used; }

void recording_upstream::drop_connections() {
    std::lock_guard const lock(state_->mutex);
    for (int const fd : state_->open) ::shutdown(fd, SHUT_RDWR);
}

std::string recording_upstream::ok(std::string const&) { return "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"; }

} // namespace recruiting::test
