// The phases forward and relay of a session.
#include "gateway/http1/forwarded_head.hpp"
#include "gateway/session.hpp"
#include "http/outage_errors.hpp"

namespace recruiting::gateway {
namespace {

task<void> run_upload(std::shared_ptr<upload> up) {
    auto result = relay_at_once(up->job);
    if (!result) {
        auto const rest = co_await relay(up->job);
        result = rest;
    }
    up->result = *result;
    up->finished = true;
    // The client is at fault: the service must not wait for more, and the session, which awaits the answer, must know.
    if (*result != relay_result::done && *result != relay_result::sink_lost) up->job.to.close();
    if (up->waiter) up->waiter.succeed(true);
}

// What the client is told when its body failed; nullopt: it is gone.
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

// A large body: as much of it as is there goes with its first piece, which spares a round of system calls.
void take_more(stream& from, byte_buffer& buffer, framing const& body) {
    if (body.type != framing::kind::length || body.length <= byte_buffer::standard_size) return;
    buffer.widen();
    static_cast<void>(from.try_read(buffer)); // an end or a fault is found again by whoever reads next
}

// While it lives, a client that is gone ends what is done for it.
class ends_with {
public:
    ends_with(stream& client, stream& work) : client_(client) { client_.close_when_broken(&work); }
    ~ends_with() { client_.close_when_broken(nullptr); }
    ends_with(ends_with const&) = delete;
    ends_with& operator=(ends_with const&) = delete;

private:
    stream& client_;
};

} // namespace

// The body's framing is in the head, so the parser reads that once more: each address that is tried gets the body from
// its beginning.
upload::upload(request_context const& x, worker const& by, stream& client, byte_buffer& in, stream& to,
               std::string head)
    : parser(by.heads, by.chunks), job{client, in, parser, to, std::move(head), x.body.type == framing::kind::chunked} {
    request_head again;
    static_cast<void>(parser.parse_head(x.head_text, again));
    job.read_limit = by.settings.body_timeout;
    job.write_limit = by.settings.answer_timeout;
    job.least_rate = static_cast<std::uint64_t>(by.settings.body_rate);
}

upstream& session::service_of_request() noexcept { return worker_.upstreams[static_cast<std::size_t>(x_.to->to)]; }

std::chrono::milliseconds session::answer_limit() const noexcept {
    bool const may_run = x_.head.method == "POST" && x_.to->to == service::auth_api;
    return may_run ? worker_.settings.run_timeout : worker_.settings.answer_timeout;
}

task<void> session::forward() {
    auto& to = service_of_request();
    if (!to.enter()) {
        bool const entered = co_await to.wait();
        if (!entered) {
            co_await refuse(http::not_forwarded(), false);
            co_return;
        }
    }
    api_error why;
    loss what;
    tried_addresses tried;
    auto outcome = attempt_outcome::lost;
    bool again = false;
    for (what.tries_left = to.policy().tries - 1;; --what.tries_left, again = true) {
        auto where = to.next(tried);
        if (!where) {
            outcome = refuse_for_want(to, what, why);
            break;
        }
        what.sent = what.silent = false;
        if (serving_) begin_call_span(where.host(), to.policy().tries - 1 - what.tries_left);
        // Only the first try uses a connection that lay idle: had it been closed meanwhile, so may the rest.
        auto connection = again ? nullptr : where.take_idle(!is_repeatable(x_));
        if (!connection) connection = co_await where.connect();
        outcome = attempt_outcome::lost;
        if (connection) outcome = co_await attempt(*connection, what, why);
        if (calling_) end_call_span(outcome, what, connection != nullptr);
        note_outcome(where, std::move(connection), outcome, what, tried);
        if (outcome != attempt_outcome::lost) break;
        outcome = judge_loss(to, what, why);
        if (outcome != attempt_outcome::lost) break;
    }
    to.leave();
    if (outcome == attempt_outcome::client_gone) x_.keep_alive = false;
    if (outcome == attempt_outcome::refused) co_await refuse(std::move(why), false);
}

session::attempt_outcome session::refuse_for_want(upstream& of, loss const& what, api_error& why) {
    of.counters().refused_down.add();
    why = error_after(x_, loss_action::unavailable, what);
    return attempt_outcome::refused;
}

// What an attempt tells of its address, and whether its connection serves again. connection: nullptr, there was none.
void session::note_outcome(upstream::lease& where, upstream::handle connection, attempt_outcome outcome,
                           loss const& what, tried_addresses& tried) {
    if (!connection) return tried.add(where.id());
    if (outcome == attempt_outcome::answered && !x_.truncated) where.note_success();
    if (outcome == attempt_outcome::answered && reusable_) where.give_back(std::move(connection));
    if (outcome != attempt_outcome::lost) return;
    service_of_request().counters().losses.add();
    bool const was_stale = connection->reused && what.silent; // closed while it lay idle: the address is not at fault
    if (was_stale) return tried.avoid(where.id());
    where.note_loss();
    tried.add(where.id());
}

// lost: it may be tried again.
session::attempt_outcome session::judge_loss(upstream& of, loss& what, api_error& why) {
    auto const action = after_loss(x_, what);
    if (action != loss_action::retry) {
        why = error_after(x_, action, what);
        return attempt_outcome::refused;
    }
    of.counters().retries.add();
    what.sent_before = what.sent_before || what.sent;
    return attempt_outcome::lost;
}

task<session::attempt_outcome> session::attempt(upstream_connection& connection, loss& what, api_error& why) {
    ends_with const guard(client_, connection.io);
    reusable_ = false;
    bool answered = send_request(connection, what);
    if (answered && !unsent_.done()) {
        bool const sent = co_await connection.io.write(unsent_, worker_.settings.answer_timeout);
        answered = sent;
        what.silent = !sent;
    }
    head_gate gate;
    int interim = 0;
    auto state = answered ? answer_state::incomplete : answer_state::broken;
    for (bool begun = false; state == answer_state::incomplete; begun = true) {
        auto outcome = connection.io.try_read(connection.buffer);
        while (!outcome) {
            bool const ready = co_await connection.io.readable(answer_limit());
            outcome = ready ? connection.io.try_read(connection.buffer) : connection.io.gave_up();
        }
        // Any other loss is no reason to try again: the service may still be at work, or does not speak HTTP.
        what.silent = *outcome == read_outcome::closed && !begun;
        state = *outcome == read_outcome::data ? take_answer(connection, gate, interim) : answer_state::broken;
    }
    answered = state == answer_state::complete;
    if (!answered) {
        if (upload_) co_await end_upload(connection);
        co_return unanswered(what, why);
    }
    if (!upload_) take_body_from_buffer(); // kept until here: another try might have needed it
    begin_answer(connection);
    auto result = relay_at_once(*download_);
    if (!result) {
        auto const rest = co_await relay(*download_);
        result = rest;
    }
    if (upload_) co_await end_upload(connection);
    end_answer(connection, *result);
    co_return attempt_outcome::answered;
}

// No answer came. Is it the client's doing?
session::attempt_outcome session::unanswered(loss& what, api_error& why) {
    auto const up = std::exchange(upload_, nullptr);
    if (up) what.sent = what.body_gone = up->job.sent_any;
    if (client_.is_broken()) return attempt_outcome::client_gone;
    if (!up || up->result == relay_result::done || up->result == relay_result::sink_lost) return attempt_outcome::lost;
    auto const fault = fault_of(up->result);
    if (!fault) return attempt_outcome::client_gone;
    why = *fault;
    return attempt_outcome::refused;
}

// false: the connection is lost. What it did not take at once is left in unsent_.
bool session::send_request(upstream_connection& connection, loss& what) {
    out_.clear();
    unsent_ = {};
    append_request_head(out_, x_, connection.host);
    bool const here = x_.body.type == framing::kind::length && in_.size() >= x_.body.length;
    if (!body_taken_ && !here) {
        what.sent = true;
        return start_upload(connection);
    }
    unsent_.add(out_);
    unsent_.add(in_.view().substr(0, body_taken_ ? 0 : static_cast<std::size_t>(x_.body.length)));
    what.sent = connection.io.try_write(unsent_);
    return what.sent;
}

bool session::start_upload(upstream_connection& connection) {
    if (x_.expects_continue && in_.empty()) {
        gather out;
        out.add("HTTP/1.1 100 Continue\r\n\r\n");
        if (!client_.try_write(out) || !out.done()) {
            client_.close(); // it takes nothing: no fault of the service
            return false;
        }
        x_.expects_continue = false; // once, however many addresses are tried
    }
    take_more(client_, in_, x_.body);
    auto const limit = worker_.settings.body_limits[static_cast<std::size_t>(x_.to->to)];
    upload_ = std::make_shared<upload>(x_, worker_, client_, in_, connection.io, out_);
    upload_->job.limit = static_cast<std::uint64_t>(limit);
    spawn(worker_.context, run_upload(upload_));
    return true;
}

// The head of the final answer; those of interim answers (RFC 9110 section 15.2) are passed over. Its views lie in the
// connection's buffer until the next read.
session::answer_state session::take_answer(upstream_connection& connection, head_gate& gate, int& interim) {
    constexpr int most_interim = 16;
    for (;;) {
        auto const received = connection.buffer.view();
        if (received.empty()) return answer_state::incomplete;
        auto const found = gate.look(received, worker_.heads);
        if (found.fault) return answer_state::broken;
        if (found.size == 0) return answer_state::incomplete;
        answer_parser_.emplace(x_.is_head(), worker_.heads);
        auto const fault = answer_parser_->parse_head(received.substr(0, found.size), answer_);
        connection.buffer.consume(found.size);
        if (fault || answer_.status == 101) return answer_state::broken;
        if (answer_.status >= 200) return answer_state::complete;
        if (++interim > most_interim) return answer_state::broken;
        gate.reset();
    }
}

void session::begin_answer(upstream_connection& connection) {
    auto const options = read_connection(answer_.fields);
    auto const down = choose_downstream(x_, answer_.body);
    bool const uploading = upload_ && !upload_->finished;
    bool const upload_failed = upload_ && upload_->finished && upload_->result != relay_result::done;
    x_.keep_alive = x_.keep_alive && !down.until_close && !uploading && !upload_failed && !worker_.draining;
    x_.status = answer_.status;
    out_.clear();
    append_response_head(out_, answer_, down, x_);
    x_.sent = out_.size();
    reusable_ = answer_.minor_version == 1 && !options.close && answer_.body.type != framing::kind::until_close;
    download_.emplace(
        relay_job{connection.io, connection.buffer, *answer_parser_, client_, std::move(out_), down.chunked});
    download_->read_limit = answer_limit();
    download_->write_limit = worker_.settings.write_timeout;
    take_more(connection.io, connection.buffer, answer_.body); // the answer's views are of no use from here on
}

void session::end_answer(upstream_connection& connection, relay_result result) {
    out_ = std::move(download_->prefix);
    x_.sent += download_->written;
    download_.reset();
    upload_.reset();
    reusable_ = reusable_ && result == relay_result::done && body_taken_ && connection.buffer.empty();
    if (result == relay_result::done) return;
    x_.truncated = true;
    x_.keep_alive = false;
    if (result != relay_result::sink_lost && !client_.is_broken()) service_of_request().counters().losses.add();
}

// Waits until nothing touches the client's stream but the session. An upload that goes on is of no use any more.
task<void> session::end_upload(upstream_connection& connection) {
    if (!upload_->finished) {
        connection.io.close();
        client_.cancel();
        auto const wait = [up = upload_](completion<bool> resume) { up->waiter = std::move(resume); };
        co_await suspend<bool>(worker_.context.get_executor(), wait);
    }
    body_taken_ = upload_->result == relay_result::done;
    x_.received = upload_->parser.received();
}

} // namespace recruiting::gateway
