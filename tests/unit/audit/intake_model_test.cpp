// The audit log's intake and seal_audit_rows() (decision 90) as a model: two services append batches, a worker and a
// reader seal, retention drops what is old, and each can be killed at any moment. The chain is hashed by chain_hash()
// and checked by chain_check, as recruitctl audit verify does; the other steps of PostgreSQL name what they stand for
// in migrations 38 and 40. That it does so is tested in tests/integration/auth_api/background (audit_sealer_test,
// audit_retention_test) and audit/batcher_test.
#include "audit/seal.hpp"
#include "audit/verify.hpp"
#include "support/catch.hpp"
#include "support/explore.hpp"

#include <algorithm>
#include <optional>

namespace intake_model_test {
using namespace recruiting;
using namespace recruiting::audit;

namespace {

constexpr auto once = "a row whose request was answered is in the intake or in the log, once, until retention takes it";
constexpr auto one_chain = "the log is one chain without a gap, which ends at its head";
constexpr auto seen = "who asks for the log sees every row whose request was answered before";
constexpr auto all_sealed = "whoever was killed, the next who seals leaves nothing in the intake";

constexpr int old_row = 0; // in the intake from the start, and past retention; the others are numbered from 1 on
constexpr int most_rows = 2;
timestamp const today{std::chrono::sys_days{std::chrono::year{2026} / 3 / 1}};

struct batch {
    int id{0};
    int row{0};
    auto operator<=>(batch const&) const = default;
};

struct sealed_row {
    std::int64_t sequence{0};
    int row{0};
    digest hash{};
    bool dropped{false}; // by retention, which keeps its seal
    auto operator<=>(sealed_row const&) const = default;
};

struct chain_head {
    std::int64_t sequence{0};
    digest hash{no_previous_hash};
    auto operator<=>(chain_head const&) const = default;
};

struct writer {
    enum class phase { idle, inserted, committed };
    writer::phase now{phase::idle};
    batch sent{};
    auto operator<=>(writer const&) const = default;
};

// A session that calls seal_audit_rows(). It waits for the lock, reads the intake and the head, writes, and commits.
struct sealer {
    enum class phase { idle, asked, locked, read, done };
    sealer::phase now{phase::idle};
    unsigned expected{0}; // of a reader: the rows whose requests were answered when it asked
    std::vector<batch> found{};
    chain_head head{};
    auto operator<=>(sealer const&) const = default;
};

enum class mistake { none, no_lock, answers_before_commit, reader_does_not_seal, chain_start_forgotten };

struct world {
    mistake made{mistake::none};
    writer first, second;
    sealer worker, reader;
    std::vector<batch> intake{{1, old_row}}; // committed
    std::vector<sealed_row> log{};
    chain_head head{};                 // audit_heads
    std::optional<chain_head> start{}; // audit_chain_starts
    int ids{1};                        // batches get their ids before they commit
    int rows{0};
    int crashes{1};
    unsigned answered{0}; // rows whose requests were
    bool missed{false};
    auto operator<=>(world const&) const = default;
};

using writing = writer::phase;
using sealing = sealer::phase;

stored_event event_of(int row) {
    stored_event out;
    out.id.bytes[15] = static_cast<std::uint8_t>(row);
    out.occurred_at = row == old_row ? today - std::chrono::hours(24 * 60) : today;
    out.actor_type = "api_key";
    out.action = "api.request";
    return out;
}

bool insert(world& w, writer& p) { // insert_events
    if (p.now != writing::idle || w.rows == most_rows) return false;
    p = {writing::inserted, {++w.ids, ++w.rows}};
    if (w.made == mistake::answers_before_commit) w.answered |= 1U << p.sent.row;
    return true;
}

bool commit_batch(world& w, writer& p) {
    if (p.now != writing::inserted) return false;
    w.intake.insert(std::ranges::upper_bound(w.intake, p.sent), p.sent);
    p.now = writing::committed;
    return true;
}

bool answer(world& w, writer& p) {
    if (p.now != writing::committed) return false;
    w.answered |= 1U << p.sent.row;
    p = {};
    return true;
}

bool ask(world& w, sealer& p) {
    if (p.now != sealing::idle) return false;
    p.now = sealing::asked;
    if (&p == &w.reader) p.expected = w.answered;
    return true;
}

bool is_locked(world const& w) {
    auto const holds = [](sealer const& p) { return p.now == sealing::locked || p.now == sealing::read; };
    return w.made != mistake::no_lock && (holds(w.worker) || holds(w.reader));
}

bool lock(world& w, sealer& p) {
    if (p.now != sealing::asked || is_locked(w)) return false;
    p.now = sealing::locked;
    if (&p == &w.reader && w.made == mistake::reader_does_not_seal) p.now = sealing::done;
    return true;
}

// What the statement after the lock sees: the oldest batches, and the head. A worker seals one, a reader all.
bool read_intake(world& w, sealer& p) {
    if (p.now != sealing::locked) return false;
    auto const most = &p == &w.worker ? std::min<std::size_t>(1, w.intake.size()) : w.intake.size();
    p = {sealing::read, p.expected, {w.intake.begin(), w.intake.begin() + static_cast<std::ptrdiff_t>(most)}, w.head};
    return true;
}

// DELETE … RETURNING gives what no other session has deleted meanwhile.
bool commit_seals(world& w, sealer& p) {
    if (p.now != sealing::read) return false;
    for (auto const& each : p.found) {
        if (std::erase(w.intake, each) == 0) continue;
        std::string scratch;
        p.head.hash = chain_hash(bytes_of(p.head.hash), event_of(each.row), ++p.head.sequence, scratch);
        w.log.push_back({p.head.sequence, each.row, p.head.hash});
        w.head = p.head;
    }
    p = {&p == &w.worker ? sealing::idle : sealing::done, p.expected};
    return true;
}

bool is_there(world const& w, int row) {
    return std::ranges::any_of(w.log, [row](auto const& one) { return one.row == row; });
}

bool read_log(world& w, sealer& p) {
    if (p.now != sealing::done) return false;
    for (int row = 1; row <= most_rows; ++row) w.missed |= (p.expected >> row & 1U) != 0 && !is_there(w, row);
    p = {};
    return true;
}

// drop_audit_months(): not while anybody seals, nor while a row of that time waits. Keeps seals that later rows need.
bool drop_old(world& w) {
    auto const old = std::ranges::find(w.log, old_row, &sealed_row::row);
    if (is_locked(w) || old == w.log.end() || old->dropped) return false;
    old->dropped = true;
    if (old == w.log.begin()) {
        if (w.made != mistake::chain_start_forgotten) w.start = chain_head{old->sequence, old->hash};
        w.log.erase(old);
    }
    return true;
}

bool is_one_chain(world const& w) { // verify_store
    bool right = true;
    std::optional<chain_start> start;
    if (w.start) start = chain_start{{w.start->sequence, w.start->hash}, today};
    chain_check check({}, start, {}, [&](discrepancy const&) { right = false; });
    auto rows = w.log;
    std::ranges::sort(rows);
    for (auto const& one : rows) {
        auto const event = event_of(one.row);
        check.add({one.sequence, event.id, event.occurred_at, bytes_of(one.hash)}, one.dropped ? nullptr : &event);
    }
    check.finish(chain_end{w.head.sequence, w.head.hash});
    return right;
}

bool is_kept_once(world const& w) {
    for (int row = 1; row <= most_rows; ++row) {
        auto const times =
            std::ranges::count(w.intake, row, &batch::row) + std::ranges::count(w.log, row, &sealed_row::row);
        if (times > 1 || (times == 0 && (w.answered >> row & 1U) != 0)) return false;
    }
    return true;
}

bool can_all_be_sealed(world w) {
    for (auto* const one : {&w.worker, &w.reader}) *one = {};
    w.made = mistake::none;
    static_cast<void>(ask(w, w.reader) && lock(w, w.reader) && read_intake(w, w.reader) && commit_seals(w, w.reader));
    return w.intake.empty() && is_one_chain(w);
}

explore::model<world> sealing_rows(mistake made = mistake::none) {
    explore::model<world> out{{}};
    out.start.made = made;
    std::vector<explore::actor_step<world, writer>> const writes = {
        {"inserts a batch", insert}, {"commits it", commit_batch}, {"answers the request", answer}};
    std::vector<explore::actor_step<world, sealer>> const seals = {{"calls seal_audit_rows()", ask},
                                                                   {"gets the lock", lock},
                                                                   {"reads the intake and the head", read_intake},
                                                                   {"commits what it sealed", commit_seals}};
    auto reads = seals;
    reads.push_back({"reads the log", read_log});
    add_actor(out, "service 1", &world::first, writes);
    add_actor(out, "service 2", &world::second, writes);
    add_actor(out, "the worker", &world::worker, seals);
    add_actor(out, "the reader", &world::reader, reads);
    out.steps.push_back({"retention drops what is old", drop_old});
    out.rules = {{once, is_kept_once},
                 {one_chain, is_one_chain},
                 {seen, [](world const& w) { return !w.missed; }},
                 {all_sealed, can_all_be_sealed}};
    return out;
}

} // namespace

TEST_CASE("model of the audit log: a row is kept once, in one chain, and seen, whoever is killed when",
          "[audit][model]") {
    CHECK(explore::explore(sealing_rows()).text() == "");
}

TEST_CASE("model of the audit log: the explorer finds a second sealer without the lock, and other mistakes",
          "[audit][model]") {
    auto const found = [](mistake made) { return explore::explore(sealing_rows(made)).rule; };
    CHECK(found(mistake::no_lock) == one_chain);
    CHECK(found(mistake::answers_before_commit) == once);
    CHECK(found(mistake::reader_does_not_seal) == seen);
    CHECK(found(mistake::chain_start_forgotten) == one_chain);
}

} // namespace intake_model_test
