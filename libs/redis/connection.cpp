#include "redis/connection.hpp"

#include "async/task.hpp"
#include "async/ticker.hpp"
#include "core/redact.hpp"
#include "redis/channel.hpp"
#include "redis/sentinels.hpp"

#include <array>
#include <deque>
#include <optional>

namespace recruiting::redis {

struct connection::state : std::enable_shared_from_this<connection::state> {
    struct pending {
        std::size_t expected;
        coarse_clock::time_point late_at;
        handler done;
        std::vector<reply> replies;
    };

    state(asio::io_context& context, address a, options o)
        : io(context), to(std::move(a)), how(std::move(o)), master(to.where),
          tls(to.is_encrypted ? std::make_shared<session_source>(to.tls) : nullptr), wire(context, tls),
          deadline(context), pause(context), check(context) {
        if (to.sentinels.empty()) return;
        asking = std::make_shared<sentinel_list>(context, to, tls);
        watching = std::make_shared<sentinel_list>(context, to, tls);
    }

    asio::io_context& io;
    address to;
    options how;
    endpoint master;                         // where the connection leads
    std::shared_ptr<sentinel_list> asking{}; // before connecting; none: no Sentinels
    std::shared_ptr<sentinel_list> watching{};
    std::shared_ptr<session_source> tls; // none: not encrypted
    channel wire;
    timer_type deadline; // one for all batches: fires when the oldest is late
    timer_type pause;
    timer_type check;
    reply_reader reader;
    std::deque<pending> waiting;
    std::vector<reply> spare; // storage of the last batch's replies
    std::string unsent;       // what the channel did not take at once
    std::array<char, 16 * 1024> input{};
    unsigned generation{0};
    bool up{false};
    std::optional<bool> reported_up;
    bool deadline_armed{false};
    bool writing{false};
    bool stopped{false};

    void send(std::string_view bytes, std::size_t expected, handler done, coarse_clock::time_point late_at);
    void write(std::string_view bytes);
    void write_rest();
    void arm_deadline();
    void drop(std::string_view why);
    void report(bool is_up, std::string_view why);
    void take(std::string_view bytes);
    task<std::string> connect();
    task<void> read_until_lost();
    static task<void> keep(std::shared_ptr<state> self);
    static task<void> follow(std::shared_ptr<state> self);
};

void connection::state::send(std::string_view bytes, std::size_t expected, handler done,
                             coarse_clock::time_point late_at) {
    waiting.push_back({expected, late_at, std::move(done), std::exchange(spare, {})});
    arm_deadline();
    write(bytes);
}

// The kernel takes a pipelined write at once, unless Redis has stopped reading. An error shows again when the channel
// is read, at the latest when the reply is due.
void connection::state::write(std::string_view bytes) {
    if (unsent.empty()) bytes.remove_prefix(wire.write_some(bytes).value_or(0));
    unsent += bytes;
    write_rest();
}

void connection::state::write_rest() {
    if (unsent.empty() || writing) return;
    writing = true;
    wire.when_writable([self = shared_from_this(), made = generation](auto error) {
        if (made != self->generation) return; // of a connection that is gone
        self->writing = false;
        auto const sent = error ? std::nullopt : self->wire.write_some(self->unsent);
        if (!sent) return;
        self->unsent.erase(0, *sent);
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
        if (coarse_clock::now() >= self->waiting.front().late_at) return self->drop("no reply in time");
        self->arm_deadline();
    });
}

// Fails everything that waits. The reading coroutine sees the closed socket and makes a new connection.
void connection::state::drop(std::string_view why) {
    up = false;
    ++generation;
    writing = false;
    unsent.clear();
    wire.close();
    report(false, why);
    auto failed = std::exchange(waiting, {});
    for (auto& batch : failed) {
        std::vector<reply> none;
        batch.done(batch_status::lost, none);
    }
}

void connection::state::report(bool is_up, std::string_view why) {
    if (reported_up == is_up) return;
    reported_up = is_up;
    if (how.on_state && !stopped) how.on_state(is_up, why);
}

void connection::state::take(std::string_view bytes) {
    bool demoted = false;
    reader.feed(bytes);
    for (auto answer = reader.next(); answer; answer = reader.next()) {
        if (waiting.empty()) throw protocol_error("an unexpected reply");
        demoted = demoted || (asking && answer->is_error() && answer->text.starts_with("READONLY"));
        auto& first = waiting.front();
        first.replies.push_back(std::move(*answer));
        if (first.replies.size() < first.expected) continue;
        auto finished = std::move(first);
        waiting.pop_front();
        finished.done(batch_status::answered, finished.replies);
        spare = std::move(finished.replies);
        spare.clear();
    }
    if (demoted) drop("no longer the master");
}

// To the Redis the Sentinels name, if there are any. AUTH, SELECT, ROLE and a PING: only a Redis that answers them all
// is up. One that loads its data or asks for a password is not; nor one that is no master, when Sentinels named it; nor
// one that takes longer for another PING than batches are given. Returns why it is not; empty: it is up.
task<std::string> connection::state::connect() {
    if (asking) {
        auto const found = co_await asking->ask();
        if (!found || stopped) co_return "no Sentinel names a master: " + asking->failure();
        master = *found;
    }
    pause.expires_after(how.connect_limit);
    pause.async_wait([self = shared_from_this()](auto cancelled) {
        if (!cancelled) self->wire.close();
    });
    batch hello;
    add_login(hello, to.as);
    if (to.database != 0) hello.add({"SELECT", std::to_string(to.database)});
    if (asking) hello.add({"ROLE"});
    batch ping;
    ping.add({"PING"});
    std::vector<reply> replies;
    bool good = co_await wire.connect(master);
    if (good && !hello.empty()) good = co_await wire.exchange(hello, replies);
    auto const began = coarse_clock::now();
    if (good) good = co_await wire.exchange(ping, replies);
    bool const late = coarse_clock::now() - began >= how.response_limit;
    pause.cancel();
    if (!good) co_return wire.failure();
    for (auto const& one : replies)
        if (one.is_error()) co_return printable(one.text, 200);
    if (late) co_return "no reply in time";
    if (asking && !is_master(replies[replies.size() - 2])) co_return "the Sentinels name a server that is no master";
    co_return std::string();
}

task<void> connection::state::read_until_lost() {
    auto const made = generation;
    while (made == generation) {
        auto const [error, size] = co_await wire.read_some(input);
        if (made != generation) co_return;
        if (error) co_return drop(wire.failure(error));
        try {
            take({input.data(), size});
        } catch (protocol_error const& broken) {
            drop(broken.what());
        }
    }
}

task<void> connection::state::keep(std::shared_ptr<state> self) {
    auto& s = *self;
    while (!s.stopped) {
        auto const wrong = co_await s.connect();
        if (wrong.empty() && !s.stopped) {
            s.up = true;
            s.reader = {};
            s.report(true, {});
            co_await s.read_until_lost();
        } else {
            if (s.asking) s.asking->try_next();
            s.drop(wrong);
        }
        if (s.stopped) break;
        s.pause.expires_after(s.how.retry_pause);
        auto const [waited] = co_await s.pause.async_wait(use_task_tuple);
        static_cast<void>(waited);
    }
    s.wire.close();
}

// An old master that is cut off from the Sentinels still takes itself for the master: they are asked now and then.
// Two have to agree, so that one which has not heard of a failover yet doesn't send the connection back.
task<void> connection::state::follow(std::shared_ptr<state> self) {
    auto& s = *self;
    while (!s.stopped) {
        s.check.expires_after(s.how.sentinel_check);
        auto const [waited] = co_await s.check.async_wait(use_task_tuple);
        static_cast<void>(waited);
        auto const made = s.generation;
        if (s.stopped || !s.up) continue;
        auto const first = co_await s.watching->ask();
        if (!first || *first == s.master || made != s.generation) continue;
        s.watching->try_next();
        auto const second = co_await s.watching->ask();
        if (second == first && made == s.generation && s.up) s.drop("the Sentinels name another master");
    }
}

connection::connection(asio::io_context& context, address to, options how)
    : state_(std::make_shared<state>(context, std::move(to), std::move(how))) {
    spawn(context, state::keep(state_));
    if (state_->watching) spawn(context, state::follow(state_));
}

connection::~connection() { stop(); }

bool connection::ready() const noexcept { return state_->up; }

void connection::send(batch const& commands, handler done, std::chrono::steady_clock::time_point late_at) {
    if (!state_->up) {
        std::vector<reply> none;
        return done(batch_status::refused, none);
    }
    state_->send(commands.bytes(), commands.size(), std::move(done), late_at);
}

void connection::send(batch const& commands, handler done) {
    send(commands, std::move(done), coarse_clock::now() + state_->how.response_limit);
}

void connection::stop() {
    if (std::exchange(state_->stopped, true)) return;
    state_->pause.cancel();
    state_->deadline.cancel();
    state_->check.cancel();
    if (state_->asking) state_->asking->close();
    if (state_->watching) state_->watching->close();
    state_->drop("stopped");
}

} // namespace recruiting::redis
