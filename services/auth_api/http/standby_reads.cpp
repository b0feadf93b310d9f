#include "auth_api/http/standby_reads.hpp"

#include "core/log.hpp"
#include "pg/standby_store.hpp"

#include <array>
#include <optional>
#include <utility>

namespace recruiting::auth_api {
namespace {

// What a search finds may be as old as this; a healthy standby is behind by milliseconds.
constexpr std::chrono::milliseconds max_lag{5'000};

struct standby_outcome {
    std::string_view label;
    std::string_view why_not; // the standby did not answer
    bool pauses;              // the next read would find the same
};
namespace outcomes {
constexpr standby_outcome used{"used", "", false};
constexpr standby_outcome unavailable{"unavailable", "it is unavailable", true};
constexpr standby_outcome another_server{"another_server", "it is no standby of the primary, or on another timeline",
                                         true};
constexpr standby_outcome behind{"behind", "it is behind the primary by more than the permitted lag", true};
constexpr standby_outcome failed{"failed", "a read failed", true};
constexpr standby_outcome principal{"principal", "the key or its owner is not there as on the primary", false};
constexpr standby_outcome canceled{"canceled", "replay canceled a read", false};
constexpr standby_outcome paused{"paused", "", false};
constexpr std::array all = {used, unavailable, another_server, behind, failed, principal, canceled, paused};
} // namespace outcomes

bool is_used(standby_outcome const& of) noexcept { return of.label == outcomes::used.label; }

// What a hiring manager may see depends on rows, which a standby may not have yet.
bool may_use_standby(auth::principal const& caller) {
    bool const whole_reach = caller.role == role::admin || caller.role == role::recruiter;
    return whole_reach && caller.state == auth::credential_state::active;
}

} // namespace

standby_counts::standby_counts(metrics::registry& registry) {
    for (auto const& one : outcomes::all)
        by_outcome[one.label] = &registry.add_counter("recruiting_auth_api_standby_reads_total",
                                                      "Reads that a standby may answer, by what became of them.",
                                                      "outcome=\"" + std::string(one.label) + '"');
}

struct standby_reads::state {
    state(asio::io_context& context, ticker& clock, shared_reads& on_primary, connections on,
          standby_counts const& counted, read_queue_settings const& limits, metrics::registry& metrics)
        : searches(context, clock, std::move(on.searches)), bulk(context, clock, std::move(on.bulk)),
          primary(on_primary), standby(context, clock, {&bulk, &searches, &bulk}, limits, metrics), counts(counted) {}

    struct answer {
        standby_outcome outcome;
        shared_result result{}; // what the standby answered
    };

    [[nodiscard]] bool is_worth_asking(read_cost cost);
    [[nodiscard]] task<std::optional<shared_result>>
    try_standby(auth::credential const& presented, std::vector<pg::statement> const& statements, read_cost cost);
    [[nodiscard]] task<answer> ask(auth::credential const& presented, std::vector<pg::statement> statements,
                                   read_cost cost, pg::server_moment const& of_primary);
    void note(standby_outcome const& what);

    pg::pipeline searches;
    pg::pipeline bulk;
    shared_reads& primary;
    shared_reads standby;
    standby_counts const& counts;
    pg::standby_use use;
};

void standby_reads::state::note(standby_outcome const& what) {
    counts.by_outcome.at(what.label)->add();
    if (what.label == outcomes::paused.label) return;
    if (!use.note(what.why_not, what.pauses, coarse_clock::now())) return;
    if (is_used(what)) log::info("reads_standby_used", {});
    else log::warning("reads_standby_rejected", {{"message", what.why_not}});
}

bool standby_reads::state::is_worth_asking(read_cost cost) {
    if (use.is_paused(coarse_clock::now())) {
        note(outcomes::paused);
        return false;
    }
    auto const& connection = cost == read_cost::search ? searches : bulk;
    if (!connection.ready()) note(outcomes::unavailable);
    return connection.ready();
}

// The moment is the first statement: what the others read is no older.
task<standby_reads::state::answer> standby_reads::state::ask(auth::credential const& presented,
                                                             std::vector<pg::statement> statements, read_cost cost,
                                                             pg::server_moment const& of_primary) {
    statements.insert(statements.begin(), pg::select_moment());
    answer out{outcomes::used};
    try {
        out.result = co_await standby.run(presented, std::move(statements), cost);
    } catch (too_many_waiting const&) {
        throw;
    } catch (waited_too_long const&) {
        throw;
    } catch (outage const&) {
        co_return answer{outcomes::unavailable};
    } catch (pg::query_error const& error) {
        if (error.sqlstate() == pg::query_canceled) throw; // it would take as long on the primary
        co_return answer{error.sqlstate().starts_with("40") ? outcomes::canceled : outcomes::failed};
    }
    if (!out.result.principal) co_return answer{outcomes::principal};
    switch (pg::compare(of_primary, pg::read_moment(out.result.rows.front()), max_lag)) {
    case pg::standby_state::another_server: co_return answer{outcomes::another_server};
    case pg::standby_state::behind: co_return answer{outcomes::behind};
    case pg::standby_state::current: break;
    }
    out.result.rows.erase(out.result.rows.begin());
    co_return out;
}

// nullopt: the primary is to answer.
task<std::optional<shared_result>> standby_reads::state::try_standby(auth::credential const& presented,
                                                                     std::vector<pg::statement> const& statements,
                                                                     read_cost cost) {
    std::vector<pg::statement> moment = {pg::select_moment()};
    auto const before = co_await primary.run(presented, std::move(moment));
    if (!before.principal || !may_use_standby(*before.principal)) co_return std::nullopt;
    auto const of_primary = pg::read_moment(before.rows.front());
    auto found = co_await ask(presented, statements, cost, of_primary);
    if (is_used(found.outcome)) { // the key may have been revoked while the read waited
        std::vector<pg::statement> none;
        auto const after = co_await primary.run(presented, std::move(none));
        bool const is_same = after.principal && *after.principal == *found.result.principal;
        if (!is_same) found.outcome = outcomes::principal;
    }
    note(found.outcome);
    if (!is_used(found.outcome)) co_return std::nullopt;
    co_return std::move(found.result);
}

standby_reads::standby_reads(asio::io_context& context, ticker& clock, shared_reads& primary, connections on,
                             standby_counts const& counts, read_queue_settings const& limits,
                             metrics::registry& metrics)
    : state_(std::make_shared<state>(context, clock, primary, std::move(on), counts, limits, metrics)) {}

standby_reads::~standby_reads() = default;

task<shared_result> standby_reads::run(auth::credential presented, std::vector<pg::statement> statements,
                                       read_cost cost) {
    auto const self = state_;
    std::optional<shared_result> found;
    if (self->is_worth_asking(cost)) found = co_await self->try_standby(presented, statements, cost);
    if (!found) found = co_await self->primary.run(presented, std::move(statements), cost);
    co_return std::move(*found);
}

} // namespace recruiting::auth_api
