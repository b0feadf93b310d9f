#include "http/session.hpp"

#include "core/ids.hpp"
#include "core/log.hpp"
#include "core/text.hpp"
#include "http/handler.hpp"
#include "http/message.hpp"
#include "http/problem.hpp"

#include <algorithm>

namespace recruiting::http {
namespace {

constexpr std::string_view no_body;

// What connects by a unix socket is on this machine.
std::string peer_of(socket_address const& remote) {
    return remote.protocol().family() == AF_UNIX ? "127.0.0.1" : tcp_endpoint_of(remote).address().to_string();
}

// One limit for all of a head. Of fields there may be more than the gateway takes from clients: it adds its own.
head_limits limits_of(server_settings const& settings) noexcept {
    auto const all = static_cast<std::size_t>(settings.headers_limit);
    return {.head = all, .target = all, .line = all, .fields = 128};
}

api_error refusal_of(head_fault fault) {
    if (fault == head_fault::too_large || fault == head_fault::target_too_long)
        return make_error(error_code::headers_too_large);
    auto refused = make_error(error_code::invalid_request);
    refused.message = "The request is not valid HTTP/1.1.";
    return refused;
}

// RFC 9112 section 3.2.
bool is_one_host(head_fields const& fields) {
    return fields.has_one(field_id::host) && is_authority(fields.value(field_id::host));
}

} // namespace

session::session(stream_socket socket, socket_address const& remote, stream_watch& watch,
                 server_settings const& settings, handler& app)
    : settings_(settings), limits_(limits_of(settings)), app_(app), peer_(peer_of(remote)),
      connection_(std::move(socket), watch) {}

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

task<void> session::serve_requests() {
    for (;;) {
        request req;
        api_error why;
        auto const outcome = co_await read_request(req, why);
        if (outcome == request_outcome::ended) co_return close();
        if (outcome == request_outcome::refused) {
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
        bool const keep_alive = client_stays_ && !last_ && !reply.close;
        bool const written = co_await answer(reply, keep_alive, req.method == "HEAD");
        if (!written) co_return close();
        if (keep_alive) continue;
        if (client_stays_) co_return co_await linger(); // it does not know yet, and may be sending
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

task<session::request_outcome> session::read_request(request& req, api_error& why) {
    idle_ = skip_empty_lines();
    if (idle_ && draining_ && !fresh_) co_return request_outcome::ended;
    arm(idle_ ? settings_.idle_timeout : settings_.read_timeout);
    req.peer = peer_;
    head_text_.clear();
    head_.clear();
    body_ = std::string(); // gives back the room of a large one
    scanner_.reset();
    parser_.emplace(limits_);
    bool accepted = false; // its head, with a body to come
    for (;;) {
        auto refusal = head_text_.empty() ? take_head(req) : std::nullopt;
        bool const has_head = !head_text_.empty();
        if (!refusal && has_head) refusal = take_body();
        if (refusal) {
            why = std::move(*refusal);
            co_return request_outcome::refused;
        }
        if (parser_->finished()) break;
        if (has_head && !accepted) {
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
            if (!has_head) read_lines(req);
            why = make_error(error_code::request_timeout);
            co_return request_outcome::refused;
        }
        if (!has_head && skip_empty_lines()) continue;
        if (idle_) arm(settings_.read_timeout);
        idle_ = fresh_ = false;
    }
    req.body = body_;
    co_return request_outcome::request;
}

// Before a body is awaited: the handler may refuse it, and a client that asked gets 100 (Continue) (RFC 9110
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

// RFC 9112 section 2.2: empty lines before a request are left over from a careless client's last one. true: nothing of
// a request has come yet.
bool session::skip_empty_lines() noexcept {
    while (buffer_.view().starts_with("\r\n")) buffer_.consume(2);
    return buffer_.empty() || buffer_.view() == "\r";
}

// Parses the head as soon as all of it is there.
std::optional<api_error> session::take_head(request& req) {
    if (skip_empty_lines()) return std::nullopt;
    auto const received = buffer_.view();
    auto const found = scanner_.scan(received, limits_);
    if (found.fault) {
        read_lines(req);
        return refusal_of(*found.fault);
    }
    if (found.size == 0) return std::nullopt;
    head_text_.assign(received.substr(0, found.size));
    buffer_.consume(found.size);
    if (auto const fault = read_head(req)) return refusal_of(*fault);
    auto const connection = read_connection(head_.fields);
    client_stays_ = !connection.close && !http_1_0_;
    bool const has_host = head_.fields.has(field_id::host) ? is_one_host(head_.fields) : http_1_0_;
    if (!has_host || where_.path.empty() || connection.refused) return refusal_of(head_fault::malformed);
    bool const too_large = head_.body.length > static_cast<std::uint64_t>(settings_.body_limit);
    return too_large ? std::optional(make_error(error_code::payload_too_large)) : std::nullopt;
}

// Reads the lines that are there of a head that is refused before its end: they may say whose request it is.
void session::read_lines(request& req) {
    auto const lines = buffer_.view().substr(0, limits_.head);
    head_text_.assign(lines.substr(0, lines.rfind("\r\n"))).append("\r\n\r\n");
    static_cast<void>(read_head(req));
}

std::optional<head_fault> session::read_head(request& req) {
    auto const fault = parser_->parse_head(head_text_, head_);
    static_cast<void>(split_target(head_.target, where_)); // what has no form has no path
    http_1_0_ = head_.minor_version == 0;
    req = make_request();
    return fault;
}

// Takes what there is of the body.
std::optional<api_error> session::take_body() {
    auto const step = parser_->next(buffer_.bytes());
    body_.append(step.content);
    buffer_.consume(step.consumed);
    if (step.fault == body_fault::trailers_too_large) return refusal_of(head_fault::too_large);
    if (step.fault == body_fault::malformed) return refusal_of(head_fault::malformed);
    bool const too_large = parser_->received() > static_cast<std::uint64_t>(settings_.body_limit);
    return too_large ? std::optional(make_error(error_code::payload_too_large)) : std::nullopt;
}

request session::make_request() const {
    request req;
    req.method = head_.method;
    req.target = head_.target;
    req.path = where_.path;
    req.query = where_.query.substr(where_.query.empty() ? 0 : 1);
    req.headers.reserve(head_.fields.list.size());
    for (auto const& one : head_.fields.list) req.headers.emplace_back(one.name, one.value);
    req.peer = peer_;
    return req;
}

// False: the connection can't be used further.
task<bool> session::answer(response const& answer, bool keep_alive, bool head_only) {
    out_.clear();
    append_head(out_, answer, {keep_alive, http_1_0_});
    if (answer.stream && !head_only) {
        bool const streamed = co_await write_stream(answer);
        co_return streamed;
    }
    gather pieces;
    pieces.add(out_);
    if (!head_only) pieces.add(answer.content());
    if (!connection_.try_write(pieces)) co_return false;
    if (pieces.done()) co_return true; // as nearly always: no coroutine for it
    bool const written = co_await connection_.write(pieces, settings_.write_timeout);
    co_return written;
}

task<bool> session::write_stream(response const& answer) {
    bool sent = co_await write(out_, no_body);
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
