// Counting while Redis loses counts, as a model: two gateways, or two threads of one, count the requests of one client
// in one window, while Redis restarts empty or is flushed, answers late or with an error, and gateways crash. The
// arithmetic is client_count itself. That limiter calls it in this order is tested in tests/integration/gateway.
#include "rate_limit/counts.hpp"
#include "support/catch.hpp"
#include "support/explore.hpp"

#include <optional>

namespace count_model_test {
using namespace recruiting;
using namespace recruiting::rate_limit;

namespace {

constexpr std::int64_t limit = 1;
constexpr auto reports_all = "with the next request of each gateway Redis has every request that came, but those whose "
                             "write was not answered, and those of other gateways that it has lost";

struct redis_write {
    client_count::write sent;
    std::int64_t n{0};                   // requests that wait for it; 0: a report of what Redis lost
    std::optional<std::int64_t> total{}; // Redis has executed it, and the reply is on its way
    auto operator<=>(redis_write const&) const = default;
};

struct gateway_thread {
    bool is_connected{false};
    bool is_cut{false}; // its connection, which it has not noticed yet
    std::optional<redis_write> sent{};
    auto operator<=>(gateway_thread const&) const = default;
};

struct gateway_process {
    client_count count;
    std::int64_t passed{0};
    std::int64_t excused{0}; // in progress when Redis lost counts
    std::array<gateway_thread, 2> threads{};
    auto operator<=>(gateway_process const&) const = default;
};

// What breaks a rule when the gateways do it wrong.
enum class mistake { none, reports_a_late_write_again, reports_an_error_never, does_not_notice_losses };

struct world {
    mistake made{mistake::none};
    gateway_process first, second;
    std::int64_t counted{0};
    std::optional<redis_write> late{}; // given up by its gateway; Redis may execute it yet
    int requests{0};                   // still to come
    int faults{0};
    int crashes{0};
    // What nobody in the world knows, for the rules.
    std::int64_t arrived{0};
    std::int64_t unanswered{0};
    unsigned numbers{0};
    bool has_lost{false};
    bool is_disturbed{false}; // a fault, or a request that was counted locally
    bool gives_twice{false}, gives_too_high{false};
    auto operator<=>(world const&) const = default;
};

using step = explore::actor_step<world, gateway_process>;

void disturb(world& w) {
    w.is_disturbed = true;
    w.numbers = 0;
}

bool begin_fault(world& w) {
    disturb(w);
    return w.faults-- > 0;
}

void answer(world& w, gateway_process& p, std::int64_t n, std::int64_t base) {
    if (n == 0) return;
    auto const number = base + n;
    if (number <= limit) ++p.passed;
    w.gives_too_high |= number > w.arrived;
    if (w.is_disturbed) return;
    w.gives_twice |= (w.numbers >> number & 1U) != 0;
    w.numbers |= 1U << number;
}

bool take_request(world& w, gateway_process& p, gateway_thread& t) {
    if (w.requests == 0 || t.sent) return false;
    --w.requests;
    ++w.arrived;
    if (t.is_connected) {
        t.sent = redis_write{p.count.take(1), 1};
        return true;
    }
    disturb(w);
    answer(w, p, 1, p.count.count_locally(1));
    return true;
}

void execute(world& w, redis_write& write) {
    w.counted += write.sent.report;
    write.total = w.counted;
}

bool let_redis_execute(world& w, gateway_process&, gateway_thread& t) {
    if (!t.sent || t.sent->total || t.is_cut) return false;
    execute(w, *t.sent);
    return true;
}

bool take_reply(world& w, gateway_process& p, gateway_thread& t) {
    if (t.is_cut || !t.sent || !t.sent->total) return false;
    auto done = *std::exchange(t.sent, {});
    if (w.made == mistake::does_not_notice_losses) done.sent.confirmed = 0;
    auto const numbered = p.count.answered(done.n, done.sent, *done.total);
    answer(w, p, done.n, numbered.base);
    if (numbered.has_lost && done.n > 0) t.sent = redis_write{p.count.take(0), 0};
    return true;
}

// Redis has executed the write or not, the gateway can't know.
void lose(world& w, gateway_process& p, gateway_thread& t) {
    t.is_connected = false;
    if (!t.sent) return;
    auto const done = *std::exchange(t.sent, {});
    bool const is_refused = w.made == mistake::reports_a_late_write_again;
    w.unanswered += done.sent.report;
    answer(w, p, done.n, p.count.failed(done.n, done.sent, is_refused));
}

bool notice_cut(world& w, gateway_process& p, gateway_thread& t) {
    if (!std::exchange(t.is_cut, false)) return false;
    lose(w, p, t);
    return true;
}

bool connect(world&, gateway_process&, gateway_thread& t) { return !t.is_cut && !std::exchange(t.is_connected, true); }

bool wait_too_long(world& w, gateway_process& p, gateway_thread& t) {
    if (!t.sent || t.is_cut || !begin_fault(w)) return false;
    if (!t.sent->total) w.late = t.sent;
    lose(w, p, t);
    return true;
}

bool get_error(world& w, gateway_process& p, gateway_thread& t) {
    if (!t.sent || t.sent->total || t.is_cut || !begin_fault(w)) return false;
    auto const done = *std::exchange(t.sent, {});
    answer(w, p, done.n, p.count.failed(done.n, done.sent, w.made != mistake::reports_an_error_never));
    return true;
}

template <class Visit>
void for_each_thread(world& w, Visit const& visit) {
    for (auto* const process : {&w.first, &w.second})
        for (auto& thread : process->threads) visit(*process, thread);
}

bool lose_counts(world& w, bool cuts) {
    if (!begin_fault(w)) return false;
    w.counted = 0;
    w.has_lost = true;
    if (cuts) w.late.reset();
    for_each_thread(w, [&](auto& p, auto& t) {
        if (t.sent) p.excused += t.sent->n;
        t.is_cut = cuts && t.is_connected;
    });
    return true;
}

// All faults are over, and every gateway has reported: what it knew of, and what that showed to be lost.
world settled(world w) {
    for_each_thread(w, [&](auto& p, auto& t) {
        static_cast<void>(notice_cut(w, p, t));
        while (t.sent) static_cast<void>(let_redis_execute(w, p, t) || take_reply(w, p, t));
    });
    for (auto* const p : {&w.first, &w.second})
        for (int round = 0; round < 2; ++round) {
            redis_write report{p->count.take(0), 0};
            execute(w, report);
            if (w.made == mistake::does_not_notice_losses) report.sent.confirmed = 0;
            static_cast<void>(p->count.answered(0, report.sent, *report.total));
        }
    return w;
}

std::vector<step> thread_steps(std::size_t number) {
    auto const of = [number](auto what) {
        return [number, what](world& w, gateway_process& p) { return what(w, p, p.threads.at(number)); };
    };
    auto const name = "(thread " + std::to_string(number + 1) + ") ";
    return {{name + "takes a request", of(take_request)},
            {name + "has its write executed by Redis", of(let_redis_execute)},
            {name + "takes Redis' reply", of(take_reply)},
            {name + "notices that its connection is cut", of(notice_cut)},
            {name + "connects", of(connect)},
            {name + "gets no reply within 50 ms", of(wait_too_long)},
            {name + "gets an error for a reply", of(get_error)}};
}

struct extent {
    int requests, faults, crashes;
};

// Two threads: of two gateways, or of one.
explore::model<world> counting(int gateways, extent most, mistake made = mistake::none) {
    explore::model<world> out{{}};
    out.start.made = made;
    out.start.requests = most.requests;
    out.start.faults = most.faults;
    out.start.crashes = most.crashes;
    out.start.first.threads[0].is_connected = true;
    (gateways == 2 ? out.start.second.threads[0] : out.start.first.threads[1]).is_connected = true;
    auto steps = thread_steps(0);
    if (gateways == 2) add_actor(out, "gateway 2", &world::second, steps);
    else std::ranges::move(thread_steps(1), std::back_inserter(steps));
    add_actor(out, "gateway 1", &world::first, std::move(steps));
    out.steps.push_back({"Redis restarts empty", [](world& w) { return lose_counts(w, true); }});
    out.steps.push_back({"Redis is flushed", [](world& w) { return lose_counts(w, false); }});
    out.steps.push_back({"Redis executes a write that its gateway gave up", [](world& w) {
                             if (!w.late) return false;
                             execute(w, *w.late);
                             w.late.reset();
                             return true;
                         }});
    out.rules = {
        {"no number is higher than the number of requests that came: none is counted twice",
         [](world const& w) { return !w.gives_too_high; }},
        {"while Redis is well, each number is given once, and the limit is exact over all gateways",
         [](world const& w) {
             return w.is_disturbed || (!w.gives_twice && w.first.passed + w.second.passed <= limit);
         }},
        {"whatever Redis does, a gateway lets no more than the limit pass, but what was in progress when Redis "
         "lost counts",
         [](world const& w) {
             return w.first.passed <= limit + w.first.excused && w.second.passed <= limit + w.second.excused;
         }},
        {reports_all, [gateways, most](world const& w) {
             if (w.crashes < most.crashes || (gateways == 2 && w.has_lost)) return true;
             auto const after = settled(w);
             return after.counted <= after.arrived && after.counted >= after.arrived - after.unanswered;
         }}};
    return out;
}

} // namespace

TEST_CASE("model of counting: two gateways stay within the bounds of the rate limit whatever Redis does",
          "[rate_limit][model]") {
    for (auto const most : {extent{3, 1, 0}, extent{2, 2, 0}, extent{2, 1, 1}})
        CHECK(explore::explore(counting(2, most)).text() == "");
}

TEST_CASE("model of counting: two threads of a gateway do", "[rate_limit][model]") {
    for (auto const most : {extent{3, 1, 0}, extent{2, 2, 0}}) CHECK(explore::explore(counting(1, most)).text() == "");
}

TEST_CASE("model of counting: the explorer finds what gateways could do wrong", "[rate_limit][model]") {
    using enum mistake;
    for (auto const made : {reports_a_late_write_again, reports_an_error_never, does_not_notice_losses})
        CHECK(explore::explore(counting(1, {3, 1, 0}, made)).rule == reports_all);
}

} // namespace count_model_test
