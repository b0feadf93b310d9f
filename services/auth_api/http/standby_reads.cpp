#include "auth_api/http/standby_reads.hpp"

#include "core/log.hpp"
#include "pg/standby_store.hpp"
#include "pg/url.hpp"

#include <array>
#include <optional>
#include <utility>

namespace recruiting::auth_api {
namespace {

constexpr std::chrono::seconds rejection_time{5}; // a standby that can't be used delays one read in this time

enum class standby_outcome : std::uint8_t {
    used,
    unavailable,
    another_server,
    behind,
    failed,
    principal,
    canceled,
    paused
};
struct outcome_words {
    char const* label;
    char const* why_not;
    bool pauses; // it would be the same for the next read
};
constexpr std::array<outcome_words, 8> words_of{{
    {"used", "", false},
    {"unavailable", "it is unavailable", true},
    {"another_server", "it is no standby of the primary, or on another timeline", true},
    {"behind", "it is behind the primary by more than the permitted lag", true},
    {"failed", "a read failed", true},
    {"principal", "the key or its owner is not there as on the primary", false},
    {"canceled", "replay canceled a read", false},
    {"paused", "", false},
}};
outcome_words const& words(standby_outcome of) { return words_of.at(static_cast<std::size_t>(of)); }

// What a hiring manager may see depends on rows, which a standby may not have yet.
bool may_use_standby(auth::principal const& caller) {
    bool const whole_reach = caller.role == role::admin || caller.role == role::recruiter;
    return whole_reach && caller.state == auth::credential_state::active;
}

} // namespace

void declare(settings_reader& reader, standby_settings& target) {
    pg::declare_optional_url(reader, "RECRUITING_AUTH_API_STANDBY_URL", target.url,
                             "Standby of this PostgreSQL as role recruiting_auth. Searches and audit exports of admins "
                             "and recruiters are read from it; empty: everything is read from the primary.");
}

standby_counts::standby_counts(metrics::registry& registry) {
    for (auto const& one : words_of)
        by_outcome.push_back(&registry.add_counter("recruiting_auth_api_standby_reads_total",
                                                   "Reads that a standby may answer, by what became of them.",
                                                   std::string(R"(outcome=")") + one.label + '"'));
}

struct standby_reads::state {
    state(asio::io_context& context, ticker& clock, shared_reads& on_primary, connections on,
          std::chrono::milliseconds most_behind, standby_counts const& counted, read_queue_settings const& limits,
          metrics::registry& metrics)
        : searches(context, clock, std::move(on.searches)), bulk(context, clock, std::move(on.bulk)),
          primary(on_primary), standby(context, clock, {&bulk, &searches, &bulk}, limits, metrics),
          max_lag(most_behind), counts(counted) {}

    [[nodiscard]] bool is_worth_asking(read_cost cost);
    [[nodiscard]] task<void> try_standby(auth::credential const& presented,
                                         std::vector<pg::statement> const& statements, read_cost cost,
                                         std::optional<shared_result>& found);
    [[nodiscard]] task<standby_outcome> read(auth::credential const& presented, std::vector<pg::statement> statements,
                                             read_cost cost, pg::server_moment const& before, shared_result& got);
    void note(standby_outcome what);

    pg::pipeline searches;
    pg::pipeline bulk;
    shared_reads& primary;
    shared_reads standby;
    std::chrono::milliseconds max_lag;
    standby_counts const& counts;
    coarse_clock::time_point retry_at{coarse_clock::time_point::min()};
    std::optional<standby_outcome> noted; // of the last read that asked
};

void standby_reads::state::note(standby_outcome what) {
    counts.by_outcome[static_cast<std::size_t>(what)]->add();
    if (what == standby_outcome::paused) return;
    if (words(what).pauses) retry_at = coarse_clock::now() + rejection_time;
    if (std::exchange(noted, what) == what) return;
    if (what == standby_outcome::used) log::info("reads_standby_used", {});
    else log::warning("reads_standby_rejected", {{"message", words(what).why_not}});
}

bool standby_reads::state::is_worth_asking(read_cost cost) {
    if (coarse_clock::now() < retry_at) {
        note(standby_outcome::paused);
        return false;
    }
    auto const& connection = cost == read_cost::search ? searches : bulk;
    if (!connection.ready()) note(standby_outcome::unavailable);
    return connection.ready();
}

// The moment is the first statement: what the others read is no older.
task<standby_outcome> standby_reads::state::read(auth::credential const& presented,
                                                 std::vector<pg::statement> statements, read_cost cost,
                                                 pg::server_moment const& before, shared_result& got) {
    statements.insert(statements.begin(), pg::select_moment());
    try {
        got = co_await standby.run(presented, std::move(statements), cost);
    } catch (too_many_waiting const&) {
        throw;
    } catch (waited_too_long const&) {
        throw;
    } catch (outage const&) {
        co_return standby_outcome::unavailable;
    } catch (pg::query_error const& error) {
        if (error.sqlstate() == pg::query_canceled) throw; // it would take as long on the primary
        co_return error.sqlstate().starts_with("40") ? standby_outcome::canceled : standby_outcome::failed;
    }
    if (!got.principal) co_return standby_outcome::principal;
    switch (pg::compare(before, pg::read_moment(got.rows.front()), max_lag)) {
    case pg::standby_state::another_server: co_return standby_outcome::another_server;
    case pg::standby_state::behind: co_return standby_outcome::behind;
    case pg::standby_state::current: break;
    }
    got.rows.erase(got.rows.begin());
    co_return standby_outcome::used;
}

task<void> standby_reads::state::try_standby(auth::credential const& presented,
                                             std::vector<pg::statement> const& statements, read_cost cost,
                                             std::optional<shared_result>& found) {
    std::vector<pg::statement> moment;
    moment.push_back(pg::select_moment());
    auto const before = co_await primary.run(presented, std::move(moment));
    if (!before.principal || !may_use_standby(*before.principal)) co_return;
    shared_result got;
    auto what = co_await read(presented, statements, cost, pg::read_moment(before.rows.front()), got);
    if (what == standby_outcome::used) { // the key may have been revoked while the read waited
        std::vector<pg::statement> none;
        auto const after = co_await primary.run(presented, std::move(none));
        bool const is_same = after.principal && *after.principal == *got.principal;
        if (is_same) found = std::move(got);
        else what = standby_outcome::principal;
    }
    note(what);
}

standby_reads::standby_reads(asio::io_context& context, ticker& clock, shared_reads& primary, connections on,
                             std::chrono::milliseconds max_lag, standby_counts const& counts,
                             read_queue_settings const& limits, metrics::registry& metrics)
    : state_(std::make_shared<state>(context, clock, primary, std::move(on), max_lag, counts, limits, metrics)) {}

standby_reads::~standby_reads() = default;

task<shared_result> standby_reads::run(auth::credential presented, std::vector<pg::statement> statements,
                                       read_cost cost) {
    auto const self = state_;
    std::optional<shared_result> found;
    if (self->is_worth_asking(cost)) co_await self->try_standby(presented, statements, cost, found);
    if (!found) found = co_await self->primary.run(presented, std::move(statements), cost);
    co_return std::move(*found);
}

} // namespace recruiting::auth_api
