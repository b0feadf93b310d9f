// The phases forward and relay of a session.
#include "gateway/rewrite.hpp"
#include "gateway/session.hpp"

namespace recruiting::gateway {
namespace {

task<void> run_upload(std::shared_ptr<upload> up) {
    auto const result = co_await relay(up->job);
    up->result = result;
    up->finished = true;
    // The client is at fault: the service must not wait for more, and the session, which awaits the answer, must know.
    if (result != relay_result::done && result != relay_result::sink_lost) up->job.to.close();
    if (up->waiter) up->waiter.succeed(true);
}

// What the client is told when its body failed; nullopt: it is gone.
std::optional<api_error> fault_of(relay_result result) {
    switch (result) {
    case relay_result::source_timed_out: return make_error(error_code::request_timeout);
    case relay_result::too_large: return make_error(error_code::payload_too_large);
    case relay_result::source_malformed:
        return invalid_request({{"body", "", "malformed", "The body's chunks are not valid HTTP/1.1."}});
    default: return std::nullopt;
    }
}

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
    reusable_ = false;
    bool answered = co_await send_request(connection, what);
    if (answered) answered = co_await read_answer(connection, what);
    auto const body = answered ? response_framing(answer_, x_.is_head()) : std::nullopt;
    if (body) {
        co_await relay_answer(connection, *body);
        co_return attempt_outcome::answered;
    }
    co_await end_upload(connection);
    auto const up = std::exchange(upload_, nullptr);
    if (!up || up->result == relay_result::done || up->result == relay_result::sink_lost)
        co_return attempt_outcome::lost;
    auto const fault = fault_of(up->result);
    if (!fault) co_return attempt_outcome::client_gone;
    why = *fault;
    co_return attempt_outcome::refused;
}

task<bool> session::send_request(upstream_connection& connection, loss& what) {
    out_.clear();
    append_request_head(out_, x_, service_of_request().name());
    bool const here = x_.body.type == framing::kind::length && in_.size() >= x_.body.length;
    if (body_taken_ || here) {
        auto const size = body_taken_ ? 0 : static_cast<std::size_t>(x_.body.length);
        gather out;
        out.add(out_);
        out.add(in_.view().substr(0, size));
        bool good = connection.io.try_write(out);
        what.sent = good;
        if (good && !out.done()) good = co_await connection.io.write(out, worker_.settings.answer_timeout);
        if (good) take_body_from_buffer();
        what.had_body = what.had_body || (what.sent && size > 0);
        co_return good;
    }
    if (x_.expects_continue && in_.empty()) {
        gather out;
        out.add("HTTP/1.1 100 Continue\r\n\r\n");
        bool const told = client_.try_write(out);
        if (!told) co_return false;
    }
    what.sent = what.had_body = true;
    auto const limit = worker_.settings.body_limits[static_cast<std::size_t>(x_.to->to)];
    upload_ = std::make_shared<upload>(
        upload{{client_, in_, body_reader(x_.body), connection.io, out_, x_.body.type == framing::kind::chunked,
                static_cast<std::uint64_t>(limit), worker_.settings.body_timeout, worker_.settings.answer_timeout}});
    spawn(worker_.context, run_upload(upload_));
    co_return true;
}

// The head of the final answer; those of interim answers (RFC 9110 section 15.2) are passed over. Its views lie in the
// connection's buffer until the next read. false: lost, or no HTTP.
task<bool> session::read_answer(upstream_connection& connection, loss& what) {
    head_finder finder;
    for (;;) {
        auto const received = connection.buffer.view();
        auto const found = received.empty() ? head_finder::found{} : finder.look(received, worker_.heads);
        if (found.fault) co_return false;
        if (found.size == 0) {
            auto const outcome = co_await connection.io.read(connection.buffer, answer_limit());
            if (outcome == read_outcome::data) continue;
            // A connection that was closed without a byte of an answer was stale; any other loss is no reason to retry.
            if (outcome == read_outcome::timed_out || !connection.buffer.empty()) what.reused = false;
            co_return false;
        }
        what.reused = false;
        auto const fault = parse_response_head(received.substr(0, found.size), worker_.heads, answer_);
        connection.buffer.consume(found.size);
        if (fault || answer_.status == 101) co_return false;
        if (answer_.status >= 200) co_return true;
        finder.reset();
    }
}

task<void> session::relay_answer(upstream_connection& connection, framing answer_body) {
    auto const options = read_connection(answer_.fields);
    auto const down = choose_downstream(x_, answer_body);
    bool const uploading = upload_ && !upload_->finished;
    bool const upload_failed = upload_ && upload_->finished && upload_->result != relay_result::done;
    x_.keep_alive = x_.keep_alive && !down.until_close && !uploading && !upload_failed && !worker_.draining;
    x_.status = answer_.status;
    out_.clear();
    append_response_head(out_, answer_, down, x_);
    bool const upstream_stays =
        answer_.minor_version == 1 && !options.close && answer_body.type != framing::kind::until_close;
    auto const head_size = out_.size();
    relay_job job{connection.io, connection.buffer, body_reader(answer_body), client_, std::move(out_), down.chunked};
    job.read_limit = answer_limit();
    job.write_limit = worker_.settings.write_timeout;
    auto const result = co_await relay(job);
    out_ = std::move(job.prefix);
    x_.sent = job.written + head_size;
    co_await end_upload(connection);
    upload_.reset();
    reusable_ = result == relay_result::done && upstream_stays && body_taken_ && connection.buffer.empty();
    if (result == relay_result::done) co_return;
    x_.truncated = true;
    x_.keep_alive = false;
    if (result != relay_result::sink_lost) service_of_request().counters().losses.add();
}

// Waits until nothing touches the client's stream but the session. An upload that goes on is of no use any more.
task<void> session::end_upload(upstream_connection& connection) {
    if (!upload_) co_return;
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
