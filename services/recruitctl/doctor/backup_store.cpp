#include "recruitctl/doctor/database.hpp"

namespace recruiting::recruitctl::doctor {
namespace {

constexpr std::string_view archive_setting_sql = R"sql(
SELECT current_setting('archive_mode'), pg_is_in_recovery(),
       has_function_privilege('pg_stat_get_archiver()', 'EXECUTE')
       AND has_function_privilege('pg_current_wal_insert_lsn()', 'EXECUTE')
)sql";
struct archive_setting_columns {
    enum : int { mode, is_standby, is_visible };
};

// The last archived file may belong to a backup (NAME.OFFSET.backup), which a segment's name begins; a history file of
// a timeline names no position.
constexpr std::string_view archive_sql = R"sql(
SELECT extract(epoch FROM clock_timestamp() - last_archived_time)::bigint,
       extract(epoch FROM clock_timestamp() - last_failed_time)::bigint,
       coalesce(last_failed_wal, ''), failed_count,
       coalesce(extract(epoch FROM clock_timestamp() - stats_reset), 0)::bigint,
       CASE WHEN last_archived_wal ~ '^[0-9A-F]{24}' THEN
           (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::bigint
           - (('x' || substr(last_archived_wal, 9, 8))::bit(32)::bigint << 32)
           - (('x' || substr(last_archived_wal, 17, 8))::bit(32)::bigint + 1)
             * pg_size_bytes(current_setting('wal_segment_size')) END
  FROM pg_stat_archiver
)sql";
struct archive_columns {
    enum : int { archived_seconds, failed_seconds, failed_segment, failures, counted_seconds, unarchived_bytes };
};

} // namespace

archive_facts read_archive(pg::client& database) {
    auto const setting = database.run(archive_setting_sql);
    archive_facts out;
    out.mode = setting.text(0, archive_setting_columns::mode);
    out.standby = setting.boolean(0, archive_setting_columns::is_standby);
    out.visible = setting.boolean(0, archive_setting_columns::is_visible);
    if (out.mode == "off" || out.standby || !out.visible) return out;
    auto const found = database.run(archive_sql);
    out.archived_seconds = found.optional_integer(0, archive_columns::archived_seconds);
    out.failed_seconds = found.optional_integer(0, archive_columns::failed_seconds);
    out.failed_segment = found.text(0, archive_columns::failed_segment);
    out.failures = found.integer(0, archive_columns::failures);
    out.counted_seconds = found.integer(0, archive_columns::counted_seconds);
    out.unarchived_bytes = found.optional_integer(0, archive_columns::unarchived_bytes);
    return out;
}

} // namespace recruiting::recruitctl::doctor
