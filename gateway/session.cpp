#include "gateway/session.hpp"

#include "core/ids.hpp"
#include "gateway/answer.hpp"

#include <boost/asio/ip/tcp.hpp>

namespace recruiting::gateway {

session::session(socket_type socket, ip_address peer, std::shared_ptr<worker> of)
    : owner_(std::move(of)), worker_(*owner_), client_(std::move(socket), worker_.watch), peer_(peer),
      listed_(worker_.sessions.insert(worker_.sessions.end(), this)) {
    boost::system::error_code ignored;
    client_.socket().set_option(asio::ip::tcp::no_delay(true), ignored); // fails on unix sockets, which need none
    worker_.counters.connections.add(1);
}

session::~session() {
    worker_.sessions.erase(listed_);
    worker_.counters.connections.add(-1);
}

void session::drain() {
    if (idle_) close();
}

task<void> session::run() {
    do {
        x_.reset();
        x_.client = peer_;
        body_taken_ = true;
        refusal why;
        auto const outcome = co_await read_head(why);
        if (outcome == head_outcome::ended) break;
        if (outcome == head_outcome::refused) co_await refuse(std::move(why.error), why.close);
        else co_await serve();
        finish();
    } while (x_.keep_alive);
    // What the client still sends would reset the connection and could cost it the answer (RFC 9112 section 9.6).
    if (x_.status != 0 && (!body_taken_ || !in_.empty())) co_await linger();
    close();
}

task<session::head_outcome> session::read_head(refusal& why) {
    finder_.reset();
    x_.began = std::chrono::steady_clock::now();
    auto give_up_at = worker_.watch.now() + worker_.settings.head_timeout;
    bool may_skip_line = true;
    for (;;) {
        if (may_skip_line && in_.view().starts_with("\r\n")) { // RFC 9112 section 2.2: one is ignored
            in_.consume(2);
            may_skip_line = false;
        }
        auto const received = in_.view();
        auto const found =
            received.empty() || received == "\r" ? head_finder::found{} : finder_.look(received, worker_.heads);
        if (found.fault) {
            why = refuse_head(*found.fault);
            break;
        }
        if (found.size > 0) {
            x_.head_text.assign(received.substr(0, found.size));
            in_.consume(found.size);
            auto refused = read_request(x_, worker_.heads, worker_.settings.routes);
            body_taken_ = x_.body.type == framing::kind::none;
            find_client(x_, peer_, worker_.settings.trusted_proxies);
            if (!refused) co_return head_outcome::request;
            why = std::move(*refused);
            co_return head_outcome::refused;
        }
        idle_ = received.empty();
        if (idle_ && worker_.draining) co_return head_outcome::ended;
        bool const was_idle = idle_;
        auto const left = std::chrono::duration_cast<std::chrono::milliseconds>(give_up_at - worker_.watch.now());
        auto const limit = was_idle ? worker_.settings.idle_timeout : left;
        auto const outcome = co_await client_.read(in_, limit);
        idle_ = false;
        if (outcome == read_outcome::closed || (outcome == read_outcome::timed_out && was_idle))
            co_return head_outcome::ended;
        if (outcome == read_outcome::timed_out) {
            why = {make_error(error_code::request_timeout), true};
            break;
        }
        if (!was_idle) continue;
        x_.began = std::chrono::steady_clock::now();
        give_up_at = worker_.watch.now() + worker_.settings.head_timeout;
    }
    x_.request_id = new_request_id();
    x_.cors = looks_public(in_.view(), worker_.settings.routes);
    body_taken_ = false;
    co_return head_outcome::refused;
}

task<void> session::serve() {
    if (worker_.limiter.counts() && is_counted(x_)) {
        x_.count = worker_.limiter.at_once(*x_.to, x_.client);
        if (!x_.count) {
            auto const counted = co_await worker_.limiter.in_turn(*x_.to, x_.client);
            x_.count = counted;
        }
        if (!x_.count->allowed) {
            co_await refuse(over_ceiling(*x_.count), false);
            co_return;
        }
    }
    auto refused = admit(x_, worker_.settings);
    if (refused) co_await refuse(std::move(refused->error), refused->close);
    else co_await forward();
}

// A small body that came with the head need not end the connection when its request is refused.
void session::take_body_from_buffer() noexcept {
    if (body_taken_ || x_.body.type != framing::kind::length || in_.size() < x_.body.length) return;
    in_.consume(static_cast<std::size_t>(x_.body.length));
    x_.received = x_.body.length;
    body_taken_ = true;
}

task<void> session::refuse(api_error error, bool close) {
    if (!close) take_body_from_buffer();
    x_.keep_alive = x_.keep_alive && !close && body_taken_ && !worker_.draining;
    if (close) body_taken_ = false;
    out_.clear();
    append_answer(out_, error, x_);
    x_.sent = out_.size();
    gather out;
    out.add(out_);
    bool written = client_.try_write(out);
    if (written && !out.done()) written = co_await client_.write(out, worker_.settings.write_timeout);
    if (!written) x_.keep_alive = false;
}

task<void> session::linger() {
    constexpr std::size_t most = 1024 * 1024;
    constexpr std::chrono::milliseconds patience{1000};
    client_.shutdown_send();
    for (std::size_t taken = 0; taken < most; taken += in_.size(), in_.consume(in_.size())) {
        auto const outcome = co_await client_.read(in_, patience);
        if (outcome != read_outcome::data) break;
    }
}

void session::finish() {
    auto const now = std::chrono::steady_clock::now();
    auto& counters = worker_.counters.requests[x_.to == nullptr ? route_count : static_cast<std::size_t>(x_.to->to)];
    counters.by_class[x_.status / 100]->add();
    counters.duration.observe(now - x_.began);
    worker_.log.write(x_, now);
}

} // namespace recruiting::gateway
