#include "gateway/forwarded_head.hpp"
#include "gateway/phases.hpp"
#include "gateway/session.hpp"
#include "http/problem.hpp"

namespace recruiting::gateway {
namespace {

enum class answer_state { complete, incomplete, broken };

bool is_safe(std::string_view method) noexcept { return method == "GET" || method == "HEAD"; }

// May the same request be made twice (RFC 9110 section 9.2.2; an Idempotency-Key makes a POST to /api/v1 so)?
bool is_repeatable(request_context const& x) noexcept {
    auto const method = x.head.method;
    if (is_safe(method) || method == "OPTIONS" || method == "PUT" || method == "DELETE") return true;
    return method == "POST" && x.to != nullptr && x.to->takes_credentials() &&
           x.head.fields.has(field_id::idempotency_key);
}

// Keeps the attempt's connection if that can be used again, or remembers the address for the next attempt. connection:
// nullptr, there was none.
void note_outcome(session& s, upstream::lease& where, upstream::handle connection, attempt_outcome outcome,
                  loss const& what, tried_addresses& tried) {
    if (outcome == attempt_outcome::answered && s.reusable) return where.give_back(std::move(connection));
    if (outcome != attempt_outcome::lost) return;
    if (connection) service_of_request(s).counters().requests_lost.add();
    tried = {where.id(), connection && connection->reused && what.silent}; // closed while it lay idle
}

// The client's error when its body failed; nullopt: the client is gone.
std::optional<api_error> fault_of(relay_result result) {
    switch (result) {
    case relay_result::source_timed_out:
    case relay_result::source_too_slow: return make_error(error_code::request_timeout);
    case relay_result::trailers_too_large: return make_error(error_code::headers_too_large);
    case relay_result::too_large: return make_error(error_code::payload_too_large);
    case relay_result::source_malformed:
        return invalid_request({{"body", "", "invalid", "The body's chunks are not valid HTTP/1.1."}});
    default: return std::nullopt;
    }
}

// No answer came. Is it the client's doing?
attempt_outcome unanswered(session& s, loss& what, api_error& why) {
    auto const up = std::exchange(s.uploading, nullptr);
    if (up) what.sent = up->job.sent_any;
    // Chunks are joined where they lie: what was taken of them can't be read again as it came.
    if (up) what.body_gone = what.sent || (up->job.chunked_out && up->parser.received() > 0);
    if (s.client.is_broken()) return attempt_outcome::client_gone;
    bool const was_ended_here = up && up->abandoned && up->result == relay_result::source_closed;
    if (!up || was_ended_here || up->result == relay_result::done || up->result == relay_result::sink_lost)
        return attempt_outcome::lost;
    auto const fault = fault_of(up->result);
    if (!fault) return attempt_outcome::client_gone;
    why = *fault;
    return attempt_outcome::refused;
}

// false: the connection is lost. What it did not take at once is left in s.unsent.
bool send_request(session& s, upstream_connection& connection, loss& what) {
    s.out.clear();
    s.unsent = {};
    append_request_head(s.out, s.x, connection.host);
    if (!has_whole_body(s)) {
        what.sent = true;
        return start_upload(s, connection);
    }
    s.unsent.add(s.out);
    s.unsent.add(s.in.view().substr(0, s.body_taken ? 0 : static_cast<std::size_t>(s.x.body.length)));
    what.sent = connection.io.try_write(s.unsent);
    return what.sent;
}

// The head of the final answer; those of interim answers (RFC 9110 section 15.2) are passed over. Its views lie in the
// connection's buffer until the next read.
answer_state take_answer(session& s, upstream_connection& connection, head_scanner& gate, int& interim) {
    constexpr int most_interim = 16;
    for (;;) {
        auto const received = connection.buffer.view();
        if (received.empty()) return answer_state::incomplete;
        auto const found = gate.scan(received);
        if (found.fault) return answer_state::broken;
        if (found.size == 0) return answer_state::incomplete;
        s.answer_parser.emplace(s.x.is_head());
        auto const fault = s.answer_parser->parse_head(received.substr(0, found.size), s.answer);
        connection.buffer.consume(found.size);
        if (fault || s.answer.status == 101) return answer_state::broken;
        if (s.answer.status >= 200) return answer_state::complete;
        if (++interim > most_interim) return answer_state::broken;
        gate.reset();
    }
}

// Bodies up to this size are complete before they are forwarded: they fit the buffer that the head came in.
constexpr auto small_body = byte_buffer::standard_size;

bool has_small_body(request_context const& x) noexcept {
    return x.body.type == framing::kind::none || (x.body.type == framing::kind::length && x.body.length <= small_body);
}

// Before the request takes one of the service's places: a client that withholds its body takes none from others, and is
// evicted like one that withholds its head. lost: the body is here, and the request may be tried.
task<attempt_outcome> await_small_body(session& s, api_error& why) {
    auto const& settings = s.by.settings;
    auto const began = s.client.now();
    auto outcome = tell_to_continue(s) ? attempt_outcome::lost : attempt_outcome::client_gone;
    s.list_in(s.by.sessions.unfinished);
    while (outcome == attempt_outcome::lost && !has_whole_body(s)) {
        auto const read = co_await s.client.read(s.in, settings.body_timeout);
        bool const slow = is_too_slow(s.in.size(), s.client.now() - began, settings.body_timeout);
        if (read == read_outcome::closed) outcome = attempt_outcome::client_gone;
        else if (read == read_outcome::timed_out || slow) outcome = attempt_outcome::refused;
    }
    s.list_in(s.by.sessions.busy);
    why = make_error(error_code::request_timeout);
    co_return outcome;
}

// A body that is passed on as it comes holds one of the service's places for as long as its client likes. false: the
// client has too many of these.
bool enter_upload(session& s) {
    if (has_small_body(s.x) || any_contains(s.by.settings.trusted_proxies, s.x.client)) return true;
    return s.counted_upload = s.by.shared.uploads.enter(s.x.client);
}

api_error too_many_uploads() {
    auto error = make_error(error_code::rate_limited);
    error.retry_after_seconds = 1;
    error.details.push_back(
        {"limit", "uploads", "gateway", "This client sends too many large request bodies at the same time."});
    return error;
}

task<attempt_outcome> attempt(session& s, upstream_connection& connection, loss& what, api_error& why) {
    s.client.close_when_broken(&connection.io); // a client that is gone ends what is done for it
    s.reusable = false;
    bool answered = send_request(s, connection, what);
    if (answered && !s.unsent.done()) {
        bool const sent = co_await connection.io.write(s.unsent, s.by.settings.response_timeout);
        answered = sent;
        what.silent = !sent;
    }
    head_scanner gate;
    int interim = 0;
    auto state = answered ? answer_state::incomplete : answer_state::broken;
    for (bool begun = false; state == answer_state::incomplete; begun = true) {
        auto outcome = connection.io.try_read(connection.buffer);
        while (!outcome) {
            bool const ready = co_await connection.io.readable(response_limit(s));
            outcome = ready ? connection.io.try_read(connection.buffer) : connection.io.gave_up();
        }
        // Any other loss is no reason to try again: the service may still be at work, or does not speak HTTP.
        what.silent = *outcome == read_outcome::closed && !begun;
        state = *outcome == read_outcome::data ? take_answer(s, connection, gate, interim) : answer_state::broken;
    }
    auto relayed = relay_start::malformed;
    if (state == answer_state::complete) {
        if (!s.uploading) take_body_from_buffer(s); // kept until here: another try might have needed it
        relayed = relay_answer_at_once(s, connection);
    }
    if (relayed == relay_start::malformed) {
        if (s.uploading) co_await end_upload(s, connection);
        co_return unanswered(s, what, why);
    }
    if (relayed == relay_start::incomplete) co_await relay_answer(s, connection);
    co_return attempt_outcome::answered;
}

} // namespace

std::optional<api_error> after_loss(request_context const& x, loss const& what) {
    bool const safe = what.silent && is_safe(x.head.method);
    if (!what.last && !what.body_gone && (!what.sent || safe)) return std::nullopt;
    if (!what.sent && !what.sent_before) return http::not_forwarded();
    if (!is_repeatable(x)) return http::outcome_unknown_without_key();
    return x.head.method == "POST" ? http::outcome_unknown_with_key() : make_error(error_code::service_unavailable);
}

task<void> forward(session& s) {
    auto& to = service_of_request(s);
    auto outcome = attempt_outcome::lost;
    api_error why;
    if (has_small_body(s.x) && !has_whole_body(s)) {
        auto const awaited = co_await await_small_body(s, why);
        outcome = awaited;
    }
    if (outcome == attempt_outcome::lost && !enter_upload(s)) {
        outcome = attempt_outcome::refused;
        why = too_many_uploads();
    }
    bool entered = outcome == attempt_outcome::lost && to.enter();
    if (outcome == attempt_outcome::lost && !entered) {
        bool const called = co_await to.wait();
        entered = called;
        if (!entered) {
            outcome = attempt_outcome::refused;
            why = http::not_forwarded();
        }
    }
    if (entered) s.permitted_by = &to;
    loss what;
    tried_addresses tried;
    for (bool again = false; outcome == attempt_outcome::lost; again = true) {
        auto where = to.next(tried);
        what.last = again || !where;
        what.sent = what.silent = false;
        if (where) {
            if (again) to.counters().retries.add();
            if (s.serving) begin_call_span(s, where.host(), again);
            // Only the first attempt uses a connection that lay idle: had it been closed meanwhile, so may the rest.
            auto connection = again ? nullptr : where.take_idle(!is_repeatable(s.x));
            if (!connection) connection = co_await where.connect();
            if (connection) outcome = co_await attempt(s, *connection, what, why);
            s.client.close_when_broken(nullptr);
            if (s.calling) end_call_span(s, outcome, what, connection != nullptr);
            note_outcome(s, where, std::move(connection), outcome, what, tried);
        } else if (!what.sent_before) {
            to.counters().rejected_down.add();
        }
        if (outcome != attempt_outcome::lost) break;
        if (auto error = after_loss(s.x, what)) {
            why = std::move(*error);
            outcome = attempt_outcome::refused;
        } else {
            what.sent_before = what.sent;
        }
    }
    s.return_permits();
    if (s.download) co_await finish_answer(s);
    if (outcome == attempt_outcome::client_gone) s.x.keep_alive = false;
    if (outcome == attempt_outcome::refused && !refuse_at_once(s, {std::move(why)})) co_await write_rest(s);
}

} // namespace recruiting::gateway
