#include "http/server.hpp"

#include "async/listener.hpp"
#include "core/log.hpp"
#include "http/session.hpp"

#include <list>

namespace recruiting::http {

struct server::state : std::enable_shared_from_this<state> {
    state(asio::io_context& context, ticker& clock, server_settings s, handler& h)
        : io(context), ticks(clock), watch(context, clock), settings(std::move(s)), app(h), acceptor(context) {}

    asio::io_context& io;
    ticker& ticks;
    stream_watch watch;
    server_settings settings;
    handler& app;
    stream_acceptor acceptor;
    std::list<session*> sessions;
    ticker::subscription subscription{};
    coarse_clock::time_point stop_listening_at{coarse_clock::time_point::max()};
    coarse_clock::time_point forget_at{};
    bool draining{false};
    bool diverts_new_connections{false};
};

namespace {

template <class State>
task<void> serve(std::shared_ptr<State> state, stream_socket socket) {
    session connection(std::move(socket), state->watch, state->settings, state->app);
    auto const at = state->sessions.insert(state->sessions.end(), &connection);
    if (state->draining) connection.end_after_answer();
    co_await connection.run(); // NOLINT(bugprone-use-after-move): clang-tidy takes the frame for a second use
    state->sessions.erase(at);
}

constexpr std::chrono::milliseconds accept_pause{50};

// accept() fails for a while when descriptors run out: it is tried again, the listener never ends by itself.
template <class State>
task<void> accept_connections(std::shared_ptr<State> state) {
    for (;;) {
        stream_socket socket(state->io);
        auto const [error] = co_await state->acceptor.async_accept(socket, use_task_tuple);
        if (!state->acceptor.is_open()) co_return;
        if (error) {
            log::warning("accept_failed", {{"message", error.message()}});
            co_await sleep_for(accept_pause);
            continue;
        }
        spawn(state->io, serve(state, std::move(socket)));
    }
}

// A connection that waits to be accepted would be reset by the close, and what it sent be lost.
template <class State>
void accept_the_last(std::shared_ptr<State> const& state) {
    boost::system::error_code error;
    state->acceptor.non_blocking(true, error);
    while (!error) {
        stream_socket socket(state->io);
        state->acceptor.accept(socket, error);
        if (!error) spawn(state->io, serve(state, std::move(socket)));
    }
}

template <class State>
void stop_listening(std::shared_ptr<State> const& state) {
    state->stop_listening_at = coarse_clock::time_point::max();
    accept_the_last(state);
    boost::system::error_code ignored;
    state->acceptor.close(ignored);
    for (auto* connection : state->sessions) connection->drain();
}

// The selection that a predecessor set with divert_new_connections outlives it and then names one of our sockets: reset
// it now and then. So a program that diverts repeats it; in between, connections come to both. A single socket can't
// be named wrongly and forgets nothing: a readiness check never reaches the program that goes.
template <class State>
void keep_port(State& state, coarse_clock::time_point now) noexcept {
    constexpr std::chrono::seconds forget_every{2};
    if (!state.acceptor.is_open()) return;
    if (state.diverts_new_connections) return divert_new_connections(state.acceptor, state.settings.sockets);
    if (state.settings.sockets == 1 || now < state.forget_at) return;
    state.forget_at = now + forget_every;
    reset_reuseport_selection(state.acceptor);
}

} // namespace

server::server(asio::io_context& context, ticker& clock, server_settings settings, handler& app)
    : state_(std::make_shared<state>(context, clock, std::move(settings), app)) {
    listen_on(state_->acceptor, state_->settings.listen);
    state_->subscription = clock.subscribe([s = state_.get()](coarse_clock::time_point now) {
        keep_port(*s, now);
        if (now >= s->stop_listening_at) stop_listening(s->shared_from_this());
    });
    spawn(context, accept_connections(state_));
}

server::~server() {
    state_->ticks.unsubscribe(state_->subscription);
    close();
    state_->watch.stop();
}

void server::divert_new_connections() noexcept {
    state_->diverts_new_connections = true;
    keep_port(*state_, state_->ticks.now());
}

void server::drain() {
    if (std::exchange(state_->draining, true)) return;
    divert_new_connections();
    for (auto* connection : state_->sessions) connection->end_after_answer();
    auto const delay = state_->settings.drain_delay;
    if (delay.count() == 0) return stop_listening(state_);
    state_->stop_listening_at = coarse_clock::now() + delay;
}

bool server::drained() const noexcept { return !state_->acceptor.is_open() && state_->sessions.empty(); }

void server::close() {
    state_->draining = true;
    if (state_->acceptor.is_open()) stop_listening(state_);
    for (auto* connection : state_->sessions) connection->close();
}

std::size_t server::connections() const noexcept { return state_->sessions.size(); }

endpoint server::local() const {
    auto where = state_->settings.listen;
    if (!where.unix_path.empty()) return where;
    where.port = tcp_endpoint_of(state_->acceptor.local_endpoint()).port();
    return where;
}

} // namespace recruiting::http
