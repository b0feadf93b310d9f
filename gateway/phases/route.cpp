#include "core/ids.hpp"
#include "core/log.hpp"
#include "core/redact.hpp"
#include "gateway/answers/answer.hpp"
#include "gateway/phases.hpp"
#include "gateway/session.hpp"

namespace recruiting::gateway {
namespace {

// The client is gone, or took nothing for too long.
void note_unsent(session& s) noexcept {
    s.x.keep_alive = false;
    s.x.truncated = true;
    for (auto const piece : s.unsent.rest()) s.x.sent -= piece.size();
}

void begin_own_answer(session& s, bool close) {
    if (!close) take_body_from_buffer(s);
    s.x.keep_alive = s.x.keep_alive && !close && s.body_taken && !s.by.draining;
    if (close) s.body_taken = false;
    s.out.clear();
}

bool send_own_answer(session& s) noexcept {
    s.x.sent = s.out.size();
    s.unsent = {};
    s.unsent.add(s.out);
    if (!s.client.try_write(s.unsent)) note_unsent(s);
    else if (!s.unsent.done()) return false;
    return true;
}

// Anyone who can read the request has the key.
void note_exposed_key(session& s, exposed_key const& found) {
    s.by.counters.exposed_keys.add();
    log::warning("key_exposed", {{"keyPrefix", found.displayed_prefix},
                                 {"seenIn", redact_secrets(found.location)},
                                 {"requestId", s.x.request_id}});
}

} // namespace

bool has_whole_body(session const& s) noexcept {
    return s.body_taken || (s.x.body.type == framing::kind::length && s.in.size() >= s.x.body.length);
}

void take_body_from_buffer(session& s) noexcept {
    if (s.body_taken || !has_whole_body(s)) return;
    s.in.consume(static_cast<std::size_t>(s.x.body.length));
    s.x.received = s.x.body.length;
    s.body_taken = true;
}

bool ends_here(request_context const& x) noexcept {
    return x.head.method == "OPTIONS" && x.where.type == target::form::asterisk;
}

destination route_of(session const& s) noexcept {
    if (s.kind.redirects) return destination::redirect;
    if (leads_home(s.x, s.by.settings)) return destination::home;
    return ends_here(s.x) ? destination::gateway : destination::service;
}

bool leads_home(request_context const& x, gateway_settings const& settings) noexcept {
    bool const is_read = x.head.method == "GET" || x.head.method == "HEAD";
    return is_read && x.to == nullptr && x.where.path == "/" && !settings.home.empty();
}

bool refuse_at_once(session& s, refusal const& why) {
    if (why.exposed) note_exposed_key(s, *why.exposed);
    if (s.x.request_id.empty()) { // its head could not be read
        s.x.request_id = new_request_id();
        s.x.cors = looks_public(s.in.view(), s.by.settings.routes);
    }
    s.x.refused = true;
    begin_own_answer(s, why.close);
    append_answer(s.out, why.error, s.x);
    return send_own_answer(s);
}

bool answer_locally(session& s, destination where) {
    begin_own_answer(s, false);
    if (where == destination::redirect) append_redirect(s.out, s.x, s.by.settings.listeners.public_tls_port());
    else if (where == destination::home) append_home_redirect(s.out, s.x, s.by.settings.home);
    else append_options_answer(s.out, s.x);
    return send_own_answer(s);
}

task<void> write_rest(session& s) {
    s.list_in(s.by.sessions.unfinished);
    bool const written = co_await s.client.write(s.unsent, s.by.settings.write_timeout);
    s.list_in(s.by.sessions.busy);
    if (!written) note_unsent(s);
}

task<void> linger(session& s) {
    constexpr std::chrono::milliseconds patience{2000}; // for the next bytes
    constexpr std::chrono::milliseconds longest{10'000};
    s.client.shutdown_send();
    s.list_in(s.by.sessions.unfinished);
    auto const end = s.by.watch.now() + longest;
    while (s.by.watch.now() < end) {
        s.in.consume(s.in.size());
        auto const outcome = co_await s.client.read(s.in, patience);
        if (outcome != read_outcome::data) break;
    }
}

} // namespace recruiting::gateway
