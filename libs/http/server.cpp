#include "http/server.hpp"

#include "async/listener.hpp"
#include "core/log.hpp"
#include "http/session.hpp"

#include <boost/asio/ip/tcp.hpp>
#include <cstring>
#include <list>
#include <unistd.h>

namespace recruiting::http {

using tcp_socket = asio::basic_stream_socket<asio::generic::stream_protocol, io_executor>;

struct server::state {
    state(asio::io_context& context, ticker& clock, server_settings s, handler& h)
        : io(context), ticks(clock), settings(std::move(s)), app(h), acceptor(context) {}

    asio::io_context& io;
    ticker& ticks;
    server_settings settings;
    handler& app;
    stream_acceptor acceptor;
    std::list<session*> sessions;
    ticker::subscription subscription{};
    bool draining{false};
};

namespace {

template <class State>
task<void> serve(std::shared_ptr<State> state, tcp_socket socket) {
    session connection(std::move(socket), state->ticks, state->settings, state->app);
    auto const at = state->sessions.insert(state->sessions.end(), &connection);
    if (state->draining) connection.drain();
    co_await connection.run();
    state->sessions.erase(at);
}

constexpr std::chrono::milliseconds accept_pause{50};

// accept() fails for a while when descriptors run out: it is tried again, the listener never ends by itself.
template <class State>
task<void> accept_connections(std::shared_ptr<State> state) {
    for (;;) {
        tcp_socket socket(state->io);
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

} // namespace

server::server(asio::io_context& context, ticker& clock, server_settings settings, handler& app)
    : state_(std::make_shared<state>(context, clock, std::move(settings), app)) {
    listen_on(state_->acceptor, state_->settings.listen);
    state_->subscription = clock.subscribe([s = state_.get()](coarse_clock::time_point now) {
        for (auto* connection : s->sessions) connection->check_deadline(now);
    });
    spawn(context, accept_connections(state_));
}

server::~server() {
    state_->ticks.unsubscribe(state_->subscription);
    close();
}

void server::drain() {
    state_->draining = true;
    boost::system::error_code ignored;
    state_->acceptor.close(ignored);
    if (!state_->settings.listen.unix_path.empty()) ::unlink(state_->settings.listen.unix_path.c_str());
    for (auto* connection : state_->sessions) connection->drain();
}

void server::close() {
    if (!state_->draining) drain();
    for (auto* connection : state_->sessions) connection->close();
}

std::size_t server::connections() const noexcept { return state_->sessions.size(); }

endpoint server::local() const {
    auto where = state_->settings.listen;
    if (!where.unix_path.empty()) return where;
    auto const bound = state_->acceptor.local_endpoint();
    asio::ip::tcp::endpoint tcp;
    tcp.resize(bound.size());
    std::memcpy(tcp.data(), bound.data(), bound.size());
    where.port = tcp.port();
    return where;
}

} // namespace recruiting::http
