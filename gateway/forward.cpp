// The phases forward and relay of a session.
#include "gateway/rewrite.hpp"
#include "gateway/session.hpp"

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
        return invalid_request({{"body", "", "malformed", "The body's chunks are not valid HTTP/1.1."}});
    default: return std::nullopt;
    }
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

upstream& session::service_of_request() noexcept { return worker_.upstreams[static_cast<std::size_t>(x_.to->to)]; }

std::chrono::milliseconds session::answer_limit() const noexcept {
    bool const may_run = x_.head.method == "POST" && x_.to->to == service::auth_api;
    return may_run ? worker_.settings.run_timeout : worker_.settings.answer_timeout;
}

task<void> session::forward() {
    auto& to = service_of_request();
    loss what;
    for (;; ++what.attempt) {
        upstream::handle connection;
        if (what.attempt == 0) connection = to.take_idle(!is_repeatable(x_));
        if (!connection) connection = co_await to.connect();
        if (!connection) {
            co_await refuse(make_error(error_code::service_unavailable), false);
            co_return;
        }
        what.reused = connection->reused;
        api_error why;
        auto const outcome = co_await attempt(*connection, what, why);
        if (outcome == attempt_outcome::answered && reusable_) to.give_back(std::move(connection));
        if (outcome == attempt_outcome::answered) co_return;
        if (outcome == attempt_outcome::client_gone) {
            x_.keep_alive = false;
            co_return;
        }
        if (outcome == attempt_outcome::lost) {
            to.counters().losses.add();
            auto const action = after_loss(x_, what);
            if (action == loss_action::retry) continue;
            why = make_error(action == loss_action::unavailable ? error_code::service_unavailable
                                                                : error_code::outcome_unknown);
        }
        co_await refuse(std::move(why), false);
        co_return;
    }
}

task<session::attempt_outcome> session::attempt(upstream_connection& connection, loss& what, api_error& why) {
    ends_with const guard(client_, connection.io);
    reusable_ = false;
    bool answered = send_request(connection, what);
    if (answered && !unsent_.done()) {
        bool const sent = co_await connection.io.write(unsent_, worker_.settings.answer_timeout);
        answered = sent;
    }
    if (answered && !upload_) take_body_from_buffer();
    if (answered) {
        bool const read = co_await read_answer(connection, what);
        answered = read;
    }
    auto const body = answered ? response_framing(answer_, x_.is_head()) : std::nullopt;
    if (body) {
        auto job = begin_answer(connection, *body);
        auto result = relay_at_once(job);
        if (!result) {
            auto const rest = co_await relay(job);
            result = rest;
        }
        if (upload_) co_await end_upload(connection);
        end_answer(connection, job, *result);
        co_return attempt_outcome::answered;
    }
    if (upload_) co_await end_upload(connection);
    auto const up = std::exchange(upload_, nullptr);
    if (client_.is_broken()) co_return attempt_outcome::client_gone;
    if (!up || up->result == relay_result::done || up->result == relay_result::sink_lost)
        co_return attempt_outcome::lost;
    auto const fault = fault_of(up->result);
    if (!fault) co_return attempt_outcome::client_gone;
    why = *fault;
    co_return attempt_outcome::refused;
}

// false: the connection is lost. What it did not take at once is left in unsent_.
bool session::send_request(upstream_connection& connection, loss& what) {
    out_.clear();
    unsent_ = {};
    append_request_head(out_, x_, service_of_request().name());
    bool const here = x_.body.type == framing::kind::length && in_.size() >= x_.body.length;
    if (!body_taken_ && !here) {
        what.sent = what.had_body = true;
        return start_upload(connection);
    }
    unsent_.add(out_);
    unsent_.add(in_.view().substr(0, body_taken_ ? 0 : static_cast<std::size_t>(x_.body.length)));
    what.sent = connection.io.try_write(unsent_);
    what.had_body = what.had_body || (what.sent && !body_taken_);
    return what.sent;
}

bool session::start_upload(upstream_connection& connection) {
    if (x_.expects_continue && in_.empty()) {
        gather out;
        out.add("HTTP/1.1 100 Continue\r\n\r\n");
        if (!client_.try_write(out) || !out.done()) return false;
    }
    auto const limit = worker_.settings.body_limits[static_cast<std::size_t>(x_.to->to)];
    upload_ = std::make_shared<upload>(upload{
        {client_, in_, body_reader(x_.body, worker_.chunks), connection.io, out_,
         x_.body.type == framing::kind::chunked, static_cast<std::uint64_t>(limit), worker_.settings.body_timeout,
         worker_.settings.answer_timeout, static_cast<std::uint64_t>(worker_.settings.body_rate)}});
    spawn(worker_.context, run_upload(upload_));
    return true;
}

// The head of the final answer; those of interim answers (RFC 9110 section 15.2) are passed over. Its views lie in the
// connection's buffer until the next read.
session::answer_state session::take_answer(upstream_connection& connection, head_finder& finder, int& interim) {
    constexpr int most_interim = 16;
    for (;;) {
        auto const received = connection.buffer.view();
        if (received.empty()) return answer_state::incomplete;
        auto const found = finder.look(received, worker_.heads);
        if (found.fault) return answer_state::broken;
        if (found.size == 0) return answer_state::incomplete;
        auto const fault = parse_response_head(received.substr(0, found.size), worker_.heads, answer_);
        connection.buffer.consume(found.size);
        if (fault || answer_.status == 101) return answer_state::broken;
        if (answer_.status >= 200) return answer_state::complete;
        if (++interim > most_interim) return answer_state::broken;
        finder.reset();
    }
}

// false: lost, or no HTTP.
task<bool> session::read_answer(upstream_connection& connection, loss& what) {
    head_finder finder;
    int interim = 0;
    for (;;) {
        auto const outcome = co_await connection.io.read(connection.buffer, answer_limit());
        // A connection that was closed without a byte of an answer was stale; any other loss is no reason to retry.
        if (outcome != read_outcome::closed || !connection.buffer.empty()) what.reused = false;
        if (outcome != read_outcome::data) co_return false;
        auto const state = take_answer(connection, finder, interim);
        if (state != answer_state::incomplete) co_return state == answer_state::complete;
    }
}

relay_job session::begin_answer(upstream_connection& connection, framing answer_body) {
    auto const options = read_connection(answer_.fields);
    auto const down = choose_downstream(x_, answer_body);
    bool const uploading = upload_ && !upload_->finished;
    bool const upload_failed = upload_ && upload_->finished && upload_->result != relay_result::done;
    x_.keep_alive = x_.keep_alive && !down.until_close && !uploading && !upload_failed && !worker_.draining;
    x_.status = answer_.status;
    out_.clear();
    append_response_head(out_, answer_, down, x_);
    x_.sent = out_.size();
    reusable_ = answer_.minor_version == 1 && !options.close && answer_body.type != framing::kind::until_close;
    relay_job job{connection.io, connection.buffer, body_reader(answer_body), client_, std::move(out_), down.chunked};
    job.read_limit = answer_limit();
    job.write_limit = worker_.settings.write_timeout;
    return job;
}

void session::end_answer(upstream_connection& connection, relay_job& job, relay_result result) {
    out_ = std::move(job.prefix);
    x_.sent += job.written;
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
    x_.received = upload_->job.reader.received();
}

} // namespace recruiting::gateway
