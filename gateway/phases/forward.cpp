#include "gateway/forwarded_head.hpp"
#include "gateway/forwarding.hpp"
#include "gateway/phases.hpp"
#include "gateway/session.hpp"

namespace recruiting::gateway {
namespace {

// Bodies up to this size are complete before they are forwarded: they fit the buffer that the head came in.
constexpr auto small_body = byte_buffer::standard_size;

bool has_small_body(client_request const& request) noexcept {
    return request.body.type == framing::kind::none ||
           (request.body.type == framing::kind::length && request.body.length <= small_body);
}

// Before the request takes one of the service's permits: a client that withholds its body takes none from others, and
// is evicted like one that withholds its head.
task<forward_outcome> await_small_body(session& s) {
    auto const limit = s.worker->settings.body_timeout;
    auto const began = s.client.now();
    auto outcome = tell_to_continue(s) ? forward_outcome::pending : forward_outcome::client_gone;
    s.list_in(s.worker->sessions.unfinished);
    while (outcome == forward_outcome::pending && !has_whole_body(s)) {
        auto const read = co_await s.client.read(s.in, limit);
        bool const slow = is_too_slow(s.in.size(), s.client.now() - began, limit);
        if (read == read_outcome::closed) outcome = forward_outcome::client_gone;
        else if (read == read_outcome::timed_out || slow) outcome = forward_outcome::body_late;
    }
    s.list_in(s.worker->sessions.busy);
    co_return outcome;
}

// A body that is passed on as it comes holds one of the service's permits for as long as its client likes, so a client
// may have only some of these in progress.
forward_progress begin_forwarding(session& s) {
    if (has_small_body(s.request)) return {.awaits_body = !has_whole_body(s)};
    if (any_contains(s.worker->settings.trusted_proxies, s.request.client)) return {};
    s.counted_upload = s.worker->shared.uploads.enter(s.request.client);
    return {.outcome = s.counted_upload ? forward_outcome::pending : forward_outcome::too_many_uploads};
}

// false: the connection is lost. What it did not take at once is left in s.unsent.
bool send_request(session& s, upstream_connection& connection) {
    s.out.clear();
    s.unsent = {};
    append_request_head(s.out, s.request, connection.host);
    if (!has_whole_body(s)) return start_upload(s, connection);
    s.unsent.add(s.out);
    s.unsent.add(s.in.view().substr(0, s.body_taken ? 0 : static_cast<std::size_t>(s.request.body.length)));
    return connection.io.try_write(s.unsent);
}

// Finds the head of the final answer; those of interim answers (RFC 9110 section 15.2) are passed over. Its views lie
// in the connection's buffer until the next read.
class answer_scanner {
public:
    enum class state { complete, incomplete, broken };

    state take(session& s, upstream_connection& connection) {
        for (;;) {
            auto const received = connection.buffer.view();
            if (received.empty()) return state::incomplete;
            auto const found = head_.scan(received);
            if (found.fault) return state::broken;
            if (found.size == 0) return state::incomplete;
            s.answer_parser.emplace(s.request.is_head());
            auto const fault = s.answer_parser->parse_head(received.substr(0, found.size), s.answer);
            connection.buffer.consume(found.size);
            if (fault || s.answer.status == 101) return state::broken;
            if (s.answer.status >= 200) return state::complete;
            if (++interim_ > most_interim) return state::broken;
            head_.reset();
        }
    }

private:
    static constexpr int most_interim = 16;
    http::head_scanner head_;
    int interim_{0};
};

// What the end of an upload means for its request.
forward_outcome outcome_of(upload const& ended) noexcept {
    switch (ended.result) {
    case relay_result::done:
    case relay_result::sink_lost: return forward_outcome::pending;
    case relay_result::source_closed: return ended.abandoned ? forward_outcome::pending : forward_outcome::client_gone;
    case relay_result::source_timed_out:
    case relay_result::source_too_slow: return forward_outcome::body_late;
    case relay_result::source_malformed: return forward_outcome::body_malformed;
    case relay_result::trailers_too_large: return forward_outcome::trailers_too_large;
    case relay_result::too_large: return forward_outcome::body_too_large;
    }
    return forward_outcome::pending;
}

// No answer came. Is it the client's doing?
call_result unanswered(session& s, call_result what) {
    if (auto const up = std::exchange(s.uploading, nullptr)) {
        what.outcome = outcome_of(*up);
        what.sent = up->job.sent_any;
        // Chunks are joined where they lie: what was taken of them can't be read again as it came.
        what.body_gone = what.sent || (up->job.chunked_out && up->parser.received() > 0);
    }
    if (s.client.is_broken()) what.outcome = forward_outcome::client_gone;
    return what;
}

// Sends the request on a connection, and relays the answer.
task<call_result> call(session& s, upstream_connection& connection) {
    using state = answer_scanner::state;
    s.client.close_when_broken(&connection.io); // a client that is gone ends what is done for it
    s.reusable = false;
    call_result what;
    what.sent = send_request(s, connection);
    auto answer = what.sent ? state::incomplete : state::broken;
    if (what.sent && !s.unsent.done()) {
        bool const written = co_await connection.io.write(s.unsent, s.worker->settings.response_timeout);
        what.silent = !written;
        if (!written) answer = state::broken;
    }
    answer_scanner scanner;
    for (bool begun = false; answer == state::incomplete; begun = true) {
        auto outcome = connection.io.try_read(connection.buffer);
        while (!outcome) {
            bool const ready = co_await connection.io.readable(response_limit(s));
            outcome = ready ? connection.io.try_read(connection.buffer) : connection.io.gave_up();
        }
        // Any other loss is no reason to call again: the service may still be at work, or does not speak HTTP.
        what.silent = *outcome == read_outcome::closed && !begun;
        answer = *outcome == read_outcome::data ? scanner.take(s, connection) : state::broken;
    }
    auto relayed = relay_start::malformed;
    if (answer == state::complete) {
        if (!s.uploading) take_body_from_buffer(s); // kept until here: another call might have needed it
        relayed = relay_answer_at_once(s, connection);
    }
    if (relayed == relay_start::malformed) {
        if (s.uploading) co_await end_upload(s, connection);
        co_return unanswered(s, what);
    }
    if (relayed == relay_start::incomplete) co_await relay_answer(s, connection);
    what.outcome = forward_outcome::answered;
    co_return what;
}

// Keeps the connection if it can be used again, or remembers the address for the next call. connection: nullptr, there
// was none.
void note_call(session& s, forward_progress& progress, upstream::lease& where, upstream::handle connection,
               tried_addresses& tried) {
    auto const& what = progress.last;
    s.client.close_when_broken(nullptr);
    if (s.calling) end_call_span(s, what, connection != nullptr);
    progress.outcome = what.outcome;
    progress.sent = progress.sent || what.sent;
    if (what.outcome == forward_outcome::answered && s.reusable) return where.give_back(std::move(connection));
    if (what.outcome != forward_outcome::pending) return;
    if (connection) service_of_request(s).counters().requests_lost.add();
    tried = {where.id(), connection && connection->reused && what.silent}; // closed while it lay idle
}

} // namespace

task<void> forward(session& s) {
    auto& to = service_of_request(s);
    auto progress = begin_forwarding(s);
    tried_addresses tried;
    auto step = next_step(s.request, progress);
    for (; step != forward_step::refuse && step != forward_step::done; step = next_step(s.request, progress)) {
        if (step == forward_step::await_body) {
            progress.outcome = co_await await_small_body(s);
            progress.awaits_body = false;
        } else if (step == forward_step::await_permit) {
            progress.has_permit = to.enter();
            if (!progress.has_permit) progress.has_permit = co_await to.wait();
            if (progress.has_permit) s.permitted_by = &to;
            else progress.outcome = forward_outcome::no_permit;
        } else if (auto where = to.next(tried)) {
            bool const again = progress.calls++ > 0;
            if (again) to.counters().retries.add();
            if (s.serving) begin_call_span(s, where.host(), again);
            // Only the first call uses a connection that lay idle: had it been closed meanwhile, so may the rest.
            auto connection = again ? nullptr : where.take_idle(!is_repeatable(s.request));
            if (!connection) connection = co_await where.connect();
            progress.last = {};
            if (connection) progress.last = co_await call(s, *connection);
            note_call(s, progress, where, std::move(connection), tried);
        } else {
            if (!progress.sent) to.counters().rejected_down.add();
            progress.outcome = forward_outcome::no_address;
        }
    }
    s.return_permits();
    if (s.download) co_await finish_answer(s);
    if (progress.outcome == forward_outcome::client_gone) s.request.keep_alive = false;
    if (step == forward_step::refuse && !refuse_at_once(s, {error_of(s.request, progress)})) co_await write_rest(s);
}

} // namespace recruiting::gateway
