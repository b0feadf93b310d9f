#include "gateway/forwarded_head.hpp"
#include "gateway/phases.hpp"
#include "gateway/session.hpp"

#include <algorithm>

namespace recruiting::gateway {
namespace {

task<void> run_upload(std::shared_ptr<upload> up) {
    auto result = relay_at_once(up->job);
    if (!result) {
        auto const rest = co_await relay(up->job);
        result = rest;
    }
    if (*result == relay_result::done && !up->job.out.done()) {
        bool const written = co_await finish_writing(up->job);
        if (!written) result = relay_result::sink_lost;
    }
    if (*result == relay_result::done) drop_piece(up->job);
    up->result = *result;
    up->finished = true;
    // The client is at fault: the service must not wait for more, and the session, which awaits the answer, must know.
    if (*result != relay_result::done && *result != relay_result::sink_lost) up->job.to.close();
    if (up->waiter) up->waiter.succeed(true);
}

// A large body: as much of it as is there goes with its first piece, which spares a round of system calls.
void take_more(stream& from, byte_buffer& buffer, framing const& body) {
    if (body.type != framing::kind::length || body.length <= byte_buffer::standard_size) return;
    buffer.widen();
    static_cast<void>(from.try_read(buffer)); // the next read finds an end or a fault again
}

void watch_client(session& s, relay_job& job) {
    job.client = &s.client;
    job.on_client_wait = [&s](bool begins) { s.note_client_wait(begins); };
}

void begin_answer(session& s, upstream_connection& connection) {
    auto const options = http::read_connection(s.answer.fields);
    auto const down = choose_downstream(s.request, s.answer.body);
    bool const uploaded = !s.uploading || (s.uploading->finished && s.uploading->result == relay_result::done);
    s.request.keep_alive = s.request.keep_alive && !down.until_close && uploaded && !s.worker->draining;
    s.request.status = s.answer.status;
    s.out.clear();
    append_response_head(s.out, s.answer, down, s.request);
    s.request.sent = s.out.size();
    s.reusable = s.answer.minor_version == 1 && !options.close && s.answer.body.type != framing::kind::until_close;
    s.download.emplace(
        relay_job{connection.io, connection.buffer, *s.answer_parser, s.client, std::move(s.out), down.chunked});
    s.download->read_limit = response_limit(s);
    s.download->write_limit = s.worker->settings.write_timeout;
    watch_client(s, *s.download);
    take_more(connection.io, connection.buffer, s.answer.body); // the answer's views are of no use from here on
}

void end_answer(session& s) {
    s.request.sent += s.download->written;
    s.request.sent -= std::min<std::uint64_t>(s.request.sent, s.download->out.size());
    s.out = std::move(s.download->prefix);
    s.download.reset();
}

void truncate_answer(session& s) noexcept {
    s.request.truncated = true;
    s.request.keep_alive = false;
}

// Drops an answer of which nothing was sent, so that the client can get another one.
void withdraw_answer(session& s) noexcept {
    s.out = std::move(s.download->prefix);
    s.download.reset();
    s.request.status = 0;
    s.request.sent = 0;
    s.reusable = false;
}

// The service has done its part. What the client has yet to take of it leaves the service's connection, which others
// can use.
void end_call(session& s, upstream_connection& connection, relay_result result) {
    auto& job = *s.download;
    bool const is_whole = connection.buffer.size() == job.consumed; // nothing follows the answer
    bool const unread = result == relay_result::done && !job.out.done();
    s.uploading.reset();
    s.reusable = s.reusable && result == relay_result::done && s.body_taken && is_whole;
    if (unread) return s.unread.swap(connection.buffer);
    connection.buffer.consume(job.consumed);
    end_answer(s);
    if (result == relay_result::done) return;
    truncate_answer(s);
    if (result != relay_result::sink_lost && !s.client.is_broken())
        service_of_request(s).counters().requests_lost.add();
}

} // namespace

// The body's framing is in the head, so the parser reads that once more: each address that is tried gets the body from
// its beginning.
upload::upload(session& s, stream& to)
    : job{s.client, s.in, parser, to, s.out, s.request.body.type == framing::kind::chunked} {
    http::request_head again;
    static_cast<void>(parser.parse_head(s.request.head_text, again));
    job.limit = static_cast<std::uint64_t>(s.worker->settings.body_limits[static_cast<std::size_t>(s.request.to->to)]);
    job.read_limit = s.worker->settings.body_timeout;
    job.write_limit = s.worker->settings.response_timeout;
    watch_client(s, job);
}

bool has_whole_body(session const& s) noexcept {
    return s.body_taken || (s.request.body.type == framing::kind::length && s.in.size() >= s.request.body.length);
}

void take_body_from_buffer(session& s) noexcept {
    if (s.body_taken || !has_whole_body(s)) return;
    s.in.consume(static_cast<std::size_t>(s.request.body.length));
    s.request.received = s.request.body.length;
    s.body_taken = true;
}

upstream& service_of_request(session& s) noexcept {
    return s.worker->upstreams[static_cast<std::size_t>(s.request.to->to)];
}

std::chrono::milliseconds response_limit(session const& s) noexcept {
    bool const may_run = s.request.head.method == "POST" && s.request.to->to == service::auth_api;
    return may_run ? s.worker->settings.run_timeout : s.worker->settings.response_timeout;
}

bool tell_to_continue(session& s) {
    if (!s.request.expects_continue || !s.in.empty()) return true;
    s.request.expects_continue = false; // once, however many addresses are tried
    gather out;
    out.add("HTTP/1.1 100 Continue\r\n\r\n");
    if (s.client.try_write(out) && out.done()) return true;
    s.client.close(); // it takes nothing: no fault of the service
    return false;
}

bool start_upload(session& s, upstream_connection& connection) {
    if (!tell_to_continue(s)) return false;
    take_more(s.client, s.in, s.request.body);
    s.uploading = std::make_shared<upload>(s, connection.io);
    spawn(s.worker->context, run_upload(s.uploading));
    return true;
}

task<void> end_upload(session& s, upstream_connection& connection) {
    if (!s.uploading->finished) {
        s.uploading->abandoned = true;
        connection.io.close();
        s.client.cancel();
        auto const wait = [up = s.uploading](completion<bool> resume) { up->waiter = std::move(resume); };
        co_await suspend<bool>(s.worker->context.get_executor(), wait);
    }
    s.body_taken = s.uploading->result == relay_result::done;
    s.request.received = s.uploading->parser.received();
}

relay_start relay_answer_at_once(session& s, upstream_connection& connection) {
    bool const keep_alive = s.request.keep_alive;
    begin_answer(s, connection);
    s.relayed = relay_at_once(*s.download);
    bool const is_malformed =
        s.relayed == relay_result::source_malformed || s.relayed == relay_result::trailers_too_large;
    if (is_malformed) {
        s.request.keep_alive = keep_alive;
        withdraw_answer(s);
        return relay_start::malformed;
    }
    if (!s.relayed || s.uploading) return relay_start::incomplete;
    end_call(s, connection, *s.relayed);
    return relay_start::complete;
}

task<void> relay_answer(session& s, upstream_connection& connection) {
    if (!s.relayed) {
        auto const rest = co_await relay(*s.download);
        s.relayed = rest;
    }
    // A client that reads nothing before it has sent all of its body goes on sending.
    if (s.uploading && !s.uploading->finished && !s.download->out.done() && *s.relayed == relay_result::done) {
        bool const written = co_await finish_writing(*s.download);
        if (!written) s.relayed = relay_result::sink_lost;
    }
    if (s.uploading) co_await end_upload(s, connection);
    end_call(s, connection, *s.relayed);
}

task<void> finish_answer(session& s) {
    bool const written = co_await finish_writing(*s.download);
    if (!written) truncate_answer(s);
    end_answer(s);
    s.unread.consume(s.unread.size());
    s.unread.rest();
}

} // namespace recruiting::gateway
