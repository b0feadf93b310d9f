// Counting over Redis' restarts (decision 31) as a model: two gateways, or two threads of one, count the requests of
// one client in one window, while Redis restarts empty, is flushed or fails over, answers late or with an error, and
// gateways crash. The gateways' arithmetic is request_count and evaluate() themselves. That limiter and redis_counter
// call them in this order is tested in tests/integration/gateway (redis_states_test, counting_test, sentinel_test).
#include "gateway/rate_limit/request_count.hpp"
#include "support/catch.hpp"
#include "support/explore.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace count_model_test {
using namespace recruiting;
using namespace recruiting::gateway;

namespace {

constexpr limit_policy policy{1, 60};
constexpr auto nothing_lacks =
    "once every gateway has polled, Redis has every request that came but those whose write was lost on the way";

struct redis_write {
    request_count::delta sent;
    std::int64_t n{0}; // requests that wait for it; 0: a report of what the generation lacks
    generation under{0};
    std::optional<std::int64_t> total{}; // Redis has executed it, and the reply is on its way
    auto operator<=>(redis_write const&) const = default;
};

struct gateway_thread {
    std::optional<generation> under{}; // nothing: no connection, or none that has told the generation yet
    std::optional<redis_write> sent{};
    bool cut{false}; // its connection, which it has not noticed yet
    bool must_report{false};
    auto operator<=>(gateway_thread const&) const = default;
};

struct gateway_process {
    request_count counts;
    bool unreported{false}; // local_counts::has_unreported
    std::int64_t passed{0};
    std::int64_t excused{0}; // sent before it noticed that Redis had lost counts
    std::array<gateway_thread, 2> threads{};
    auto operator<=>(gateway_process const&) const = default;
};

// What breaks a rule when the gateways do it wrong.
enum class mistake { none, reports_a_lost_write_again, reports_an_error_never, does_not_notice_generations };

struct world {
    mistake made{mistake::none};
    gateway_process first, second;
    generation current{1};
    std::array<std::int64_t, 4> counted{}; // by generation
    std::optional<redis_write> late{};     // given up by its gateway, but not lost: Redis may execute it yet
    int requests{0};                       // still to come
    int faults{0};
    int crashes{0};
    // What nobody in the world knows, for the rules.
    std::int64_t arrived{0};
    std::array<std::int64_t, 4> lost{}; // by generation: sent by a gateway and not executed
    unsigned ranks{0};
    bool disturbed{false}; // a fault, or a request that was counted locally
    bool rank_twice{false}, rank_too_high{false};
    auto operator<=>(world const&) const = default;
};

using step = explore::actor_step<world, gateway_process>;

void answer(world& w, gateway_process& p, std::int64_t n, std::int64_t base) {
    if (n == 0) return;
    auto const rank = base + n;
    if (evaluate(rank, policy, 60).allowed) ++p.passed;
    w.rank_too_high |= rank > w.arrived;
    if (w.disturbed) return;
    w.rank_twice |= (w.ranks >> rank & 1U) != 0;
    w.ranks |= 1U << rank;
}

void disturb(world& w) {
    w.disturbed = true;
    w.ranks = 0;
}

void send(world const& w, gateway_process& p, gateway_thread& t, std::int64_t n) {
    if (*t.under != w.current) p.excused += n;
    t.sent = redis_write{p.counts.take_delta(n, *t.under), n, *t.under};
}

void execute(world& w, redis_write& write) {
    w.counted.at(write.under) += write.sent.report;
    write.total = w.counted.at(write.under);
}

bool take_request(world& w, gateway_process& p, gateway_thread& t) {
    if (w.requests == 0 || t.sent) return false;
    --w.requests;
    ++w.arrived;
    if (t.under) {
        send(w, p, t, 1);
        return true;
    }
    disturb(w);
    p.unreported = true;
    answer(w, p, 1, p.counts.count_locally(1));
    return true;
}

bool take_reply(world& w, gateway_process& p, gateway_thread& t) {
    if (t.cut || !t.sent || !t.sent->total) return false;
    auto const done = *std::exchange(t.sent, {});
    answer(w, p, done.n, p.counts.answered(done.n, done.under, done.sent, *done.total).base);
    return true;
}

// Redis has executed the write or not, the gateway can't know: redis::batch_status::lost.
void lose(world& w, gateway_process& p, gateway_thread& t) {
    t.under.reset();
    if (!t.sent) return;
    auto const done = *std::exchange(t.sent, {});
    if (!done.total) w.lost.at(done.under) += done.sent.report;
    answer(w, p, done.n, p.counts.failed(done.n, done.under, done.sent, w.made != mistake::reports_a_lost_write_again));
}

bool notice_cut(world& w, gateway_process& p, gateway_thread& t) {
    if (!std::exchange(t.cut, false)) return false;
    lose(w, p, t);
    return true;
}

bool begin_fault(world& w) {
    disturb(w);
    return w.faults-- > 0;
}

bool wait_too_long(world& w, gateway_process& p, gateway_thread& t) {
    if (!t.sent || t.cut || !begin_fault(w)) return false;
    if (!t.sent->total) w.late = t.sent;
    lose(w, p, t);
    return true;
}

bool get_error(world& w, gateway_process& p, gateway_thread& t) {
    if (!t.sent || t.sent->total || t.cut || !begin_fault(w)) return false;
    auto const done = *std::exchange(t.sent, {});
    p.unreported = true;
    bool const is_forgotten = w.made == mistake::reports_an_error_never;
    answer(w, p, done.n, p.counts.failed(done.n, done.under, done.sent, is_forgotten));
    return true;
}

// redis_counter::poll and learn.
bool poll(world& w, gateway_process& p, gateway_thread& t) {
    if (t.sent || t.cut) return false;
    auto const found = w.made == mistake::does_not_notice_generations ? 1 : w.current;
    t.must_report |= t.under != found;
    t.under = found;
    t.must_report |= std::exchange(p.unreported, false);
    if (std::exchange(t.must_report, false) && p.counts.has_unreported(found)) send(w, p, t, 0);
    return true;
}

bool let_redis_execute(world& w, gateway_thread& t) {
    if (!t.sent || t.sent->total || t.cut) return false;
    execute(w, *t.sent);
    return true;
}

template <class Visit>
void for_each_thread(world& w, Visit const& visit) {
    for (auto* const process : {&w.first, &w.second})
        for (auto& thread : process->threads) visit(*process, thread);
}

// Once: a gateway tells two generations apart.
bool begin_generation(world& w, bool keeps_counts, bool cuts) {
    if (w.current != 1 || !begin_fault(w)) return false;
    ++w.current;
    if (!keeps_counts) w.counted = {};
    if (cuts) w.late.reset();
    for_each_thread(w, [&](auto& p, auto& t) {
        if (cuts) t.cut = t.under || t.sent;
        else if (t.sent) p.excused += t.sent->n;
    });
    return true;
}

// All faults are over, and every thread has polled.
world settled(world w) {
    w.late.reset();
    for_each_thread(w, [&](auto& p, auto& t) {
        static_cast<void>(let_redis_execute(w, t));
        static_cast<void>(take_reply(w, p, t) || notice_cut(w, p, t));
    });
    for_each_thread(w, [&](auto& p, auto& t) {
        static_cast<void>(poll(w, p, t) && let_redis_execute(w, t) && take_reply(w, p, t));
    });
    return w;
}

std::vector<step> thread_steps(std::size_t number) {
    auto const of = [number](auto what) {
        return [number, what](world& w, gateway_process& p) { return what(w, p, p.threads.at(number)); };
    };
    auto const name = "(thread " + std::to_string(number + 1) + ") ";
    return {{name + "takes a request", of(take_request)},
            {name + "takes Redis' reply", of(take_reply)},
            {name + "notices that its connection is cut", of(notice_cut)},
            {name + "gets no reply within 50 ms", of(wait_too_long)},
            {name + "gets an error for a reply", of(get_error)},
            {name + "polls the generation", of(poll)},
            {name + "has its write executed by Redis",
             [=](world& w, gateway_process& p) { return let_redis_execute(w, p.threads.at(number)); }}};
}

struct extent {
    int requests, faults, crashes;
};

// Two threads: of two gateways, or of one.
explore::model<world> counting(int gateways, extent most, mistake made = mistake::none) {
    explore::model<world> out{{}};
    auto& first = out.start.first;
    out.start.made = made;
    out.start.requests = most.requests;
    out.start.faults = most.faults;
    out.start.crashes = most.crashes;
    first.threads[0].under = 1;
    (gateways == 2 ? out.start.second.threads[0] : first.threads[1]).under = 1;
    auto steps = thread_steps(0);
    if (gateways == 2) add_actor(out, "gateway 2", &world::second, steps);
    else std::ranges::move(thread_steps(1), std::back_inserter(steps));
    add_actor(out, "gateway 1", &world::first, std::move(steps));
    out.steps.push_back({"Redis restarts empty", [](world& w) { return begin_generation(w, false, true); }});
    out.steps.push_back({"Redis is flushed", [](world& w) { return begin_generation(w, false, false); }});
    out.steps.push_back({"another Redis takes over, the old one still answers",
                         [](world& w) { return begin_generation(w, true, false); }});
    out.steps.push_back({"Redis executes a write that its gateway gave up", [](world& w) {
                             if (!w.late) return false;
                             w.lost.at(w.late->under) -= w.late->sent.report;
                             execute(w, *w.late);
                             w.late.reset();
                             return true;
                         }});
    out.rules = {{"a request ranks no higher than the number of requests that came: none is counted twice",
                  [](world const& w) { return !w.rank_too_high; }},
                 {"while Redis works, each rank is given once, and the limit is exact over all gateways",
                  [](world const& w) {
                      return w.disturbed || (!w.rank_twice && w.first.passed + w.second.passed <= policy.limit);
                  }},
                 {"whatever Redis does, a gateway lets no more than the limit pass, but what it sent before it noticed "
                  "that Redis lost counts",
                  [](world const& w) {
                      return w.first.passed <= policy.limit + w.first.excused &&
                             w.second.passed <= policy.limit + w.second.excused;
                  }},
                 {nothing_lacks, [most](world const& w) {
                      if (w.crashes < most.crashes) return true; // a gateway's counts are lost with it
                      auto const after = settled(w);
                      return after.counted.at(after.current) == after.arrived - after.lost.at(after.current);
                  }}};
    return out;
}

} // namespace

TEST_CASE("model of counting: two gateways stay within the bounds of the rate limit whatever Redis does",
          "[gateway][counts][model]") {
    for (auto const most : {extent{3, 1, 0}, extent{2, 1, 1}}) CHECK(explore::explore(counting(2, most)).text() == "");
}

TEST_CASE("model of counting: two threads of a gateway do", "[gateway][counts][model]") {
    for (auto const most : {extent{3, 1, 0}, extent{2, 2, 0}}) CHECK(explore::explore(counting(1, most)).text() == "");
}

TEST_CASE("model of counting: the explorer finds what gateways could do wrong", "[gateway][counts][model]") {
    using enum mistake;
    for (auto const made : {reports_a_lost_write_again, reports_an_error_never, does_not_notice_generations})
        CHECK(explore::explore(counting(2, {3, 1, 0}, made)).rule == nothing_lacks);
}

} // namespace count_model_test
