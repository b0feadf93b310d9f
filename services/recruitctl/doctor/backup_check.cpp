// Whether the write-ahead log is archived, which a restore to a point in time needs. PostgreSQL knows nothing of base
// backups, so their age is not checked. Pure.
#include "recruitctl/doctor/database.hpp"

namespace recruiting::recruitctl::doctor {
namespace {

constexpr auto check_name = "database.backup";
constexpr std::int64_t archive_late = 3'600;            // seconds
constexpr std::int64_t bytes_of_an_idle_hour = 1 << 16; // checkpoints write some hundred

std::string age(std::int64_t seconds) {
    if (seconds < 120) return counted(seconds, "second");
    if (seconds < 7'200) return counted(seconds / 60, "minute");
    return seconds < 172'800 ? counted(seconds / 3'600, "hour") : counted(seconds / 86'400, "day");
}

std::string last_success(archive_facts const& of) {
    if (of.archived_seconds) return "the last segment was archived " + age(*of.archived_seconds) + " ago";
    return "nothing was archived in the " + age(of.counted_seconds) + " that PostgreSQL's statistics cover";
}

bool is_failing(archive_facts const& of) {
    return of.failed_seconds && (!of.archived_seconds || *of.failed_seconds < *of.archived_seconds);
}

finding check_age(archive_facts const& of) {
    auto const seconds = of.archived_seconds.value_or(of.counted_seconds);
    // Without a segment to count from, what was written is not known.
    bool const something_written = !of.unarchived_bytes || *of.unarchived_bytes > bytes_of_an_idle_hour;
    if (seconds > archive_late && something_written) {
        auto const size = of.unarchived_bytes ? std::to_string(*of.unarchived_bytes / 1024) + " KiB" : "what";
        return warning(check_name, last_success(of) + ", and " + size + " written since then would be lost",
                       "set archive_timeout in postgresql.conf, for example to 60s; look at PostgreSQL's log");
    }
    if (!of.archived_seconds)
        return skipped(check_name, last_success(of), "run doctor again once a segment has been archived");
    return ok(check_name, last_success(of) + "; the age of base backups is not visible here");
}

} // namespace

findings check_backup(observed<archive_facts> const& facts) {
    if (!facts.found) return {skipped(check_name, facts.why)};
    auto const& of = *facts.found;
    if (of.standby) return {skipped(check_name, "this is a standby", "name the primary in RECRUITING_DATABASE_URL")};
    if (of.mode == "off")
        return {warning(check_name,
                        "archive_mode is off: PostgreSQL does not archive its write-ahead log, so a restore loses all "
                        "that was written since the last backup",
                        "set archive_mode and archive_command, or use pgBackRest; nothing to do if the log is streamed "
                        "to a backup server, or your provider makes the backups: check their age there")};
    if (!of.visible)
        return {skipped(check_name, "PostgreSQL hides from recruiting_owner when its log was last archived",
                        "as a superuser, in this database: psql --dbname recruiting --file hide_statistics.sql of this "
                        "version (of deploy/postgresql, or /usr/share/recruiting/postgresql)")};
    if (is_failing(of))
        return {problem(check_name,
                        "archiving " + of.failed_segment + " failed " + age(*of.failed_seconds) + " ago (" +
                            counted(of.failures, "failure") + "); " + last_success(of) +
                            ". The log grows until the disk is full",
                        "look at PostgreSQL's log for the output of archive_command, and fix it")};
    return {check_age(of)};
}

} // namespace recruiting::recruitctl::doctor
