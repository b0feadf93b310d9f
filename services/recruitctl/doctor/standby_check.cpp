#include "recruitctl/doctor/standby_check.hpp"

#include "core/redact.hpp"
#include "pg/client.hpp"
#include "pg/schema_store.hpp"
#include "recruitctl/doctor/database.hpp"

namespace recruiting::recruitctl::doctor {
namespace {

std::int64_t schema_of(pg::client& server) {
    return pg::schema_gate::version_of(server.run(pg::schema_gate::question()));
}

finding check_moments(std::string const& check, standby_use const& of, standby_facts const& facts) {
    switch (pg::compare(facts.primary, facts.moment, of.max_lag)) {
    case pg::standby_state::another_server:
        return problem(check, "it is no standby of the primary, or on another timeline: the primary is read",
                       "fix " + of.setting + "; after a failover, CHECKPOINT on the primary ends this");
    case pg::standby_state::behind:
        return warning(check,
                       "it is behind by more than " + std::to_string(of.max_lag.count()) + " ms: the primary is read",
                       "see pg_stat_replication on the primary, and pg_is_wal_replay_paused() on the standby");
    case pg::standby_state::current: break;
    }
    return ok(check, "logs in as " + facts.role + ", and is current");
}

} // namespace

standby_facts read_standby(std::string const& primary_url, std::string const& url) {
    standby_facts out;
    if (url.empty()) return out;
    pg::client primary(primary_url, "recruitctl doctor");
    out.primary_schema = schema_of(primary);
    out.primary = pg::read_moment(primary.run(pg::select_moment()));
    pg::client standby(url, "recruitctl doctor");
    out.role = role_of(standby);
    out.schema = schema_of(standby);
    out.moment = pg::read_moment(standby.run(pg::select_moment()));
    return out;
}

findings check_standby(standby_use const& of, observed<standby_facts> const& facts) {
    if (of.url.empty()) return {};
    auto const check = "reach.standby-" + of.program;
    if (!facts.found)
        return {warning(check, redact_url(of.url) + ": " + facts.why + ": the primary is read",
                        "start the standby, or fix " + of.setting)};
    auto const& found = *facts.found;
    if (found.role != of.role)
        return {problem(check, "it logs in as " + found.role + ", which is not its role",
                        "fix " + of.setting + ": the standby as " + of.role)};
    if (found.schema != found.primary_schema)
        return {warning(check,
                        "its schema is at " + std::to_string(found.schema) + ", the primary's at " +
                            std::to_string(found.primary_schema),
                        "wait until the standby has replayed the migrations")};
    return {check_moments(check, of, found)};
}

} // namespace recruiting::recruitctl::doctor
