#include "pg/standby_store.hpp"

namespace recruiting::pg {
namespace {

// A database that was made again from a dump is another one, of the same system. On a standby the snapshot's bounds
// come from the transactions that it has replayed.
constexpr std::string_view moment_sql = R"sql(
SELECT l.system || '/' || d.oid || '/' || l.timeline, pg_is_in_recovery(), now(), pg_last_xact_replay_timestamp(),
       pg_snapshot_xmin(s.taken)::text::bigint, pg_snapshot_xmax(s.taken)::text::bigint
  FROM pg_database d, recruiting.server_line() l, pg_current_snapshot() s (taken)
 WHERE d.datname = current_database()
)sql";

} // namespace

statement select_moment() { return {std::string(moment_sql), {}}; }

server_moment read_moment(rows const& found) {
    server_moment out;
    found[0].read(out.line, out.is_standby, out.now, out.replayed, out.ended_below, out.first_open);
    return out;
}

// The last commit's time says nothing of a standby whose primary commits nothing: it has everything, however old.
standby_state compare(server_moment const& primary, server_moment const& standby,
                      std::chrono::milliseconds max_lag) noexcept {
    if (!standby.is_standby || standby.line.empty() || standby.line != primary.line)
        return standby_state::another_server;
    bool const has_everything = standby.ended_below >= primary.first_open;
    bool const is_recent = standby.replayed && primary.now - *standby.replayed <= max_lag;
    return has_everything || is_recent ? standby_state::current : standby_state::behind;
}

} // namespace recruiting::pg
