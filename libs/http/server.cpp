#include "http/server.hpp"

#include "async/listener.hpp"
#include "http/session.hpp"

#include <list>

namespace recruiting::http {

struct server::state : std::enable_shared_from_this<state> {
    state(asio::io_context& context, ticker& clock, server_settings s, handler& h)
        : io(context), ticks(clock), watch(context, clock), settings(std::move(s)), app(h),
          listening(context, settings.listen, settings.sockets,
                    [this](stream_socket socket, socket_address const& remote) { begin(std::move(socket), remote); }) {}

    void begin(stream_socket socket, socket_address const& remote);
    void stop_listening();

    asio::io_context& io;
    ticker& ticks;
    stream_watch watch;
    server_settings settings;
    handler& app;
    listener listening;
    std::list<session*> sessions;
    ticker::subscription subscription{};
    coarse_clock::time_point stop_listening_at{coarse_clock::time_point::max()};
    bool draining{false};
};

namespace {

template <class State>
task<void> serve(std::shared_ptr<State> state, stream_socket socket, socket_address remote) {
    session connection(std::move(socket), remote, state->watch, state->settings, state->app);
    auto const at = state->sessions.insert(state->sessions.end(), &connection);
    if (state->draining) connection.end_after_answer();
    co_await connection
        .serve_requests(); // NOLINT(bugprone-use-after-move): clang-tidy takes the frame for a second use
    state->sessions.erase(at);
}

} // namespace

void server::state::begin(stream_socket socket, socket_address const& remote) {
    spawn(io, serve(shared_from_this(), std::move(socket), remote));
}

void server::state::stop_listening() {
    stop_listening_at = coarse_clock::time_point::max();
    listening.stop();
    for (auto* connection : sessions) connection->drain();
}

server::server(asio::io_context& context, ticker& clock, server_settings settings, handler& app)
    : state_(std::make_shared<state>(context, clock, std::move(settings), app)) {
    state_->subscription = clock.subscribe([s = state_.get()](coarse_clock::time_point now) {
        s->listening.on_tick(now);
        if (now >= s->stop_listening_at) s->stop_listening();
    });
}

server::~server() {
    state_->ticks.unsubscribe(state_->subscription);
    close();
    state_->watch.stop();
}

void server::listen() { state_->listening.start(); }

void server::divert_new_connections() noexcept { state_->listening.divert_new_connections(); }

void server::drain() {
    if (std::exchange(state_->draining, true)) return;
    divert_new_connections();
    for (auto* connection : state_->sessions) connection->end_after_answer();
    auto const delay = state_->settings.drain_delay;
    if (delay.count() == 0) return state_->stop_listening();
    state_->stop_listening_at = coarse_clock::now() + delay;
}

bool server::drained() const noexcept { return !state_->listening.is_open() && state_->sessions.empty(); }

void server::close() {
    state_->draining = true;
    if (state_->listening.is_open()) state_->stop_listening();
    for (auto* connection : state_->sessions) connection->close();
}

std::size_t server::connections() const noexcept { return state_->sessions.size(); }

endpoint server::local() const { return state_->listening.local(); }

} // namespace recruiting::http
