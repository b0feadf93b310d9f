// The SQL of runs that have begun, for runner and reaper. Each statement goes into a segment that begins with
// as_runner(). The owner of a run's lease works on it, and every statement of an owner checks the lease again: an
// owner that lost it changes nothing.
#pragma once
#include "auth_api/agent/model.hpp"
#include "auth_api/agent/run/run.hpp"
#include "auth_api/agent/toolbox.hpp"
#include "pg/params.hpp"
#include "pg/rows.hpp"

#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace recruiting::auth_api::agent {

// A change happens only while its run still belongs to the runner that makes it: the run's row is locked in the
// change's transaction, so that no other process can take the run over in between.

/// After authenticate. The last of them gives one row if the run is still the runner's and more than a tenth of its
/// lease is left, and holds it until the transaction ends.
[[nodiscard]] std::vector<pg::statement> hold_run(run_context const& run, std::chrono::milliseconds lease);
/// What hold_run asks, as a condition ('?' for each parameter) of the change after it; also that the owner's role still
/// gives the scope.
[[nodiscard]] pg::statement run_is_held(run_context const& run, std::chrono::milliseconds lease,
                                        std::string_view scope);

/// Of recruiting.agent_runs r, as read_run reads them.
inline constexpr std::string_view run_select_list =
    "r.id, r.session_id, r.status, r.status = 'in_progress' AND r.lease_expires_at <= clock_timestamp(), r.reply, "
    "r.failure, r.prompt_hash";
inline constexpr int run_select_columns = 7;

[[nodiscard]] pg::statement as_runner();
/// Before statements that change a run.
[[nodiscard]] pg::statement lock_run(uuid const& run_id);

/// One run, for the runner.
[[nodiscard]] pg::statement find_run(uuid const& run_id);
[[nodiscard]] std::optional<run_record> read_run(pg::rows const& rows);

/// The newest messages of a session before this run.
[[nodiscard]] pg::statement read_history(uuid const& session_id, uuid const& before_run, std::int64_t most,
                                         std::int64_t most_bytes);
[[nodiscard]] std::vector<stored_message> read_stored_messages(pg::rows const& rows);

/// Renews leases.
[[nodiscard]] pg::statement renew_leases(uuid const& owner, std::span<uuid const> runs,
                                         std::chrono::milliseconds lease);
/// Which of the runs that were asked for the owner still has.
struct renewal {
    std::vector<uuid> kept;    // still the owner's
    std::vector<uuid> renewed; // of those
};
[[nodiscard]] renewal read_renewal(pg::rows const& rows);

/// A run's messages and usage since the last ones were stored. Sent again after its answer got lost, it counts once.
struct run_progress {
    uuid run_id;
    uuid owner;
    std::vector<uuid> message_ids; // one a message
    std::span<message const> messages;
    token_usage usage;
    std::int64_t tool_calls{0};
    std::chrono::milliseconds lease{}; // renewed by it
    auth::access used{};               // by the tools of the run so far
};
[[nodiscard]] pg::statement add_progress(run_progress const& progress);
/// Of add_progress: false when another process owns the run, or it has ended.
[[nodiscard]] bool read_held(pg::rows const& rows);

/// Only while the lease (so long when it was renewed) holds. Whether it was: find_run in the same segment. Ends are
/// metered in their own statement.
[[nodiscard]] pg::statement complete_run(uuid const& run_id, uuid const& owner, std::string_view reply,
                                         std::chrono::milliseconds lease);
/// By its owner, or by anyone once its lease ran out.
[[nodiscard]] pg::statement fail_run(uuid const& run_id, uuid const& owner, std::string_view why);
/// Leases that PostgreSQL gave before its clock was set back end after `lease`, if their process does not renew them.
[[nodiscard]] pg::statement shorten_leases(std::chrono::milliseconds lease);
/// Up to `most` runs whose lease ran out; affected() of its rows is their number.
[[nodiscard]] pg::statement fail_expired_runs(std::int64_t most);

} // namespace recruiting::auth_api::agent
