// What comes before a connection's first request: the PROXY protocol's header and the TLS handshake, under one
// deadline.
#include "core/log.hpp"
#include "gateway/phases.hpp"
#include "gateway/session.hpp"

namespace recruiting::gateway {
namespace {

std::chrono::milliseconds left(coarse_clock::time_point until, coarse_clock::time_point now) {
    return std::chrono::duration_cast<std::chrono::milliseconds>(until - now);
}

task<bool> read_proxy_header(session& s, coarse_clock::time_point until) {
    if (!any_contains(s.by.settings.trusted_proxies, s.peer)) co_return false;
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
            bool const may = s.by.may_connect(s.peer); // now that it is known whose connection it is
            if (!may) s.by.counters.refused_connections.add();
            co_return may&& s.may_stay();
        }
        auto const limit = left(until, s.by.watch.now());
        auto const outcome = co_await s.client.read(s.in, limit);
        if (outcome != read_outcome::data) co_return false;
    }
}

task<bool> start_tls(session& s, coarse_clock::time_point until) {
    // It counts like a request, because it costs more than most; whether it is one too many is told to a request.
    static_cast<void>(s.by.count_in_total(s.peer));
    auto made = s.by.tls->accept_session();
    std::string received(s.in.view()); // behind the PROXY protocol's header
    s.in.consume(s.in.size());
    auto const limit = left(until, s.by.watch.now());
    bool const good = co_await s.client.handshake(std::move(made), std::move(received), limit);
    if (good) {
        s.by.counters.count_handshake(s.client.tls());
    } else {
        s.by.counters.failed_tls_handshakes.add();
        log::debug("tls_handshake_failed", {{"client", to_string(s.peer)}, {"message", s.client.tls().failure()}});
    }
    co_return good;
}

} // namespace

task<bool> shake_hands(session& s) {
    auto const until = s.by.watch.now() + s.by.settings.listeners.handshake_timeout;
    bool good = true;
    if (s.kind.proxy != proxy_protocol::off) good = co_await read_proxy_header(s, until);
    if (good && s.kind.tls) good = co_await start_tls(s, until);
    co_return good;
}

} // namespace recruiting::gateway
