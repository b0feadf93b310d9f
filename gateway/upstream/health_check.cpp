// Keeps a service's directory: resolves its names and checks the health of its addresses.
#include "core/log.hpp"
#include "gateway/upstream/pool.hpp"

#include <array>
#include <boost/asio/ip/basic_resolver.hpp>
#include <boost/asio/ip/tcp.hpp>

namespace recruiting::gateway {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view health_path = "/readyz"; // of our services' admin ports; 2xx means ready
// Shorter than the services' DRAIN_DELAY (1 s), so that one that stops is noticed while it still serves.
constexpr auto check_interval = 500ms;
constexpr auto check_timeout = 1s;
// Names of Kubernetes' headless services change with every pod; while nothing is known, a start waits for it.
constexpr auto resolve_interval = 5s;
constexpr auto unknown_interval = 1s;
constexpr std::chrono::hours unlimited{1}; // a stream_timeout holds

struct monitor {
    asio::io_context& context;
    stream_watch watch; // its own: checks may outlive the worker by a little
    std::string service;
    upstream_directory& directory;
    tls_client const* tls;
    bool stopped{false};
};

health_state reached(connect_result how) noexcept {
    return how == connect_result::refused ? health_state::refused : health_state::silent;
}

task<health_state> ask(stream_watch& watch, socket_address const& where) {
    stream connection(watch);
    stream_timeout const timeout(connection, check_timeout);
    auto const connected = co_await connection.connect(where);
    if (connected != connect_result::made) co_return reached(connected);
    std::string const request = "GET " + std::string(health_path) +
                                " HTTP/1.1\r\nHost: localhost\r\nUser-Agent: recruiting-gateway\r\nConnection: "
                                "close\r\n\r\n";
    gather text;
    text.add(request);
    bool const sent = co_await connection.write(text, unlimited);
    byte_buffer received;
    for (auto outcome = sent ? read_outcome::data : read_outcome::closed; outcome == read_outcome::data;) {
        auto const got = co_await connection.read(received, unlimited);
        outcome = got;
        auto const state = read_check_answer(received.view());
        if (state) co_return *state;
    }
    co_return health_state::silent;
}

} // namespace

std::optional<health_state> read_check_answer(std::string_view received) noexcept {
    constexpr std::string_view start = "HTTP/1.";
    auto const seen = received.substr(0, start.size());
    if (seen != start.substr(0, seen.size())) return health_state::unready;
    if (received.size() < 12) return std::nullopt;
    return received[8] == ' ' && received[9] == '2' ? health_state::ready : health_state::unready;
}

task<connect_result> connect_to(std::shared_ptr<upstream_target> target, stream& connection, tls_client const* tls,
                                std::chrono::milliseconds limit) {
    stream_timeout const timeout(connection, limit);
    auto const connected = co_await connection.connect(target->where);
    if (connected != connect_result::made || tls == nullptr) co_return connected;
    auto session = tls->connect_session(target->name);
    std::string nothing_read;
    bool const agreed = co_await connection.handshake(std::move(session), std::move(nothing_read), unlimited);
    co_return agreed ? connect_result::made : connect_result::refused;
}

void log_tls_failure(upstream_target const& target, stream const& connection) {
    if (!connection.tls()) return;
    auto const why = connection.is_broken() ? "it took too long" : connection.tls().failure();
    log::warning("upstream_tls_failed", {{"address", target.host}, {"message", why}});
}

namespace {

constexpr std::array state_names = {"unknown", "ready", "not ready", "no connection", "no answer"};

// Asks the target's health address for the path, or only connects when it has none. When nobody answers there, the
// service's own address decides between unready and away.
task<health_state> find_state(std::shared_ptr<monitor> s, std::shared_ptr<upstream_target> target) {
    if (target->health) {
        auto const found = co_await ask(s->watch, *target->health);
        if (found <= health_state::unready) co_return found;
    }
    stream connection(s->watch);
    auto const connected = co_await connect_to(target, connection, s->tls, check_timeout);
    if (connected != connect_result::made) {
        if (answers(target->checked)) log_tls_failure(*target, connection); // else it is in the log
        co_return reached(connected);
    }
    co_return target->health ? health_state::unready : health_state::ready;
}

task<void> check(std::shared_ptr<monitor> s, std::shared_ptr<upstream_target> target) {
    auto const found = co_await find_state(s, target);
    target->being_checked = false;
    if (s->stopped) co_return;
    auto const before = target->checked.load(std::memory_order_relaxed);
    auto const now = evaluate(before, found, target->silent_in_row);
    if (now == before) co_return;
    s->directory.note_state(*target, now);
    auto const address = to_string(s->directory.configured()[target->configured].where);
    bool const good = now == health_state::ready;
    log::write(
        good ? log::level::info : log::level::warning, "upstream_health",
        {{"service", s->service}, {"address", address}, {"state", state_names.at(static_cast<std::size_t>(now))}});
}

task<void> check_all(std::shared_ptr<monitor> s) {
    while (!s->stopped) {
        for (auto const& target : s->directory.targets())
            if (!std::exchange(target->being_checked, true)) spawn(s->context, check(s, target));
        co_await sleep_for(check_interval);
    }
}

// Resolves on Asio's own thread. While nothing is known, more often.
task<void> keep_resolved(std::shared_ptr<monitor> s, std::size_t configured) {
    auto const where = s->directory.configured()[configured].where;
    auto const port = std::to_string(where.port);
    while (!s->stopped) {
        asio::ip::basic_resolver<asio::ip::tcp, io_executor> resolver(s->context);
        auto const [error, found] = co_await resolver.async_resolve(where.host, port, use_task_tuple);
        if (s->stopped) co_return;
        if (error) log::warning("resolve_failed", {{"host", where.host}, {"message", error.message()}});
        std::vector<socket_address> addresses;
        for (auto const& one : found) addresses.push_back(one.endpoint());
        s->directory.replace(configured, addresses);
        auto const pause = s->directory.targets().empty() ? unknown_interval : resolve_interval;
        co_await sleep_for(pause);
    }
}

} // namespace

std::shared_ptr<void> start_monitor(asio::io_context& context, ticker& clock, std::string service,
                                    upstream_directory& directory, metrics::registry& registry, tls_client const* tls) {
    directory.declare_metrics(registry, service);
    std::shared_ptr<monitor> const made(new monitor{context, {context, clock}, std::move(service), directory, tls});
    for (std::size_t i = 0; i < directory.configured().size(); ++i)
        if (!literal_address(directory.configured()[i].where)) spawn(context, keep_resolved(made, i));
    spawn(context, check_all(made));
    return {nullptr, [made](void*) {
                made->stopped = true;
                made->watch.stop();
            }};
}

} // namespace recruiting::gateway
