#include "gateway/session.hpp"

#include "gateway/phases.hpp"

#include <utility>

namespace recruiting::gateway {
namespace {

constexpr unsigned fair_share = 16; // requests of a connection that are served without waiting

// A client that sends request after request without waiting for an answer would keep its thread to itself.
task<void> yield_to_others(session& s) {
    s.without_wait = 0;
    auto const behind_others = [](completion<bool> resume) { resume.succeed(true); };
    co_await suspend<bool>(s.worker->context.get_executor(), behind_others);
}

void swap_storage(session& s, request_storage& with) noexcept {
    s.request.head_text.swap(with.head);
    s.out.swap(with.out);
    s.request.head.fields.list.swap(with.fields);
    s.answer.fields.list.swap(with.answer_fields);
}

} // namespace

session::session(stream_socket connected, ip_address from, listener_kind how, std::shared_ptr<gateway::worker> of)
    : worker(std::move(of)), client(std::move(connected), worker->watch), peer(from), kind(how),
      list(&worker->sessions.unfinished), listed(list->insert(list->end(), this)) {
    listed_since = worker->watch.now();
    worker->counters.connections.add(1);
}

session::~session() {
    list->erase(listed);
    worker->counters.connections.add(-1);
    if (counted_connection) worker->shared.connections.leave(peer);
}

bool session::may_stay() {
    if (any_contains(worker->settings.trusted_proxies, peer)) return true;
    counted_connection = worker->shared.connections.enter(peer);
    if (!counted_connection) worker->counters.rejected_connections.add();
    return counted_connection;
}

void session::end_if_quiet() noexcept {
    if (client.is_quiet()) close();
}

void session::end_if_unused() noexcept {
    if (unused) close();
}

void session::evict() noexcept {
    list_in(worker->sessions.busy); // not to be chosen again
    close();
}

// A connection that stays in its list keeps its position: a head that comes byte by byte grows no younger by it.
void session::list_in(std::list<session*>& other) noexcept {
    if (&other == list) return;
    other.splice(other.end(), *list, listed);
    list = &other;
    listed_since = worker->watch.now();
}

// An early answer may wait for the client while the request's body does.
void session::note_client_wait(bool begins) noexcept {
    client_waits += begins ? 1 : -1;
    if (client_waits == 0) return list_in(worker->sessions.busy);
    list_in(permitted_by == nullptr ? worker->sessions.unfinished
                                    : worker->sessions.withheld[static_cast<std::size_t>(request.to->to)]);
}

void session::return_permits() {
    if (std::exchange(counted_upload, false)) worker->shared.uploads.leave(request.client);
    if (permitted_by != nullptr) std::exchange(permitted_by, nullptr)->leave();
}

void session::borrow_storage() noexcept {
    if (worker->spare.empty()) return;
    swap_storage(*this, worker->spare.back());
    worker->spare.pop_back();
}

void session::return_storage() {
    constexpr std::size_t most = 256;
    request_storage mine;
    swap_storage(*this, mine);
    if (worker->spare.size() < most) worker->spare.push_back(std::move(mine));
}

task<void> session::serve_requests() {
    if (kind.tls || kind.proxy != proxy_protocol::off) {
        bool const opened = co_await perform_handshake(*this);
        if (!opened) co_return close();
    }
    do {
        begin_request(*this);
        refusal why;
        auto const head = co_await read_head(*this, why);
        if (head == head_outcome::ended) break;
        list_in(worker->sessions.busy);
        auto refused = count_in_total(*this);
        if (!refused && head == head_outcome::refused) {
            refused = std::move(why);
        } else if (!refused) {
            if (!count_at_once(*this)) {
                auto const counted = co_await count_in_batch(*this);
                take_count(*this, counted);
                calling.end();
            }
            refused = authorize(*this);
        }
        bool written = true;
        auto const where = refused ? destination::gateway : route_of(*this);
        if (refused) written = refuse_at_once(*this, *refused);
        else if (where == destination::service) co_await forward(*this);
        else written = answer_locally(*this, where);
        if (!written) co_await write_rest(*this);
        log_request(*this);
        if (request.keep_alive && ++without_wait >= fair_share) co_await yield_to_others(*this);
    } while (request.keep_alive);
    // Not worth it for a client that sends far too much.
    bool const is_flood = request.count && request.count->name == total_limit_name;
    if (request.status != 0 && !is_flood && (!body_taken || !in.empty())) co_await linger(*this);
    close();
}

} // namespace recruiting::gateway
