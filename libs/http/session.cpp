#include "http/session.hpp"

#include "core/log.hpp"
#include "core/text.hpp"
#include "http/body_source.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/buffers_range.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/status.hpp>
#include <cstring>

namespace recruiting::http {
namespace {

namespace beast_http = boost::beast::http;

constexpr std::size_t read_size = 16 * 1024;

// "Sat, 21 Nov 2026 01:05:45 GMT" (RFC 9110 section 5.6.7), made once a second.
std::string_view date_field() {
    thread_local std::time_t made_for = 0;
    thread_local char text[40];
    auto const now = std::time(nullptr);
    if (now != made_for) {
        std::tm parts{};
        ::gmtime_r(&now, &parts);
        std::strftime(text, sizeof text, "%a, %d %b %Y %H:%M:%S GMT", &parts);
        made_for = now;
    }
    return text;
}

std::string peer_of(session::socket_type const& socket) {
    boost::system::error_code error;
    auto const remote = socket.remote_endpoint(error);
    if (error || (remote.protocol().family() != AF_INET && remote.protocol().family() != AF_INET6)) return "127.0.0.1";
    asio::ip::tcp::endpoint tcp;
    tcp.resize(remote.size());
    std::memcpy(tcp.data(), remote.data(), remote.size());
    return tcp.address().to_string();
}

api_error error_of(boost::system::error_code const& error) {
    if (error == beast_http::error::header_limit) return make_error(error_code::headers_too_large);
    if (error == beast_http::error::body_limit) return make_error(error_code::payload_too_large);
    auto refused = make_error(error_code::invalid_request);
    refused.message = "The request is not valid HTTP/1.1.";
    return refused;
}

} // namespace

session::session(socket_type socket, ticker& clock, server_settings const& settings, handler& app)
    : socket_(std::move(socket)), clock_(clock), settings_(settings), app_(app), peer_(peer_of(socket_)) {
    boost::system::error_code ignored;
    socket_.set_option(asio::ip::tcp::no_delay(true), ignored); // fails on unix sockets, which need none
    buffer_.reserve(read_size);
    arm(settings_.idle_timeout);
}

void session::drain() {
    draining_ = true;
    if (idle_) close();
}

void session::close() {
    boost::system::error_code ignored;
    socket_.close(ignored);
}

void session::check_deadline(coarse_clock::time_point now) {
    if (now < deadline_) return;
    timed_out_ = true;
    deadline_ = coarse_clock::time_point::max();
    boost::system::error_code ignored;
    socket_.cancel(ignored);
}

task<void> session::run() {
    for (bool keep_alive = true; keep_alive;) {
        parser_type parser;
        parser.header_limit(settings_.head_limit);
        parser.body_limit(settings_.body_limit);
        api_error why;
        auto const outcome = co_await read_request(parser, why);
        if (outcome == read_outcome::ended) co_return close();
        if (outcome == read_outcome::refused) {
            auto refusal = app_.reject(why);
            co_await answer(std::move(refusal), false, false);
            co_return co_await linger();
        }
        auto const req = make_request(parser);
        deadline_ = coarse_clock::time_point::max(); // the handler has deadlines of its own
        response reply;
        bool failed = false;
        try {
            reply = co_await app_.handle(req);
        } catch (std::exception const& error) {
            log::error("handler_failed", {{"message", error.what()}});
            failed = true;
        }
        if (failed) reply = app_.reject(make_error(error_code::internal_error));
        keep_alive = parser.get().keep_alive() && !draining_ && !reply.close;
        keep_alive = co_await answer(std::move(reply), keep_alive, req.method == "HEAD");
    }
    close();
}

task<session::read_outcome> session::read_request(parser_type& parser, api_error& why) {
    idle_ = buffer_.size() == 0;
    if (idle_ && draining_) co_return read_outcome::ended;
    arm(idle_ ? settings_.idle_timeout : settings_.read_timeout);
    boost::system::error_code error;
    bool continue_sent = false;
    while (!parser.is_done()) {
        if (buffer_.size() > 0) {
            auto const used = parser.put(buffer_.data(), error);
            buffer_.consume(used);
            if (error == beast_http::error::need_more) error = {};
            if (error) {
                why = error_of(error);
                co_return read_outcome::refused;
            }
            if (parser.is_done()) break;
            if (used > 0 && buffer_.size() > 0) continue;
        }
        if (parser.is_header_done() && !continue_sent && iequals(parser.get()[beast_http::field::expect], "100-continue")) {
            continue_sent = true;
            bool const sent = co_await write("HTTP/1.1 100 Continue\r\n\r\n", {});
            if (!sent) co_return read_outcome::ended;
            arm(settings_.read_timeout);
        }
        auto const [read_error, size] = co_await socket_.async_read_some(buffer_.prepare(read_size), use_task_tuple);
        if (read_error) {
            if (!timed_out_ || idle_) co_return read_outcome::ended;
            why = make_error(error_code::request_timeout);
            co_return read_outcome::refused;
        }
        buffer_.commit(size);
        if (idle_) arm(settings_.read_timeout);
        idle_ = false;
    }
    co_return read_outcome::request;
}

request session::make_request(parser_type const& parser) const {
    auto const& message = parser.get();
    request req;
    req.method = std::string_view(message.method_string().data(), message.method_string().size());
    req.target = std::string_view(message.target().data(), message.target().size());
    auto const question = req.target.find('?');
    req.path = req.target.substr(0, question);
    if (question != std::string_view::npos) req.query = req.target.substr(question + 1);
    req.headers.reserve(16);
    for (auto const& field : message)
        req.headers.emplace_back(std::string_view(field.name_string().data(), field.name_string().size()),
                                 std::string_view(field.value().data(), field.value().size()));
    req.body = message.body();
    req.peer = peer_;
    return req;
}

void session::write_head(response const& answer, bool keep_alive) {
    head_.clear();
    head_ += "HTTP/1.1 ";
    append_number(head_, answer.status);
    head_ += ' ';
    auto const reason = beast_http::obsolete_reason(static_cast<beast_http::status>(answer.status));
    head_.append(reason.data(), reason.size());
    head_ += "\r\nDate: ";
    head_ += date_field();
    if (answer.stream) {
        head_ += "\r\nTransfer-Encoding: chunked";
    } else if (answer.status != 204 && answer.status != 304) { // RFC 9110 section 8.6
        head_ += "\r\nContent-Length: ";
        append_number(head_, answer.body.size());
    }
    if (!answer.content_type.empty() && answer.status != 204 && answer.status != 304)
        head_.append("\r\nContent-Type: ").append(answer.content_type);
    for (auto const& [name, value] : answer.headers) head_.append("\r\n").append(name).append(": ").append(value);
    if (!keep_alive) head_ += "\r\nConnection: close";
    head_ += "\r\n\r\n";
}

task<bool> session::answer(response answer, bool keep_alive, bool head_only) {
    write_head(answer, keep_alive);
    if (answer.stream && !head_only) {
        bool const streamed = co_await write_stream(answer, keep_alive);
        co_return streamed;
    }
    std::string_view const body = head_only ? std::string_view() : std::string_view(answer.body);
    bool const written = co_await write(head_, body);
    co_return written && keep_alive;
}

task<bool> session::write_stream(response& answer, bool keep_alive) {
    bool sent = co_await write(head_, {});
    std::string piece;
    for (bool more = sent; more;) {
        piece.clear();
        try {
            more = co_await answer.stream->next(piece);
        } catch (std::exception const& error) {
            log::error("stream_failed", {{"message", error.what()}});
            co_return false; // no last chunk: the client sees that the answer is not whole
        }
        if (piece.empty()) continue;
        char size[20];
        auto const end = std::to_chars(size, size + sizeof size, piece.size(), 16).ptr;
        std::string chunk_head(size, end);
        chunk_head += "\r\n";
        piece += "\r\n";
        sent = co_await write(chunk_head, piece);
        if (!sent) co_return false;
    }
    sent = co_await write("0\r\n\r\n", {});
    co_return sent && keep_alive;
}

task<bool> session::write(std::string_view head, std::string_view body) {
    arm(settings_.write_timeout);
    std::array<asio::const_buffer, 2> const pieces = {asio::buffer(head.data(), head.size()),
                                                      asio::buffer(body.data(), body.size())};
    auto const [error, size] = co_await asio::async_write(socket_, pieces, use_task_tuple);
    static_cast<void>(size);
    co_return !error;
}

// RFC 9112 section 9.6: a close while the client still sends would reset the connection and lose the answer.
task<void> session::linger() {
    boost::system::error_code ignored;
    socket_.shutdown(asio::socket_base::shutdown_send, ignored);
    arm(std::chrono::milliseconds{2000});
    for (std::size_t taken = 0; taken < 1024 * 1024;) {
        buffer_.clear();
        auto const [error, size] = co_await socket_.async_read_some(buffer_.prepare(read_size), use_task_tuple);
        if (error) break;
        taken += size;
    }
    close();
}

} // namespace recruiting::http
