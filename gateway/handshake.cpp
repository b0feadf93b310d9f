// What comes before a session's first request: the PROXY protocol's header and the TLS handshake, under one deadline.
#include "core/log.hpp"
#include "gateway/session.hpp"

namespace recruiting::gateway {
namespace {

std::chrono::milliseconds left(coarse_clock::time_point until, coarse_clock::time_point now) {
    return std::chrono::duration_cast<std::chrono::milliseconds>(until - now);
}

} // namespace

// false: the connection is to be closed without a word.
task<bool> session::open() {
    auto const until = worker_.watch.now() + worker_.settings.listeners.handshake_timeout;
    bool good = true;
    if (kind_.proxy != proxy_protocol::off) good = co_await read_proxy_header(until);
    if (good && kind_.tls) good = co_await start_tls(until);
    co_return good;
}

task<bool> session::read_proxy_header(coarse_clock::time_point until) {
    if (!any_contains(worker_.settings.trusted_proxies, peer_)) co_return false;
    for (;;) {
        auto const header = parse_proxy_header(in_.view(), kind_.proxy);
        if (header.state == proxy_header::progress::malformed) {
            log::warning("proxy_header_malformed", {{"proxy", to_string(peer_)}});
            co_return false;
        }
        if (header.state == proxy_header::progress::complete) {
            in_.consume(header.size);
            if (!header.client) co_return true;
            peer_ = *header.client;
            co_return worker_.may_connect(peer_) && may_stay(); // now that it is known whose connection it is
        }
        auto const limit = left(until, worker_.watch.now());
        auto const outcome = co_await client_.read(in_, limit);
        if (outcome != read_outcome::data) co_return false;
    }
}

task<bool> session::start_tls(coarse_clock::time_point until) {
    auto& tls = *worker_.tls;
    worker_.count_handshake(peer_);
    auto made = tls.accept_session();
    std::string received(in_.view()); // behind the PROXY protocol's header
    in_.consume(in_.size());
    auto const limit = left(until, worker_.watch.now());
    bool const good = co_await client_.handshake(std::move(made), std::move(received), limit);
    if (good) {
        tls.count_handshake(client_.tls());
    } else {
        tls.count_failure();
        log::debug("tls_handshake_failed", {{"client", to_string(peer_)}, {"message", client_.tls().failure()}});
    }
    co_return good;
}

} // namespace recruiting::gateway
