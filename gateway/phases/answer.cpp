#include "gateway/answers/answer.hpp"
#include "core/ids.hpp"
#include "core/log.hpp"
#include "core/redact.hpp"
#include "gateway/phases.hpp"
#include "gateway/session.hpp"

namespace recruiting::gateway {
namespace {

// The client is gone, or took nothing for too long.
void note_unsent(session& s) noexcept {
    s.request.keep_alive = false;
    s.request.truncated = true;
    for (auto const piece : s.unsent.rest()) s.request.sent -= piece.size();
}

void begin_own_answer(session& s, bool close) {
    if (!close) take_body_from_buffer(s);
    s.request.keep_alive = s.request.keep_alive && !close && s.body_taken && !s.worker->draining;
    if (close) s.body_taken = false;
    s.out.clear();
}

bool send_own_answer(session& s) noexcept {
    s.request.sent = s.out.size();
    s.unsent = {};
    s.unsent.add(s.out);
    if (!s.client.try_write(s.unsent)) note_unsent(s);
    else if (!s.unsent.done()) return false;
    return true;
}

// Anyone who can read the request has the key.
void note_exposed_key(session& s, exposed_key const& found) {
    s.worker->counters.exposed_keys.add();
    log::warning("key_exposed", {{"keyPrefix", found.displayed_prefix},
                                 {"seenIn", redact_secrets(found.location)},
                                 {"requestId", s.request.request_id}});
}

} // namespace

bool refuse_at_once(session& s, refusal const& why) {
    if (why.exposed) note_exposed_key(s, *why.exposed);
    if (s.request.request_id.empty()) { // its head could not be read
        s.request.request_id = new_request_id();
        s.request.cors = looks_public(s.in.view(), s.worker->settings.routes);
    }
    s.request.refused = true;
    begin_own_answer(s, why.close);
    append_answer(s.out, why.error, s.request);
    return send_own_answer(s);
}

bool answer_locally(session& s, destination where) {
    begin_own_answer(s, false);
    if (where == destination::redirect)
        append_redirect(s.out, s.request, s.worker->settings.listeners.public_tls_port());
    else if (where == destination::home) append_home_redirect(s.out, s.request, s.worker->settings.home);
    else append_options_answer(s.out, s.request);
    return send_own_answer(s);
}

task<void> write_rest(session& s) {
    s.list_in(s.worker->sessions.unfinished);
    bool const written = co_await s.client.write(s.unsent, s.worker->settings.write_timeout);
    s.list_in(s.worker->sessions.busy);
    if (!written) note_unsent(s);
}

task<void> linger(session& s) {
    constexpr std::chrono::milliseconds read_limit{2000}; // for the next bytes
    constexpr std::chrono::milliseconds longest{10'000};
    s.client.shutdown_send();
    s.list_in(s.worker->sessions.unfinished);
    auto const end = s.worker->watch.now() + longest;
    while (s.worker->watch.now() < end) {
        s.in.consume(s.in.size());
        auto const outcome = co_await s.client.read(s.in, read_limit);
        if (outcome != read_outcome::data) break;
    }
}

} // namespace recruiting::gateway
