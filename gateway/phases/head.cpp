#include "gateway/phases.hpp"
#include "gateway/session.hpp"

namespace recruiting::gateway {
namespace {

std::chrono::milliseconds idle_limit(session& s) noexcept {
    auto const usual = s.worker->settings.idle_timeout;
    return s.worker->closing ? std::min(first_request_limit, usual) : usual;
}

// nullopt: there is more to read.
std::optional<head_outcome> take_head(session& s, refusal& why) {
    if (s.may_skip_line && s.in.view().starts_with("\r\n")) { // RFC 9112 section 2.2: one is ignored
        s.in.consume(2);
        s.may_skip_line = false;
    }
    auto const received = s.in.view();
    if (received.empty() || received == "\r") return std::nullopt;
    auto const found = s.scanner.scan(received);
    if (found.fault) {
        why = refuse_head(*found.fault);
        return head_outcome::refused;
    }
    if (found.size == 0) return std::nullopt;
    if (s.request.head_text.empty()) s.borrow_storage();
    s.request.head_text.assign(received.substr(0, found.size));
    s.in.consume(found.size);
    auto refused = read_request(s.request, s.worker->settings.routes);
    s.body_taken = s.request.body.type == framing::kind::none;
    find_client(s.request, s.peer, s.worker->settings.trusted_proxies);
    enter_trace(s.request, s.peer, s.worker->settings.trusted_proxies, s.worker->tracer);
    if (s.worker->tracer.records(s.request.trace)) begin_spans(s);
    if (!refused) return head_outcome::request;
    why = std::move(*refused);
    return head_outcome::refused;
}

} // namespace

void begin_request(session& s) noexcept {
    s.request.reset();
    s.request.client = s.peer;
    s.request.https = s.kind.tls;
    if (s.kind.tls) s.request.hsts = s.worker->shared.hsts_line;
    s.body_taken = true;
    s.may_skip_line = true;
    s.scanner.reset();
    if (s.in.empty()) return; // begins with its first byte
    s.request.began = std::chrono::steady_clock::now();
    s.head_by = s.worker->watch.now() + s.worker->settings.headers_timeout;
}

task<head_outcome> read_head(session& s, refusal& why) {
    for (;;) {
        auto const taken = take_head(s, why);
        if (taken) co_return *taken;
        bool const was_idle = s.in.empty();
        s.list_in(was_idle && s.served ? s.worker->sessions.idle : s.worker->sessions.unfinished);
        s.unused = was_idle && !s.served;
        auto const left = std::chrono::duration_cast<std::chrono::milliseconds>(s.head_by - s.worker->watch.now());
        auto const limit = was_idle ? idle_limit(s) : left;
        auto outcome = s.client.try_read(s.in);
        if (!outcome && was_idle && !s.request.head_text.empty()) s.return_storage();
        while (!outcome) {
            bool const ready = co_await s.client.readable(limit);
            outcome = ready ? s.client.try_read(s.in) : s.client.gave_up();
            s.without_wait = 0;
        }
        s.unused = false;
        if (outcome == read_outcome::closed || (outcome == read_outcome::timed_out && was_idle))
            co_return head_outcome::ended;
        if (outcome == read_outcome::timed_out) {
            why = {make_error(error_code::request_timeout), true};
            co_return head_outcome::refused;
        }
        if (was_idle) {
            s.request.began = std::chrono::steady_clock::now();
            s.head_by = s.worker->watch.now() + s.worker->settings.headers_timeout;
        }
    }
}

} // namespace recruiting::gateway
