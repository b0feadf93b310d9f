#include "integration/support/http_client.hpp"

#include "core/text.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdexcept>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>
#include <utility>

namespace recruiting::test {

http_client::http_client(std::uint16_t port, std::chrono::seconds limit)
    : fd_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    timeval const patience{limit.count(), 0};
    ::setsockopt(fd_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (::connect(fd_, reinterpret_cast<sockaddr const*>(&address), sizeof address) != 0)
        throw std::runtime_error("nobody listens on port " + std::to_string(port));
}

http_client::~http_client() { ::close(fd_); }

void http_client::send(std::string_view bytes) const {
    while (!bytes.empty()) {
        auto const sent = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (sent <= 0) return; // the server refused meanwhile: its answer tells
        bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
}

void http_client::finish() const { ::shutdown(fd_, SHUT_WR); }

bool http_client::fill() {
    char bytes[16 * 1024];
    auto const got = ::recv(fd_, bytes, sizeof bytes, 0);
    if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) throw std::runtime_error("no reply in time");
    if (got <= 0) return false;
    buffer_.append(bytes, static_cast<std::size_t>(got));
    return true;
}

std::string http_client::take(std::size_t size) {
    while (buffer_.size() < size)
        if (!fill()) throw std::runtime_error("the connection ended inside an answer");
    auto taken = buffer_.substr(0, size);
    buffer_.erase(0, size);
    return taken;
}

std::string http_client::take_line() {
    for (;;) {
        if (auto const end = buffer_.find("\r\n"); end != std::string::npos) {
            auto line = take(end + 2);
            line.resize(end);
            return line;
        }
        if (!fill()) throw std::runtime_error("the connection ended inside a line");
    }
}

http_answer http_client::receive(bool head_only) {
    http_answer answer;
    auto const status_line = take_line();
    answer.status = parse_number<unsigned>(std::string_view(status_line).substr(9, 3)).value_or(0);
    answer.head = status_line + "\r\n";
    for (auto line = take_line(); !line.empty(); line = take_line()) {
        answer.head += line + "\r\n";
        auto const colon = line.find(':');
        answer.headers[to_lower(line.substr(0, colon))] = trim(std::string_view(line).substr(colon + 1));
    }
    bool const bodiless = head_only || answer.status < 200 || answer.status == 204 || answer.status == 304;
    if (bodiless) return answer;
    if (answer.header("transfer-encoding") == "chunked") {
        for (;;) {
            auto const line = take_line();
            auto const size = std::stoul(line, nullptr, 16);
            answer.body += take(size);
            static_cast<void>(take(2));
            if (size == 0) return answer;
        }
    }
    if (auto const size = parse_number<std::size_t>(answer.header("content-length"))) answer.body = take(*size);
    else answer.body = receive_all();
    return answer;
}

http_answer http_client::get(std::string_view target, std::string_view lines, std::string_view method) {
    send(std::string(method) + " " + std::string(target) + " HTTP/1.1\r\nHost: test\r\n" + std::string(lines) + "\r\n");
    return receive(method == "HEAD");
}

std::string http_client::receive_all() {
    while (fill()) {
    }
    return std::exchange(buffer_, {});
}

bool http_client::ended() { return buffer_.empty() && !fill(); }

} // namespace recruiting::test
