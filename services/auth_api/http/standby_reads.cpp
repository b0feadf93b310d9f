#include "auth_api/http/read.hpp"
#include "core/log.hpp"

#include <array>
#include <optional>
#include <utility>

namespace recruiting::auth_api {

struct standby_outcome {
    std::string_view label;
    std::string_view why_not; // the standby did not answer
    bool pauses;              // the next read would find the same
};

namespace {

// What a search finds may be as old as this; a healthy standby is behind by milliseconds.
constexpr std::chrono::milliseconds max_lag{5'000};

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
    bool const sees_all = caller.role == role::admin || caller.role == role::recruiter;
    return sees_all && caller.state == auth::credential_state::active;
}

} // namespace

standby_counts::standby_counts(metrics::registry& registry) {
    for (auto const& one : outcomes::all)
        by_outcome[one.label] = &registry.add_counter("recruiting_auth_api_standby_reads_total",
                                                      "Reads that a standby may answer, by their outcome.",
                                                      "outcome=\"" + std::string(one.label) + '"');
}

struct standby_reads::answer {
    standby_outcome outcome;
    shared_result result{}; // what the standby answered
};

standby_reads::standby_reads(asio::io_context& context, ticker& clock, shared_reads& primary, connections on,
                             standby_counts const& counts, read_queue_settings const& limits,
                             metrics::registry& metrics)
    : searches_(context, clock, std::move(on.searches)), bulk_(context, clock, std::move(on.bulk)), primary_(primary),
      standby_(context, clock, {&bulk_, &searches_, &bulk_}, limits, metrics), counts_(counts) {}

void standby_reads::note(standby_outcome const& what) {
    counts_.by_outcome.at(what.label)->add();
    if (what.label == outcomes::paused.label) return;
    if (!use_.note(what.why_not, what.pauses, coarse_clock::now())) return;
    if (is_used(what)) log::info("reads_standby_used", {});
    else log::warning("reads_standby_rejected", {{"message", what.why_not}});
}

bool standby_reads::is_worth_asking(read_cost cost) {
    if (use_.is_paused(coarse_clock::now())) {
        note(outcomes::paused);
        return false;
    }
    auto const& connection = cost == read_cost::search ? searches_ : bulk_;
    if (!connection.ready()) note(outcomes::unavailable);
    return connection.ready();
}

// The moment is the first statement: what the others read is no older.
task<standby_reads::answer> standby_reads::ask(auth::credential const& presented, std::vector<pg::statement> statements,
                                               read_cost cost, pg::server_moment const& of_primary) {
    statements.insert(statements.begin(), pg::select_moment());
    answer out{outcomes::used};
    try {
        out.result = co_await standby_.run(presented, std::move(statements), cost);
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
task<std::optional<shared_result>> standby_reads::try_standby(auth::credential const& presented,
                                                              std::vector<pg::statement> const& statements,
                                                              read_cost cost) {
    std::vector<pg::statement> moment = {pg::select_moment()};
    auto const before = co_await primary_.run(presented, std::move(moment));
    if (!before.principal || !may_use_standby(*before.principal)) co_return std::nullopt;
    auto const of_primary = pg::read_moment(before.rows.front());
    auto found = co_await ask(presented, statements, cost, of_primary);
    if (is_used(found.outcome)) { // the key may have been revoked while the read waited
        std::vector<pg::statement> none;
        auto const after = co_await primary_.run(presented, std::move(none));
        bool const is_same = after.principal && *after.principal == *found.result.principal;
        if (!is_same) found.outcome = outcomes::principal;
    }
    note(found.outcome);
    if (!is_used(found.outcome)) co_return std::nullopt;
    co_return std::move(found.result);
}

task<shared_result> standby_reads::run(auth::credential presented, std::vector<pg::statement> statements,
                                       read_cost cost) {
    auto const self = shared_from_this();
    std::optional<shared_result> found;
    if (is_worth_asking(cost)) found = co_await try_standby(presented, statements, cost);
    if (!found) found = co_await primary_.run(presented, std::move(statements), cost);
    co_return std::move(*found);
}

} // namespace recruiting::auth_api
