#include "gateway/session.hpp"

#include "core/ids.hpp"
#include "gateway/access_log.hpp"
#include "gateway/answers/answer.hpp"
#include "gateway/answers/redirect.hpp"

namespace recruiting::gateway {
namespace {

constexpr unsigned fair_share = 16; // requests of a connection that are served without waiting

} // namespace

session::session(stream_socket connected, ip_address peer, listener_kind kind, std::shared_ptr<worker> of)
    : owner_(std::move(of)), worker_(*owner_), client_(std::move(connected), worker_.watch), peer_(peer), kind_(kind),
      permit_(worker_.connections), list_(&worker_.sessions.unfinished), listed_(list_->insert(list_->end(), this)) {
    unfinished_since = worker_.watch.now();
    worker_.counters.connections.add(1);
}

session::~session() {
    list_->erase(listed_);
    worker_.counters.connections.add(-1);
}

bool session::may_stay() {
    if (any_contains(worker_.settings.trusted_proxies, peer_)) return true;
    if (permit_.claim(peer_)) return true;
    worker_.counters.refused_connections.add();
    return false;
}

void session::end_if_quiet() noexcept {
    if (client_.is_quiet()) close();
}

void session::end_if_unused() noexcept {
    if (unused_) close();
}

void session::evict() noexcept {
    list_in(worker_.sessions.busy); // not to be chosen again
    close();
}

// A connection that stays in its list keeps its place: a head that comes byte by byte grows no younger by it.
void session::list_in(std::list<client_connection*>& list) noexcept {
    if (&list == list_) return;
    list.splice(list.end(), *list_, listed_);
    list_ = &list;
    if (list_ == &worker_.sessions.unfinished) unfinished_since = worker_.watch.now();
}

// A client that sends request after request without waiting for an answer would keep its thread to itself.
task<void> session::give_others_a_turn() {
    without_wait_ = 0;
    auto const behind_others = [](completion<bool> resume) { resume.succeed(true); };
    co_await suspend<bool>(worker_.context.get_executor(), behind_others);
}

task<void> session::run() {
    if (kind_.tls || kind_.proxy != proxy_protocol::off) {
        bool const opened = co_await open();
        if (!opened) co_return close();
    }
    do {
        begin_request();
        refusal why;
        auto outcome = take_head(why);
        if (!outcome) {
            auto const read = co_await read_head(why);
            outcome = read;
        }
        if (*outcome == head_outcome::ended) break;
        list_in(worker_.sessions.busy);
        auto refused = judge_total();
        if (!refused && *outcome == head_outcome::refused) {
            refused = std::move(why);
        } else if (!refused) {
            bool const counted_at_all = worker_.rate_limiter.counts() && !kind_.redirects && is_counted(x_);
            if (counted_at_all) x_.count = worker_.rate_limiter.at_once(*x_.to, x_.client);
            if (counted_at_all && !x_.count) {
                if (serving_) begin_count_span();
                auto const counted = co_await worker_.rate_limiter.in_batch(*x_.to, x_.client);
                x_.count = counted;
                calling_.end();
            }
            refused = judge_request();
        }
        if (refused && refused->error.code == error_code::credential_not_allowed) worker_.exposures.note(x_, owner_);
        bool written = true;
        if (refused) written = refuse_at_once(refused->error, refused->close);
        else if (kind_.redirects) written = redirect_at_once();
        else if (ends_here(x_)) written = answer_options_at_once();
        else co_await forward();
        if (!written) co_await write_rest();
        finish();
        if (x_.keep_alive && ++without_wait_ >= fair_share) co_await give_others_a_turn();
    } while (x_.keep_alive);
    // What the client still sends would reset the connection and could cost it the answer (RFC 9112 section 9.6). Not
    // worth it for a client that sends far too much.
    bool const is_flood = x_.count && x_.count->name == total_counts::name;
    if (x_.status != 0 && !is_flood && (!body_taken_ || !in_.empty())) co_await linger();
    close();
}

void session::begin_request() noexcept {
    x_.reset();
    x_.client = peer_;
    x_.https = kind_.tls;
    if (kind_.tls) x_.hsts = worker_.tls->hsts_line();
    body_taken_ = true;
    may_skip_line_ = true;
    gate_.reset();
    if (in_.empty()) return; // begins with its first byte
    x_.began = std::chrono::steady_clock::now();
    head_by_ = worker_.watch.now() + worker_.settings.head_timeout;
}

// nullopt: there is more to read.
std::optional<session::head_outcome> session::take_head(refusal& why) {
    if (may_skip_line_ && in_.view().starts_with("\r\n")) { // RFC 9112 section 2.2: one is ignored
        in_.consume(2);
        may_skip_line_ = false;
    }
    auto const received = in_.view();
    if (received.empty() || received == "\r") return std::nullopt;
    auto const found = gate_.look(received, worker_.heads);
    if (found.fault) {
        why = refuse_head(*found.fault);
        return head_outcome::refused;
    }
    if (found.size == 0) return std::nullopt;
    x_.head_text.assign(received.substr(0, found.size));
    in_.consume(found.size);
    auto refused = read_request(x_, worker_.heads, worker_.settings.routes);
    body_taken_ = x_.body.type == framing::kind::none;
    find_client(x_, peer_, worker_.settings.trusted_proxies);
    enter_trace(x_, peer_, worker_.settings, worker_.tracer);
    if (worker_.tracer.records(x_.trace)) begin_spans();
    if (!refused) return head_outcome::request;
    why = std::move(*refused);
    return head_outcome::refused;
}

task<session::head_outcome> session::read_head(refusal& why) {
    for (;;) {
        bool const was_idle = in_.empty();
        list_in(was_idle && served_ ? worker_.sessions.idle : worker_.sessions.unfinished);
        unused_ = was_idle && !served_;
        auto const left = std::chrono::duration_cast<std::chrono::milliseconds>(head_by_ - worker_.watch.now());
        auto const limit = was_idle ? idle_limit() : left;
        auto outcome = client_.try_read(in_);
        while (!outcome) {
            bool const ready = co_await client_.readable(limit);
            outcome = ready ? client_.try_read(in_) : client_.gave_up();
            without_wait_ = 0;
        }
        unused_ = false;
        if (outcome == read_outcome::closed || (outcome == read_outcome::timed_out && was_idle))
            co_return head_outcome::ended;
        if (outcome == read_outcome::timed_out) {
            why = {make_error(error_code::request_timeout), true};
            co_return head_outcome::refused;
        }
        if (was_idle) {
            x_.began = std::chrono::steady_clock::now();
            head_by_ = worker_.watch.now() + worker_.settings.head_timeout;
        }
        auto const taken = take_head(why);
        if (taken) co_return *taken;
    }
}

std::chrono::milliseconds session::idle_limit() const noexcept {
    auto const usual = worker_.settings.idle_timeout;
    return worker_.closing ? std::min(first_request_patience, usual) : usual;
}

std::optional<refusal> session::judge_total() {
    auto const over = worker_.count_in_total(x_.client);
    if (!over) return std::nullopt;
    x_.count = over;
    return refusal{over_limit(*over), true};
}

std::optional<refusal> session::judge_request() const {
    if (x_.count && !x_.count->allowed) return refusal{over_limit(*x_.count), false};
    if (kind_.redirects) return judge_redirect(x_, [this](std::string_view host) { return worker_.tls->serves(host); });
    if (ends_here(x_)) return std::nullopt;
    return admit(x_, worker_.settings);
}

// A small body that came with the head need not end the connection when its request is refused.
void session::take_body_from_buffer() noexcept {
    if (body_taken_ || x_.body.type != framing::kind::length || in_.size() < x_.body.length) return;
    in_.consume(static_cast<std::size_t>(x_.body.length));
    x_.received = x_.body.length;
    body_taken_ = true;
}

// false: write_rest must follow.
bool session::refuse_at_once(api_error const& error, bool close) {
    if (x_.request_id.empty()) { // its head could not be read
        x_.request_id = new_request_id();
        x_.cors = looks_public(in_.view(), worker_.settings.routes);
    }
    x_.refused = true;
    begin_own_answer(close);
    append_answer(out_, error, x_);
    return send_own_answer();
}

bool session::answer_options_at_once() {
    begin_own_answer(false);
    append_options_answer(out_, x_);
    return send_own_answer();
}

bool session::redirect_at_once() {
    begin_own_answer(false);
    append_redirect(out_, x_, worker_.tls->public_port());
    return send_own_answer();
}

void session::begin_own_answer(bool close) {
    if (!close) take_body_from_buffer();
    x_.keep_alive = x_.keep_alive && !close && body_taken_ && !worker_.draining;
    if (close) body_taken_ = false;
    out_.clear();
}

bool session::send_own_answer() noexcept {
    x_.sent = out_.size();
    unsent_ = {};
    unsent_.add(out_);
    if (!client_.try_write(unsent_)) note_unsent();
    else if (!unsent_.done()) return false;
    return true;
}

// The client is gone, or took nothing for too long.
void session::note_unsent() noexcept {
    x_.keep_alive = false;
    x_.truncated = true;
    for (auto const piece : unsent_.rest()) x_.sent -= piece.size();
}

task<void> session::refuse(api_error error, bool close) {
    if (!refuse_at_once(error, close)) co_await write_rest();
}

task<void> session::write_rest() {
    bool const written = co_await client_.write(unsent_, worker_.settings.write_timeout);
    if (!written) note_unsent();
}

task<void> session::linger() {
    constexpr std::chrono::milliseconds patience{2000};
    client_.shutdown_send();
    auto const end = worker_.watch.now() + worker_.settings.linger_timeout;
    while (worker_.watch.now() < end) {
        in_.consume(in_.size());
        auto const outcome = co_await client_.read(in_, patience);
        if (outcome != read_outcome::data) break;
    }
}

void session::finish() {
    served_ = true;
    auto const now = std::chrono::steady_clock::now();
    auto const& routes = worker_.settings.routes;
    auto const route = x_.to == nullptr ? routes.size() : static_cast<std::size_t>(x_.to - routes.data());
    auto& counters = worker_.counters.requests[route];
    counters.by_class[class_to_count(x_.status)]->add();
    counters.duration.observe(now - x_.began);
    bool const has_line = worker_.settings.access_log &&
                          (!x_.refused || worker_.refusals.note(x_.client, x_.status, worker_.time.now()));
    if (has_line) write_access_line(x_, now);
    if (serving_) end_spans();
}

} // namespace recruiting::gateway
