// A run and its lease (decision 40) as a model: two processes get the same Idempotency-Key, each can crash and lose its
// connection at any moment, while the reaper and a reader of the session look on. The processes decide by decide(),
// effective_status() and lease_table; steps of PostgreSQL name the statement of begin_store or run_store that they
// stand for. That the statements do so is tested in tests/integration/auth_api/agent (idempotency_test, dying_test,
// run_store_test). shorten_leases is no step: a lease that it changes lasts as long as a renewal at that moment.
#include "auth_api/agent/run/leases.hpp"
#include "auth_api/agent/run/run.hpp"
#include "support/catch.hpp"
#include "support/explore.hpp"

#include <optional>

namespace run_model_test {
using namespace recruiting;
using namespace recruiting::auth_api::agent;

namespace {

constexpr auto one_run = "of one key one run begins at most";
constexpr auto one_end = "a run that has ended stays as it ended";
constexpr auto one_answer = "no client is told that a run failed, and another one that it completed";
constexpr auto no_late_change = "a run changes nothing after a client was told that it failed";
constexpr auto own_clock = "a process never believes in its lease longer than PostgreSQL does";

constexpr int lease = 3;  // moments
constexpr int margin = 1; // "the last tenth of a lease", and the longest that a commit takes

struct stored_run {
    int id{0};
    run_status status{run_status::in_progress};
    int lease_left{lease}; // by PostgreSQL's clock
    bool changed{false};   // the change that a tool makes
    auto operator<=>(stored_run const&) const = default;
};

// What PostgreSQL has evaluated and not committed yet. It holds the run's row, and outlives the process that sent it.
struct transaction {
    bool completes{false}; // complete_run; else hold_run and a tool's change
    int age{0};
    auto operator<=>(transaction const&) const = default;
};

enum class at { idle, looked, beginning, working, changing, changed, completing, failing };

struct process {
    at now{at::idle};
    invoke_action action{invoke_action::begin};
    int run{0};        // the one it begins or works on
    int lease_left{0}; // by its own clock, since it sent the beginning or the last renewal
    auto operator<=>(process const&) const = default;
};

enum class mistake {
    none,
    key_not_unique,
    completes_without_lease,
    no_margin,
    reaps_what_has_ended,
    counts_lease_from_answer
};

struct world {
    mistake made{mistake::none};
    process first, second;
    std::optional<stored_run> run{};
    std::optional<transaction> open{};
    int crashes{2};
    int ids{0};
    // For the rules.
    int begun{0};
    std::optional<run_status> first_end{};
    bool told_failed{false}, told_completed{false};
    bool changed_after_failure{false};
    auto operator<=>(world const&) const = default;
};

uuid id_of(int run) {
    uuid out;
    out.bytes[15] = static_cast<std::uint8_t>(run);
    return out;
}

run_record record_of(stored_run const& run) {
    run_record out;
    out.status = run.status;
    out.lease_expired = run.status == run_status::in_progress && run.lease_left <= 0;
    return out;
}

bool is_owner(world const& w, process const& p) {
    return w.run && w.run->id == p.run && w.run->status == run_status::in_progress;
}

void tell(world& w) {
    auto const status = effective_status(record_of(*w.run));
    w.told_failed |= status == run_status::failed;
    w.told_completed |= status == run_status::completed;
}

void end(world& w, run_status status) {
    w.run->status = status;
    if (!w.first_end) w.first_end = status;
}

bool look_up(world& w, process& p) { // find_run_by_key
    if (p.now != at::idle) return false;
    found_state found;
    if (w.run) found.run = record_of(*w.run);
    p.now = at::looked;
    p.action = decide(false, found, {});
    return true;
}

bool act(world& w, process& p) {
    if (p.now != at::looked || p.action == invoke_action::begin) return false;
    if (p.action == invoke_action::answer) tell(w);
    if (p.action == invoke_action::fail_expired) { // fail_run, of any process
        if (w.open) return false;                  // waits for the row
        if (record_of(*w.run).lease_expired) end(w, run_status::failed);
    }
    p = {};
    return true;
}

bool begin(world& w, process& p, bool is_answered) { // begin_run; sent again until it is answered
    bool const is_first = p.now == at::looked && p.action == invoke_action::begin;
    if (!is_first && p.now != at::beginning) return false;
    if (is_first) p = {at::beginning, p.action, ++w.ids, lease};
    bool const is_mine = w.run && w.run->id == p.run;
    if (!w.run || (w.made == mistake::key_not_unique && !is_mine)) {
        w.run = stored_run{p.run};
        ++w.begun;
    }
    if (!is_answered) return true;
    if (w.made == mistake::counts_lease_from_answer) p.lease_left = lease;
    if (w.run->id == p.run) p.now = at::working;
    else p = {}; // taken
    return true;
}

bool is_lost(process const& p) {
    lease_table table;
    table.hold(id_of(p.run), lease_table::time{} + std::chrono::seconds(p.lease_left));
    return table.is_over(id_of(p.run), lease_table::time{});
}

bool may_write(world const& w, process const& p, bool needs_lease = true) {
    int const least = w.made == mistake::no_margin ? 0 : margin;
    return is_owner(w, p) && (!needs_lease || w.run->lease_left > least);
}

bool send(world& w, process& p, at from, at to, transaction what) {
    if (p.now != from || w.open) return false;
    if (is_lost(p)) {
        p.now = at::failing;
        return true;
    }
    bool const needs_lease = !what.completes || w.made != mistake::completes_without_lease;
    if (may_write(w, p, needs_lease)) w.open = what;
    p.now = to;
    return true;
}

bool take_change(world& w, process& p) {
    if (p.now != at::changing || w.open) return false;
    p.now = w.run->changed ? at::changed : at::failing; // refused, or no answer came
    return true;
}

bool send_end_again(world& w, process& p) { // its answer got lost
    if (p.now != at::completing || w.open || !may_write(w, p)) return false;
    w.open = transaction{true};
    return true;
}

bool take_end(world& w, process& p) { // find_run behind complete_run
    if (p.now != at::completing || w.open) return false;
    if (w.run->id == p.run && w.run->status == run_status::in_progress) {
        p.now = at::failing;
        return true;
    }
    tell(w);
    p = {};
    return true;
}

bool fail(world& w, process& p) { // fail_run, of the owner, and find_run
    if (p.now != at::failing || w.open) return false;
    if (is_owner(w, p)) end(w, run_status::failed);
    tell(w);
    p = {};
    return true;
}

bool renew(world& w, process& p) { // renew_leases: passes over a row that is held
    if (p.run == 0 || p.now == at::beginning) return false;
    renewal answer;
    if (is_owner(w, p)) answer.kept = {id_of(p.run)};
    if (may_write(w, p) && !w.open) answer.renewed = answer.kept;
    lease_table table;
    table.hold(id_of(p.run), lease_table::time{} + std::chrono::seconds(p.lease_left));
    auto const asked = table.runs();
    auto const lost = table.renew(asked, answer, lease_table::time{} + std::chrono::seconds(lease));
    if (!answer.renewed.empty()) w.run->lease_left = lease;
    p.lease_left = !lost.empty() ? 0 : answer.renewed.empty() ? p.lease_left : lease;
    return true;
}

bool commit(world& w) {
    if (!w.open) return false;
    auto const done = *std::exchange(w.open, {});
    if (done.completes) {
        end(w, run_status::completed);
    } else {
        w.run->changed = true;
        w.changed_after_failure |= w.told_failed;
    }
    return true;
}

bool pass_time(world& w) {
    if (w.open && w.open->age++ == margin) return false;
    if (w.run) w.run->lease_left = std::max(0, w.run->lease_left - 1);
    for (auto* const one : {&w.first, &w.second}) one->lease_left = std::max(0, one->lease_left - 1);
    return true;
}

bool reap(world& w) { // fail_expired_runs: passes over a row that is held
    bool const ignores_status = w.made == mistake::reaps_what_has_ended;
    if (!w.run || w.open || w.run->lease_left > 0) return false;
    if (w.run->status != run_status::in_progress && !ignores_status) return false;
    end(w, run_status::failed);
    return true;
}

bool ends_by_itself(world w) {
    w.open.reset();
    for (int i = 0; i < lease; ++i) static_cast<void>(pass_time(w));
    static_cast<void>(reap(w));
    return !w.run || w.run->status != run_status::in_progress;
}

explore::model<world> run_and_lease(mistake made = mistake::none) {
    explore::model<world> out{{}};
    out.start.made = made;
    auto const begins = [](bool is_answered) {
        return [is_answered](world& w, process& p) { return begin(w, p, is_answered); };
    };
    std::vector<explore::actor_step<world, process>> const steps = {
        {"looks the key up", look_up},
        {"does what it found", act},
        {"begins a run", begins(true)},
        {"begins a run, but gets no answer", begins(false)},
        {"sends its change", [](world& w, process& p) { return send(w, p, at::working, at::changing, {false}); }},
        {"sees what became of its change", take_change},
        {"sends its reply", [](world& w, process& p) { return send(w, p, at::changed, at::completing, {true}); }},
        {"sends its reply again", send_end_again},
        {"sees how its run ended", take_end},
        {"fails its run", fail},
        {"renews its lease", renew}};
    add_actor(out, "process 1", &world::first, steps);
    add_actor(out, "process 2", &world::second, steps);
    out.steps.push_back({"PostgreSQL commits", commit});
    out.steps.push_back({"PostgreSQL rolls back", [](world& w) { return std::exchange(w.open, {}).has_value(); }});
    out.steps.push_back({"a moment passes", pass_time});
    out.steps.push_back({"the reaper fails the expired run", reap});
    out.steps.push_back({"a client reads the session", [](world& w) { return w.run && (tell(w), true); }});
    out.rules = {{one_run, [](world const& w) { return w.begun <= 1; }},
                 {one_end, [](world const& w) { return !w.first_end || w.run->status == *w.first_end; }},
                 {one_answer, [](world const& w) { return !(w.told_failed && w.told_completed); }},
                 {no_late_change, [](world const& w) { return !w.changed_after_failure; }},
                 {own_clock,
                  [](world const& w) {
                      return (!is_owner(w, w.first) || w.first.lease_left <= w.run->lease_left) &&
                             (!is_owner(w, w.second) || w.second.lease_left <= w.run->lease_left);
                  }},
                 {"a run ends when its lease has passed, though every process has died", ends_by_itself}};
    return out;
}

} // namespace

TEST_CASE("model of a run: one key is one run with one end, whichever process dies when", "[agent][model]") {
    CHECK(explore::explore(run_and_lease()).text() == "");
}

TEST_CASE("model of a run: the explorer finds a lost lease check, and other mistakes", "[agent][model]") {
    auto const found = [](mistake made) { return explore::explore(run_and_lease(made)).rule; };
    CHECK(found(mistake::key_not_unique) == one_run);
    CHECK(found(mistake::completes_without_lease) == one_answer);
    CHECK(found(mistake::no_margin) == no_late_change);
    CHECK(found(mistake::reaps_what_has_ended) == one_end);
    CHECK(found(mistake::counts_lease_from_answer) == own_clock);
}

} // namespace run_model_test
