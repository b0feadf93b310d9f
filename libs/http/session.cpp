#include "http/session.hpp"

#include "async/listener.hpp"
#include "core/ids.hpp"
#include "core/log.hpp"
#include "core/text.hpp"
#include "http/handler.hpp"
#include "http/head.hpp"
#include "http/problem.hpp"

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/http/error.hpp>

namespace recruiting::http {
namespace {

namespace beast_http = boost::beast::http;

constexpr std::string_view no_body;

std::string peer_of(stream_socket const& socket) {
    boost::system::error_code error;
    auto const remote = socket.remote_endpoint(error);
    if (error || (remote.protocol().family() != AF_INET && remote.protocol().family() != AF_INET6)) return "127.0.0.1";
    return tcp_endpoint_of(remote).address().to_string();
}

// "0\r\n" and perhaps one byte more. Once Beast (1.81 to 1.83 at least) has seen the first three of a body without
// content, it asserts that five come next: the process would abort. What ends a message is five bytes at least, so that
// nothing waits for ever.
template <class Parser>
bool is_torn_last_chunk(Parser const& parser, std::string_view buffered) {
    constexpr std::size_t last_chunk = 5;
    return parser.is_header_done() && parser.chunked() && buffered.size() < last_chunk && buffered.starts_with("0\r\n");
}

stream_socket without_delay(stream_socket socket) {
    boost::system::error_code ignored;
    socket.set_option(asio::ip::tcp::no_delay(true), ignored); // fails on unix sockets, which need none
    return socket;
}

} // namespace

session::session(stream_socket socket, stream_watch& watch, server_settings const& settings, handler& app)
    : settings_(settings), app_(app), peer_(peer_of(socket)), connection_(without_delay(std::move(socket)), watch) {}

// What is on its way would be lost by a close: bytes not read yet, and the first request of a connection just made.
void session::drain() {
    constexpr std::chrono::milliseconds first_request{1000};
    last_ = draining_ = true;
    if (!idle_ || !connection_.is_quiet()) return;
    if (fresh_) connection_.limit_read(std::min(first_request, settings_.idle_timeout));
    else close();
}

std::chrono::milliseconds session::time_left() const noexcept {
    return std::chrono::duration_cast<std::chrono::milliseconds>(deadline_ - connection_.now());
}

task<void> session::run() {
    for (;;) {
        parser_type parser;
        parser.header_limit(static_cast<std::uint32_t>(settings_.headers_limit));
        parser.body_limit(static_cast<std::uint64_t>(settings_.body_limit));
        request req;
        api_error why;
        auto const outcome = co_await read_request(parser, req, why);
        if (outcome == request_outcome::ended) co_return close();
        if (outcome == request_outcome::refused) {
            // What was read before the refusal: a length beyond the limit ends Beast's head before its last step.
            if (!parser.is_header_done()) req = make_request(parser);
            auto refusal = co_await reject(req, why);
            co_await answer(refusal, false, req.method == "HEAD");
            co_return co_await linger();
        }
        response reply;
        bool failed = false;
        try {
            reply = co_await app_.handle(req);
        } catch (std::exception const& error) {
            log::error("handler_failed", {{"message", error.what()}});
            failed = true;
        }
        if (failed) {
            auto const mistake = make_error(error_code::internal_error);
            auto refusal = co_await reject(req, mistake);
            reply = std::move(refusal);
        }
        bool const client_stays = parser.get().keep_alive() && !http_1_0_;
        bool const keep_alive = client_stays && !last_ && !reply.close;
        bool const written = co_await answer(reply, keep_alive, req.method == "HEAD");
        if (!written) co_return close();
        if (keep_alive) continue;
        if (client_stays) co_return co_await linger(); // it does not know yet, and may be sending
        co_return close();
    }
}

task<response> session::reject(request const& req, api_error const& why) {
    try {
        auto refusal = co_await app_.reject(req, why);
        co_return refusal;
    } catch (std::exception const& error) {
        log::error("handler_failed", {{"message", error.what()}});
    }
    co_return problem_response(make_error(error_code::internal_error), request_id_for(req.header("X-Request-Id")), {});
}

task<session::request_outcome> session::read_request(parser_type& parser, request& req, api_error& why) {
    idle_ = buffer_.empty();
    if (idle_ && draining_ && !fresh_) co_return request_outcome::ended;
    arm(idle_ ? settings_.idle_timeout : settings_.read_timeout);
    bool accepted = false; // its head, with a body to come
    for (;;) {
        if (!feed(parser, req, why)) co_return request_outcome::refused;
        if (parser.is_done()) break;
        if (parser.is_header_done() && !accepted) {
            auto const outcome = co_await accept_head(req, why);
            if (outcome != request_outcome::request) co_return outcome;
            accepted = true;
        }
        auto outcome = connection_.try_read(buffer_);
        while (!outcome) {
            bool const ready = co_await connection_.readable(time_left());
            outcome = ready ? connection_.try_read(buffer_) : connection_.gave_up();
        }
        if (*outcome != read_outcome::data) {
            if (*outcome == read_outcome::closed || idle_) co_return request_outcome::ended;
            why = make_error(error_code::request_timeout);
            co_return request_outcome::refused;
        }
        if (idle_) arm(settings_.read_timeout);
        idle_ = fresh_ = false;
    }
    req.body = parser.get().body();
    co_return request_outcome::request;
}

// Before a body is awaited: the handler may refuse it, and a client that asked is told to send it (RFC 9110
// section 10.1.1). request: the body may come.
task<session::request_outcome> session::accept_head(request const& req, api_error& why) {
    std::optional<api_error> refusal;
    try {
        refusal = co_await app_.refuse_head(req);
    } catch (std::exception const& error) {
        log::error("handler_failed", {{"message", error.what()}});
        refusal = make_error(error_code::internal_error);
    }
    if (refusal) {
        why = std::move(*refusal);
        co_return request_outcome::refused;
    }
    if (http_1_0_ || !iequals(req.header("Expect"), "100-continue")) co_return request_outcome::request;
    bool const sent = co_await write("HTTP/1.1 100 Continue\r\n\r\n", no_body);
    arm(settings_.read_timeout);
    co_return sent ? request_outcome::request : request_outcome::ended;
}

// Gives the parser what is buffered. False: the request is refused, why says so.
bool session::feed(parser_type& parser, request& req, api_error& why) {
    if (!parser.got_some()) skip_empty_lines(buffer_);
    std::size_t used = 1;
    while (!buffer_.empty() && used > 0 && !parser.is_done() && !is_torn_last_chunk(parser, buffer_.view())) {
        bool const in_head = !parser.is_header_done();
        boost::system::error_code error;
        used = parser.put(asio::buffer(buffer_.view()), error);
        buffer_.consume(used);
        if (error && error != beast_http::error::need_more) {
            why = error_of(error);
            return false;
        }
        if (!in_head || !parser.is_header_done()) continue;
        http_1_0_ = parser.get().version() < 11;
        req = make_request(parser); // before the body: trailer fields are no header fields (RFC 9110 section 6.5.1)
        if (!has_valid_framing(req, http_1_0_)) {
            why = error_of(beast_http::error::bad_field);
            return false;
        }
    }
    if (parser.is_done() || buffer_.size() <= static_cast<std::size_t>(settings_.headers_limit)) return true;
    why = make_error(error_code::headers_too_large); // a chunk's extension or a trailer without end
    return false;
}

request session::make_request(parser_type const& parser) const {
    auto const& message = parser.get();
    request req;
    req.method = std::string_view(message.method_string().data(), message.method_string().size());
    req.target = std::string_view(message.target().data(), message.target().size());
    auto const origin_form = without_origin(req.target);
    auto const question = origin_form.find('?');
    req.path = origin_form.substr(0, question);
    if (question != std::string_view::npos) req.query = origin_form.substr(question + 1);
    req.headers.reserve(16);
    for (auto const& field : message)
        req.headers.emplace_back(std::string_view(field.name_string().data(), field.name_string().size()),
                                 std::string_view(field.value().data(), field.value().size()));
    req.peer = peer_;
    return req;
}

// False: the connection is of no use any more.
task<bool> session::answer(response const& answer, bool keep_alive, bool head_only) {
    head_.clear();
    append_head(head_, answer, {keep_alive, http_1_0_});
    if (answer.stream && !head_only) {
        bool const streamed = co_await write_stream(answer);
        co_return streamed;
    }
    gather pieces;
    pieces.add(head_);
    if (!head_only) pieces.add(answer.content());
    if (!connection_.try_write(pieces)) co_return false;
    if (pieces.done()) co_return true; // as nearly always: no coroutine for it
    bool const written = co_await connection_.write(pieces, settings_.write_timeout);
    co_return written;
}

task<bool> session::write_stream(response const& answer) {
    bool sent = co_await write(head_, no_body);
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
        auto const chunk_head = begin_chunk(piece);
        sent = co_await write(chunk_head, piece);
        if (!sent) co_return false;
    }
    if (sent && !http_1_0_) sent = co_await write("0\r\n\r\n", no_body);
    co_return sent;
}

// The chunk's size line; piece gets its end (RFC 9112 section 7.1).
std::string session::begin_chunk(std::string& piece) const {
    if (http_1_0_) return {};
    char size[20];
    auto const end = std::to_chars(size, size + sizeof size, piece.size(), 16).ptr;
    piece += "\r\n";
    return std::string(size, end) + "\r\n";
}

task<bool> session::write(std::string_view head, std::string_view body) {
    gather pieces;
    pieces.add(head);
    pieces.add(body);
    bool const written = co_await connection_.write(pieces, settings_.write_timeout);
    co_return written;
}

// RFC 9112 section 9.6: a close while the client still sends would reset the connection and lose the answer.
task<void> session::linger() {
    connection_.shutdown_send();
    arm(std::chrono::milliseconds{2000});
    for (std::size_t taken = 0; taken < 1024 * 1024;) {
        buffer_.consume(buffer_.size());
        auto const outcome = co_await connection_.read(buffer_, time_left());
        if (outcome != read_outcome::data) break;
        taken += buffer_.size();
    }
    close();
}

} // namespace recruiting::http
