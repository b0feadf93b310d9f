#include "auth_api/agent/run/run_lease_store.hpp"

#include "auth_api/agent/run/run_store.hpp"

#include <array>

namespace recruiting::auth_api::agent {
namespace {

// Only the agent's worker may lock runs (policy runner); the conditions keep it to the caller's own. As all that owners
// write, not in the last tenth of the lease (run_store).
constexpr auto hold_sql = R"sql(
SELECT r.id FROM recruiting.agent_runs r
WHERE r.id = $1::uuid AND r.lease_owner = $2::uuid AND r.status = 'in_progress'
  AND r.lease_expires_at > clock_timestamp() + $3::bigint / 10 * interval '1 millisecond'
  AND r.organization_id = (SELECT recruiting.current_organization_id())
  AND r.membership_id = (SELECT recruiting.current_member_id())
FOR NO KEY UPDATE
)sql";

// The change runs whatever the lock found, so it asks again; the organization is row-level security's to say.
constexpr auto held_condition = R"sql(EXISTS (
    SELECT FROM recruiting.agent_runs r
    WHERE r.id = ?::uuid AND r.lease_owner = ?::uuid AND r.status = 'in_progress'
      AND r.lease_expires_at > clock_timestamp() + ?::bigint / 10 * interval '1 millisecond'
      AND r.membership_id = (SELECT recruiting.current_member_id()))
    AND (SELECT current_setting('recruiting.role', true)) = ANY (?::text[]))sql";

constexpr std::array every_role{role::admin, role::recruiter, role::hiring_manager, role::interviewer, role::viewer};

} // namespace

std::vector<pg::statement> hold_run(run_context const& run, std::chrono::milliseconds lease) {
    pg::statement hold{hold_sql, {}};
    hold.params.id(run.run_id).id(run.lease_owner).integer(lease.count());
    return {as_runner(), std::move(hold)};
}

pg::statement run_is_held(run_context const& run, std::chrono::milliseconds lease, std::string_view scope) {
    std::vector<std::string> roles;
    for (auto const held : every_role)
        if (role_allows(held).test(*scope_index(scope))) roles.emplace_back(to_string(held));
    pg::statement out{held_condition, {}};
    out.params.id(run.run_id).id(run.lease_owner).integer(lease.count()).text_array(roles);
    return out;
}

} // namespace recruiting::auth_api::agent
