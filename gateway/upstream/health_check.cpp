#include "gateway/upstream/health_check.hpp"

#include "core/log.hpp"

#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/basic_resolver.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>

namespace recruiting::gateway {
namespace {

constexpr std::chrono::hours unlimited{1}; // a stream_timeout holds

check_result reached(connect_result how) noexcept {
    return how == connect_result::refused ? check_result::refused : check_result::silent;
}

task<check_result> ask(stream_watch& watch, socket_address const& where, std::string_view path,
                       std::chrono::milliseconds limit) {
    stream connection(watch);
    stream_timeout const timeout(connection, limit);
    auto const connected = co_await connection.connect(where);
    if (connected != connect_result::made) co_return reached(connected);
    std::string const request = "GET " + std::string(path) +
                                " HTTP/1.1\r\nHost: localhost\r\nUser-Agent: recruiting-gateway\r\nConnection: "
                                "close\r\n\r\n";
    gather text;
    text.add(request);
    bool const sent = co_await connection.write(text, unlimited);
    byte_buffer received;
    for (auto outcome = sent ? read_outcome::data : read_outcome::closed; outcome == read_outcome::data;) {
        auto const got = co_await connection.read(received, unlimited);
        outcome = got;
        auto const said = read_check_answer(received.view());
        if (said) co_return *said;
    }
    co_return check_result::silent;
}

} // namespace

std::optional<check_result> read_check_answer(std::string_view received) noexcept {
    constexpr std::string_view start = "HTTP/1.";
    auto const seen = received.substr(0, start.size());
    if (seen != start.substr(0, seen.size())) return check_result::unready;
    if (received.size() < 12) return std::nullopt;
    return received[8] == ' ' && received[9] == '2' ? check_result::ready : check_result::unready;
}

task<check_result> check_health(stream_watch& watch, std::shared_ptr<upstream_target> target, std::string_view path,
                                std::chrono::milliseconds limit, tls_client const* tls) {
    if (target->health) {
        auto const found = co_await ask(watch, *target->health, path, limit);
        if (found == check_result::ready || found == check_result::unready) co_return found;
    }
    stream connection(watch);
    stream_timeout const timeout(connection, limit);
    auto const connected = co_await connection.connect(target->where);
    if (connected != connect_result::made) co_return reached(connected);
    if (tls != nullptr) {
        auto session = tls->connect_session(target->name);
        std::string nothing_read;
        bool const agreed = co_await connection.handshake(std::move(session), std::move(nothing_read), unlimited);
        if (!agreed) co_return check_result::refused;
    }
    co_return target->health ? check_result::unready : check_result::ready;
}

struct upstream_monitor::state {
    state(asio::io_context& io, ticker& clock, std::string name, upstream_directory& d, upstream_policy const& p,
          metrics::registry& registry, tls_client const* t)
        : context(io), watch(io, clock), service(std::move(name)), directory(d), policy(p), metrics(registry, service),
          tls(t) {
        for (auto const& one : directory.configured()) addresses.emplace_back(registry, service, to_string(one.where));
    }

    asio::io_context& context;
    stream_watch watch; // its own: checks may outlive the worker by a little
    std::string service;
    upstream_directory& directory;
    upstream_policy const& policy;
    upstream_metrics metrics;
    tls_client const* tls;
    std::vector<address_metrics> addresses;
    bool stopped{false};
};

namespace {

using resolver_type = asio::ip::basic_resolver<asio::ip::tcp, io_executor>;

constexpr std::string_view name_of(health_state said) {
    switch (said) {
    case health_state::unknown: return "unknown";
    case health_state::ready: return "ready";
    case health_state::unready: return "not ready";
    case health_state::refused: return "no connection";
    case health_state::silent: return "no answer";
    }
    return "";
}

template <class State>
void publish(State& s) {
    std::vector<std::array<int, 3>> counts(s.addresses.size());
    bool any = false;
    for (auto const& one : s.directory.targets()) {
        auto const said = one->said.load(std::memory_order_relaxed);
        bool const answers = said <= health_state::unready;
        auto& count = counts[one->configured];
        count[0] += 1;
        count[1] += said == health_state::ready ? 1 : 0;
        count[2] += answers ? 1 : 0;
        any = any || answers;
    }
    for (std::size_t i = 0; i < counts.size(); ++i) {
        s.addresses[i].known.set(counts[i][0]);
        s.addresses[i].ready.set(counts[i][1]);
        s.addresses[i].answering.set(counts[i][2]);
    }
    s.metrics.up.set(any ? 1 : 0);
}

template <class State>
task<void> check(std::shared_ptr<State> s, std::shared_ptr<upstream_target> target) {
    target->being_checked = true;
    auto const found = co_await check_health(s->watch, target, s->policy.health_path, s->policy.health_timeout, s->tls);
    target->being_checked = false;
    if (s->stopped) co_return;
    auto const before = target->said.load(std::memory_order_relaxed);
    auto const now = evaluate(before, found, target->silent_in_row);
    if (now == before) co_return;
    s->directory.note_state(*target, now);
    publish(*s);
    auto const& configured = s->directory.configured()[target->configured];
    auto const address = to_string(configured.where);
    bool const good = now == health_state::ready;
    (good ? log::info : log::warning)("upstream_health",
                                      {{"service", s->service}, {"address", address}, {"state", name_of(now)}});
}

template <class State>
task<void> check_all(std::shared_ptr<State> s) {
    while (!s->stopped) {
        for (auto const& target : s->directory.targets())
            if (!target->being_checked) spawn(s->context, check(s, target));
        publish(*s);
        co_await sleep_for(s->policy.health_interval);
    }
}

// Resolves on Asio's own thread. While nothing is known, more often.
template <class State>
task<void> keep_resolved(std::shared_ptr<State> s, std::size_t configured) {
    constexpr std::chrono::milliseconds unknown_interval{1'000};
    auto const where = s->directory.configured()[configured].where;
    auto const port = std::to_string(where.port);
    for (bool asked = false; !s->stopped; asked = true) {
        resolver_type resolver(s->context);
        auto const [error, found] = co_await resolver.async_resolve(where.host, port, use_task_tuple);
        if (s->stopped) co_return;
        if (error) log::warning("resolve_failed", {{"host", where.host}, {"message", error.message()}});
        std::vector<socket_address> addresses;
        for (auto const& one : found) addresses.push_back(one.endpoint());
        s->directory.replace(configured, addresses);
        if (!asked) s->directory.note_asked();
        bool const known = !addresses.empty() || s->directory.targets().size() > 0;
        auto const pause = known ? s->policy.resolve_interval : std::min(unknown_interval, s->policy.resolve_interval);
        co_await sleep_for(pause);
    }
}

} // namespace

upstream_monitor::upstream_monitor(asio::io_context& context, ticker& clock, std::string service,
                                   upstream_directory& directory, upstream_policy const& policy,
                                   metrics::registry& registry, tls_client const* tls)
    : state_(std::make_shared<state>(context, clock, std::move(service), directory, policy, registry, tls)) {
    auto const& configured = directory.configured();
    for (std::size_t i = 0; i < configured.size(); ++i)
        if (is_name(configured[i].where)) spawn(context, keep_resolved(state_, i));
    spawn(context, check_all(state_));
}

upstream_monitor::~upstream_monitor() {
    state_->stopped = true;
    state_->watch.stop();
}

} // namespace recruiting::gateway
