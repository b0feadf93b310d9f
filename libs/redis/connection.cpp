#include "redis/connection.hpp"

#include "async/completion.hpp"
#include "async/ticker.hpp"
#include "core/error.hpp"

#include <array>
#include <boost/asio/basic_stream_socket.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/ip/basic_resolver.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <cerrno>
#include <deque>
#include <optional>
#include <sys/socket.h>

namespace recruiting::redis {
namespace {

using socket_type = asio::basic_stream_socket<asio::generic::stream_protocol, io_executor>;
using timer_type = asio::basic_waitable_timer<coarse_clock, asio::wait_traits<coarse_clock>, io_executor>;
using resolver_type = asio::ip::basic_resolver<asio::ip::tcp, io_executor>;

} // namespace

struct connection::state : std::enable_shared_from_this<connection::state> {
    struct pending {
        std::size_t expected;
        coarse_clock::time_point late_at;
        handler done;
        std::vector<reply> replies;
    };

    state(asio::io_context& context, address a, options o)
        : io(context), to(std::move(a)), how(std::move(o)), socket(context), deadline(context), pause(context),
          resolver(context) {}

    asio::io_context& io;
    address to;
    options how;
    socket_type socket;
    timer_type deadline; // one for all batches: fires when the oldest is late
    timer_type pause;
    resolver_type resolver;
    reply_reader reader;
    std::deque<pending> waiting;
    std::string unsent; // what the socket did not take at once
    std::array<char, 16 * 1024> input{};
    unsigned generation{0};
    bool up{false};
    std::optional<bool> told_up;
    bool deadline_armed{false};
    bool writing{false};
    bool stopped{false};

    void send(std::string_view bytes, std::size_t expected, handler done, std::chrono::milliseconds limit);
    void write(std::string_view bytes);
    void write_rest();
    void arm_deadline();
    void drop(std::string_view why);
    void tell(bool is_up, std::string_view why);
    void take(std::string_view bytes);
    task<bool> connect();
    task<bool> greet();
    task<void> read_until_lost();
    static task<void> keep(std::shared_ptr<state> self);
};

void connection::state::send(std::string_view bytes, std::size_t expected, handler done,
                             std::chrono::milliseconds limit) {
    waiting.push_back({expected, coarse_clock::now() + limit, std::move(done), {}});
    arm_deadline();
    write(bytes);
}

// The kernel takes a pipelined write at once, save when Redis does not read any more.
void connection::state::write(std::string_view bytes) {
    if (unsent.empty()) {
        auto const sent = ::send(socket.native_handle(), bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent > 0) bytes.remove_prefix(static_cast<std::size_t>(sent));
        // Any error shows again when the socket is read.
    }
    unsent += bytes;
    write_rest();
}

void connection::state::write_rest() {
    if (unsent.empty() || writing) return;
    writing = true;
    auto chunk = std::make_shared<std::string>(unsent.substr(0, 64 * 1024));
    socket.async_write_some(asio::buffer(*chunk),
                            [self = shared_from_this(), chunk, made = generation](auto error, std::size_t size) {
                                if (made != self->generation) return; // of a connection that is gone
                                self->writing = false;
                                if (error) return;
                                self->unsent.erase(0, size);
                                self->write_rest();
                            });
}

void connection::state::arm_deadline() {
    if (waiting.empty()) return;
    auto const due = waiting.front().late_at;
    if (deadline_armed && deadline.expiry() <= due) return;
    deadline_armed = true;
    deadline.expires_at(due); // cancels a later one: that of a greeting, which may take longer than a batch
    deadline.async_wait([self = shared_from_this()](auto cancelled) {
        if (cancelled) return;
        self->deadline_armed = false;
        if (self->waiting.empty()) return;
        if (coarse_clock::now() >= self->waiting.front().late_at) return self->drop("no answer in time");
        self->arm_deadline();
    });
}

// Fails everything that waits. The reading coroutine sees the closed socket and makes a new connection.
void connection::state::drop(std::string_view why) {
    up = false;
    ++generation;
    writing = false;
    unsent.clear();
    boost::system::error_code ignored;
    socket.close(ignored);
    tell(false, why);
    auto failed = std::exchange(waiting, {});
    for (auto& batch : failed) {
        std::vector<reply> none;
        batch.done(outcome::lost, none);
    }
}

void connection::state::tell(bool is_up, std::string_view why) {
    if (told_up == is_up) return;
    told_up = is_up;
    if (how.on_state && !stopped) how.on_state(is_up, why);
}

void connection::state::take(std::string_view bytes) {
    reader.feed(bytes);
    for (auto answer = reader.next(); answer; answer = reader.next()) {
        if (waiting.empty()) throw protocol_error("an answer nobody asked for");
        auto& first = waiting.front();
        first.replies.push_back(std::move(*answer));
        if (first.replies.size() < first.expected) continue;
        auto finished = std::move(first);
        waiting.pop_front();
        finished.done(outcome::answered, finished.replies);
    }
}

task<bool> connection::state::connect() {
    boost::system::error_code ignored;
    if (!to.where.unix_path.empty()) {
        asio::generic::stream_protocol::endpoint const there =
            asio::local::stream_protocol::endpoint(to.where.unix_path);
        auto const [error] = co_await socket.async_connect(there, use_task_tuple);
        co_return !error;
    }
    auto const port = std::to_string(to.where.port);
    auto const [resolve_error, found] = co_await resolver.async_resolve(to.where.host, port, use_task_tuple);
    if (resolve_error) co_return false;
    for (auto const& entry : found) {
        if (stopped) co_return false;
        socket.close(ignored);
        asio::generic::stream_protocol::endpoint const there = entry.endpoint();
        auto const [error] = co_await socket.async_connect(there, use_task_tuple);
        if (error) continue;
        socket.set_option(asio::ip::tcp::no_delay(true), ignored);
        co_return true;
    }
    co_return false;
}

// AUTH, SELECT and a PING: only a Redis that answers them all is up. One that loads its data, asks for a password or
// hangs is not.
task<bool> connection::state::greet() {
    batch hello;
    if (!to.password.empty() && to.user.empty()) hello.add({"AUTH", to.password});
    if (!to.password.empty() && !to.user.empty()) hello.add({"AUTH", to.user, to.password});
    if (to.database != 0) hello.add({"SELECT", std::to_string(to.database)});
    hello.add({"PING"});
    auto good = std::make_shared<std::optional<bool>>();
    handler const judge = [good](outcome what, std::vector<reply>& replies) {
        *good = what == outcome::answered;
        for (auto const& one : replies) *good = **good && !one.is_error();
    };
    reader = {};
    send(hello.bytes(), hello.size(), judge, how.connect_limit);
    while (!*good) {
        auto const [error, size] = co_await socket.async_read_some(asio::buffer(input), use_task_tuple);
        if (error) co_return false;
        try {
            take({input.data(), size});
        } catch (protocol_error const&) {
            co_return false;
        }
    }
    co_return **good;
}

task<void> connection::state::read_until_lost() {
    auto const made = generation;
    while (made == generation) {
        auto const [error, size] = co_await socket.async_read_some(asio::buffer(input), use_task_tuple);
        if (made != generation) co_return;
        if (error) co_return drop(error.message());
        try {
            take({input.data(), size});
        } catch (protocol_error const& broken) {
            drop(broken.what());
        }
    }
}

task<void> connection::state::keep(std::shared_ptr<state> self) {
    auto& s = *self;
    boost::system::error_code ignored;
    while (!s.stopped) {
        s.pause.expires_after(s.how.connect_limit);
        s.pause.async_wait([self](auto error) {
            if (error) return;
            self->resolver.cancel();
            boost::system::error_code none;
            self->socket.close(none);
        });
        bool good = co_await s.connect();
        s.pause.cancel();
        if (good && !s.stopped) good = co_await s.greet();
        if (good && !s.stopped) {
            s.up = true;
            s.tell(true, {});
            co_await s.read_until_lost();
        } else {
            s.drop("can't connect, or refused");
        }
        if (s.stopped) break;
        s.pause.expires_after(s.how.retry_pause);
        auto const [waited] = co_await s.pause.async_wait(use_task_tuple);
        static_cast<void>(waited);
    }
    s.socket.close(ignored);
}

connection::connection(asio::io_context& context, address to, options how)
    : state_(std::make_shared<state>(context, std::move(to), std::move(how))) {
    spawn(context, state::keep(state_));
}

connection::~connection() { stop(); }

bool connection::ready() const noexcept { return state_->up; }

unsigned connection::generation() const noexcept { return state_->generation; }

void connection::send(batch const& commands, handler done) {
    if (!state_->up) {
        std::vector<reply> none;
        return done(outcome::refused, none);
    }
    state_->send(commands.bytes(), commands.size(), std::move(done), state_->how.answer_limit);
}

task<std::vector<reply>> connection::run(batch commands) {
    using waiter = completion<std::vector<reply>>;
    auto const start = [this, &commands](waiter resume) {
        auto shared = std::make_shared<waiter>(std::move(resume));
        send(commands, [shared](outcome what, std::vector<reply>& replies) {
            if (what == outcome::answered) return shared->succeed(std::move(replies));
            shared->fail(std::make_exception_ptr(outage("Redis does not answer")));
        });
    };
    auto replies = co_await suspend<std::vector<reply>>(state_->io.get_executor(), start);
    co_return replies;
}

void connection::stop() {
    if (std::exchange(state_->stopped, true)) return;
    state_->resolver.cancel();
    state_->pause.cancel();
    state_->deadline.cancel();
    state_->drop("stopped");
}

} // namespace recruiting::redis
