#include "integration/support/model_connection.hpp"

#include "core/text.hpp"

#include <algorithm>
#include <cstdio>
#include <poll.h>
#include <stdexcept>
#include <sys/socket.h>
#include <thread>

namespace recruiting::test {
namespace {

std::size_t content_length(std::string_view head) {
    auto const lower = to_lower(head);
    std::string_view const name = "\r\ncontent-length:";
    auto const at = lower.find(name);
    if (at == lower.npos) return 0;
    auto const begin = at + name.size();
    return parse_number<std::size_t>(trim(head.substr(begin, head.find("\r\n", begin) - begin))).value_or(0);
}

std::string head_of(model_answer const& answer) {
    auto head = "HTTP/1.1 " + std::to_string(answer.status) + " Said\r\nContent-Type: " + answer.content_type + "\r\n" +
                answer.headers;
    if (answer.last_on_connection) head += "Connection: close\r\n";
    if (answer.chunked) return head + "Transfer-Encoding: chunked\r\n\r\n";
    return head + "Content-Length: " + std::to_string(answer.body.size() + answer.padding) + "\r\n\r\n";
}

} // namespace

SSL_CTX* make_tls_context(tls_files const& files) {
    auto* const context = SSL_CTX_new(TLS_server_method());
    if (context == nullptr || SSL_CTX_use_certificate_chain_file(context, files.certificates.c_str()) != 1 ||
        SSL_CTX_use_PrivateKey_file(context, files.key.c_str(), SSL_FILETYPE_PEM) != 1)
        throw std::runtime_error("the model double's certificate does not serve");
    return context;
}

bool model_connection::greet() {
    if (tls_ == nullptr) return true;
    SSL_set_fd(tls_, fd_);
    return SSL_accept(tls_) == 1;
}

bool model_connection::fill() {
    char piece[16'384];
    auto const got = tls_ == nullptr ? static_cast<int>(::recv(fd_, piece, sizeof piece, 0))
                                     : SSL_read(tls_, piece, static_cast<int>(sizeof piece));
    if (got <= 0) return false;
    buffer_.append(piece, static_cast<std::size_t>(got));
    return true;
}

std::optional<model_request_seen> model_connection::read_request() {
    std::size_t end = 0;
    while ((end = buffer_.find("\r\n\r\n")) == buffer_.npos)
        if (!fill()) return std::nullopt;
    model_request_seen seen;
    seen.head = buffer_.substr(0, end + 2);
    auto const size = content_length(seen.head);
    while (buffer_.size() < end + 4 + size)
        if (!fill()) return std::nullopt;
    seen.body = buffer_.substr(end + 4, size);
    buffer_.erase(0, end + 4 + size);
    auto const words = split(std::string_view(seen.head).substr(0, seen.head.find("\r\n")), ' ');
    if (words.size() != 3) return std::nullopt;
    seen.method = words[0];
    seen.target = words[1];
    return seen;
}

bool model_connection::write(std::string_view bytes) {
    while (!bytes.empty()) {
        auto const sent = tls_ == nullptr ? static_cast<int>(::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL))
                                          : SSL_write(tls_, bytes.data(), static_cast<int>(bytes.size()));
        if (sent <= 0) return false;
        bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
}

bool model_connection::write_piece(std::string_view piece, bool chunked) {
    if (!chunked) return write(piece);
    char size[24];
    std::snprintf(size, sizeof size, "%zx\r\n", piece.size());
    return write(std::string(size) + std::string(piece) + "\r\n");
}

bool model_connection::write_body(model_answer const& answer, std::atomic<bool> const& stopping) {
    auto const body = std::string_view(answer.body).substr(0, answer.closes_after.value_or(answer.body.npos));
    auto const step = answer.drip.count() > 0 ? 1 : std::max<std::size_t>(body.size(), 1);
    for (std::size_t at = 0; at < body.size(); at += step) {
        if (stopping || !write_piece(body.substr(at, step), answer.chunked)) return false;
        if (answer.drip.count() > 0) std::this_thread::sleep_for(answer.drip);
    }
    if (answer.closes_after) return false;
    std::string const block(64 * 1024, ' ');
    for (auto left = answer.padding; left > 0;) {
        auto const size = std::min(left, block.size());
        if (!write_piece(std::string_view(block).substr(0, size), answer.chunked)) return false;
        left -= size;
    }
    return !answer.chunked || write("0\r\n\r\n");
}

bool model_connection::send(model_answer const& answer, std::atomic<bool> const& stopping) {
    if (answer.closes_unanswered) return false;
    if (answer.delay.count() > 0) std::this_thread::sleep_for(answer.delay);
    return write(head_of(answer)) && write_body(answer, stopping) && !answer.last_on_connection;
}

void model_connection::wait_until_gone(std::atomic<bool> const& stopping) {
    constexpr int poll_milliseconds = 20;
    pollfd waiting{fd_, POLLRDHUP, 0};
    while (!stopping &&
           (::poll(&waiting, 1, poll_milliseconds) == 0 || (waiting.revents & (POLLRDHUP | POLLHUP | POLLERR)) == 0))
        ;
}

} // namespace recruiting::test
