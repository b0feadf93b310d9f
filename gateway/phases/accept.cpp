// Begins connections' sessions, and does what comes before a connection's first request: the PROXY protocol's header
// and the TLS handshake, under one deadline.
#include "core/log.hpp"
#include "gateway/connections.hpp"
#include "gateway/phases.hpp"
#include "gateway/session.hpp"

namespace recruiting::gateway {
namespace {

// Clients on a unix socket are this machine's own. IPv4 in its mapped form, as core/ip has it.
ip_address address_of(socket_address const& remote) {
    ip_address out{{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 127, 0, 0, 1}};
    int const family = remote.protocol().family();
    if (family != AF_INET && family != AF_INET6) return out;
    auto const address = tcp_endpoint_of(remote).address();
    auto const six =
        address.is_v6() ? address.to_v6() : asio::ip::make_address_v6(asio::ip::v4_mapped, address.to_v4());
    out.bytes = six.to_bytes();
    return out;
}

// The connection whose client keeps the gateway waiting longest; nullptr: none does.
session* longest_unfinished(connection_lists const& sessions) noexcept {
    auto* found = sessions.unfinished.empty() ? nullptr : sessions.unfinished.front();
    for (auto const& one : sessions.withheld)
        if (!one.empty() && (found == nullptr || one.front()->listed_since < found->listed_since)) found = one.front();
    return found;
}

// Makes room for one more connection by closing another when there are too many. false: none can be closed.
bool evict_if_full(worker& of) noexcept {
    auto& sessions = of.sessions;
    auto* const longest = longest_unfinished(sessions);
    evictable there{sessions.count_unfinished(), {}, sessions.idle.size()};
    if (longest != nullptr)
        there.oldest_unfinished =
            std::chrono::duration_cast<std::chrono::milliseconds>(of.watch.now() - longest->listed_since);
    auto const chosen = choose_victim(of.counters.connections.value(), of.settings.connections_limit, there);
    if (chosen == victim::nobody) return true;
    if (chosen == victim::incoming) return false;
    (chosen == victim::idle ? sessions.idle.front() : longest)->evict();
    of.counters.evicted_connections.add();
    return true;
}

task<void> serve(std::unique_ptr<session> connection) { co_await connection->serve_requests(); }

} // namespace

void free_permits(worker& of, coarse_clock::time_point now) noexcept {
    for (std::size_t i = 0; i < service_count; ++i) {
        auto& withheld = of.sessions.withheld[i];
        for (auto wanted = of.upstreams[i].permits_wanted(); wanted > 0 && !withheld.empty(); --wanted) {
            auto* const first = withheld.front();
            if (now - first->listed_since < eviction_grace) break;
            first->evict();
            of.counters.evicted_connections.add();
        }
    }
}

void begin_session(std::shared_ptr<worker> const& of, listener_kind const& kind, stream_socket connected,
                   socket_address const& remote) {
    auto const peer = address_of(remote);
    if (!of->may_connect(peer) || !evict_if_full(*of)) return of->counters.rejected_connections.add();
    auto made = std::make_unique<session>(std::move(connected), peer, kind, of);
    if (made->may_stay()) spawn(of->context, serve(std::move(made)));
}

namespace {

std::chrono::milliseconds time_left(coarse_clock::time_point until, coarse_clock::time_point now) {
    return std::chrono::duration_cast<std::chrono::milliseconds>(until - now);
}

task<bool> read_proxy_header(session& s, coarse_clock::time_point until) {
    if (!any_contains(s.worker->settings.trusted_proxies, s.peer)) co_return false;
    for (;;) {
        auto const header = parse_proxy_header(s.in.view(), s.kind.proxy);
        if (header.state == proxy_header::progress::malformed) {
            log::warning("proxy_header_malformed", {{"proxy", to_string(s.peer)}});
            co_return false;
        }
        if (header.state == proxy_header::progress::complete) {
            s.in.consume(header.size);
            if (!header.client) co_return true;
            s.peer = *header.client;
            if (s.worker->may_connect(s.peer)) co_return s.may_stay(); // asked of the client, which is known now
            s.worker->counters.rejected_connections.add();
            co_return false;
        }
        auto const limit = time_left(until, s.worker->watch.now());
        auto const outcome = co_await s.client.read(s.in, limit);
        if (outcome != read_outcome::data) co_return false;
    }
}

task<bool> start_tls(session& s, coarse_clock::time_point until) {
    // It counts like a request, because it costs more than most; only a request is answered that it is one too many.
    static_cast<void>(s.worker->count_in_total(s.peer));
    auto made = s.worker->shared.tls->accept_session();
    std::string received(s.in.view()); // behind the PROXY protocol's header
    s.in.consume(s.in.size());
    auto const limit = time_left(until, s.worker->watch.now());
    bool const good = co_await s.client.handshake(std::move(made), std::move(received), limit);
    if (good) {
        s.worker->counters.count_handshake(s.client.tls());
    } else {
        s.worker->counters.failed_tls_handshakes.add();
        log::debug("tls_handshake_failed", {{"client", to_string(s.peer)}, {"message", s.client.tls().failure()}});
    }
    co_return good;
}

} // namespace

task<bool> perform_handshake(session& s) {
    auto const until = s.worker->watch.now() + s.worker->settings.headers_timeout;
    bool good = true;
    if (s.kind.proxy != proxy_protocol::off) good = co_await read_proxy_header(s, until);
    if (good && s.kind.tls) good = co_await start_tls(s, until);
    co_return good;
}

} // namespace recruiting::gateway
