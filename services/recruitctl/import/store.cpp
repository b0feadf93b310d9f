#include "recruitctl/import/store.hpp"

#include "core/text.hpp"
#include "zones/zone.hpp"

namespace recruiting::recruitctl {
namespace {

// Dates without a time in the file are days there.
constexpr char const* organization_time_zone = "SELECT time_zone FROM recruiting.organizations WHERE id = $1";

// Where a batch waits for its set-based statements. record holds columns by name: jsonb_populate_record lays them over
// the row that is there, so that a column the file does not give keeps its value. The ids are filled in for
// applications.
constexpr char const* create_import_rows = R"(
CREATE TEMPORARY TABLE IF NOT EXISTS import_rows (
    line bigint NOT NULL,
    id uuid NOT NULL,
    external_id text NOT NULL,
    record jsonb NOT NULL,
    candidate_id uuid,
    job_id uuid,
    stage_id uuid
))";

constexpr char const* clear_import_rows = "TRUNCATE import_rows";

constexpr char const* copy_import_rows = "COPY import_rows (line, id, external_id, record) FROM STDIN";

// Callers rely on: two imports of one organization never see each other half done.
constexpr char const* lock_imports_of_organization = R"(
SELECT pg_advisory_xact_lock(hashtextextended('recruiting.import.' || $1::uuid::text, 0))::text)";

// Lines whose references are missing leave the batch before anything is written.
constexpr char const* remove_import_rows = R"(
DELETE FROM import_rows WHERE line = ANY ($1::bigint[]))";

// What was done, by whom and to what kind of record; never what the file holds.
constexpr char const* insert_audit_row = R"(
INSERT INTO recruiting.audit_log
    (id, occurred_at, organization_id, actor_type, action, target_type, success, duration_ms)
VALUES ($1, $2, $3, 'system', 'import.finished', $4, $5, $6))";

// The audit row's month must have its partition, also on an installation whose services have not run for long.
constexpr char const* ensure_audit_partitions = "SELECT recruiting.ensure_audit_partitions()::text";

} // namespace

std::vector<bad_line> lines_with(pg::rows const& found, problem const& what) {
    std::vector<bad_line> bad;
    for (auto row : found) bad.push_back({static_cast<std::uint64_t>(row.integer()), {what}});
    return bad;
}

std::vector<bad_line> lines_with_any(pg::rows const& found, std::span<problem const> each) {
    std::vector<bad_line> bad;
    for (auto row : found) {
        auto& line = bad.emplace_back(bad_line{static_cast<std::uint64_t>(row.integer()), {}});
        for (auto const& one : each)
            if (row.boolean()) line.problems.push_back(one);
    }
    return bad;
}

problem missing(std::string field) { return {std::move(field), "required", "is required for a new record"}; }

batch_outcome counted(pg::rows const& merged) {
    batch_outcome outcome;
    merged[0].read(outcome.inserted, outcome.updated);
    return outcome;
}

std::string update_where_different(std::string const& table, std::string const& columns) {
    std::string given;
    std::string known;
    for (auto const name : split(columns, ',')) {
        auto const column = "." + std::string(trim(name));
        given += (given.empty() ? "excluded" : ", excluded") + column;
        known += (known.empty() ? "" : ", ") + table + column;
    }
    return "\n    ON CONFLICT (organization_id, external_id) DO UPDATE SET (" + columns + ")\n      = (" + given +
           ")\n    WHERE (" + known + ")\n          IS DISTINCT FROM (" + given + ")";
}

std::string import_store::time_zone() {
    auto const found = client_.run(organization_time_zone, pg::params().id(organization_));
    std::string zone(found.text(0, 0));
    return zones::is_zone(zone) ? zone : "UTC";
}

void import_store::prepare() { client_.run(create_import_rows); }

void import_store::lock_organization() { client_.run(lock_imports_of_organization, pg::params().id(organization_)); }

void import_store::copy(std::span<import_row const> rows) {
    client_.run(clear_import_rows);
    client_.copy_start(copy_import_rows);
    std::string lines;
    for (auto const& row : rows) {
        append_number(lines, row.line);
        lines += '\t';
        append_id(lines, new_record_id());
        lines += '\t';
        pg::append_copy_text(lines, row.external_id);
        lines += '\t';
        pg::append_copy_text(lines, row.columns);
        lines += '\n';
        if (lines.size() < 65536) continue;
        client_.copy_send(lines);
        lines.clear();
    }
    client_.copy_send(lines);
    client_.copy_finish();
}

void import_store::remove(std::vector<bad_line> const& bad) {
    if (bad.empty()) return;
    std::vector<std::string> lines;
    for (auto const& line : bad) lines.push_back(std::to_string(line.line));
    client_.run(remove_import_rows, pg::params().text_array(lines));
}

batch_outcome import_store::apply(import_kind kind, std::span<import_row const> rows) {
    copy(rows);
    auto outcome = kind == import_kind::jobs         ? apply_jobs()
                   : kind == import_kind::candidates ? apply_candidates()
                                                     : apply_applications();
    outcome.unchanged =
        static_cast<std::int64_t>(rows.size() - outcome.bad.size()) - outcome.inserted - outcome.updated;
    return outcome;
}

void import_store::record(import_kind kind, bool success, std::chrono::milliseconds duration) {
    client_.run(ensure_audit_partitions);
    auto const now = system_time().now();
    auto const records = to_string(kind);
    client_.run(insert_audit_row, pg::params()
                                      .id(new_record_id(now))
                                      .time(now)
                                      .id(organization_)
                                      .text(records.substr(0, records.size() - 1)) // "job"
                                      .boolean(success)
                                      .integer(duration.count()));
}

namespace {

// What was imported from a board earlier, is open here and is not in its newest document. Jobs from elsewhere have
// other external ids and are never among these.
constexpr char const* missing_jobs_of_board = R"(
SELECT external_id, title FROM recruiting.jobs
WHERE organization_id = $1 AND starts_with(external_id, $2) AND NOT external_id = ANY ($3::text[])
  AND status = 'open' AND deleted_at IS NULL
ORDER BY external_id)";

// An operator has asked for it (--close-missing). One that someone put on hold meanwhile stays as it is.
constexpr char const* close_open_jobs = R"(
UPDATE recruiting.jobs SET status = 'closed', published = false, closed_at = now()
WHERE organization_id = $1 AND external_id = ANY ($2::text[]) AND status = 'open' AND deleted_at IS NULL)";

} // namespace

std::vector<missing_job> find_missing_jobs(pg::client& on, uuid organization, board source,
                                           std::set<std::string> const& seen) {
    std::vector<std::string> const present(seen.begin(), seen.end());
    auto const rows =
        on.run(missing_jobs_of_board,
               pg::params().id(organization).text(std::string(to_string(source)) + ":").text_array(present));
    std::vector<missing_job> missing;
    for (auto row : rows) missing.push_back({std::string(row.text()), std::string(row.text())});
    return missing;
}

void close_jobs(pg::client& on, uuid organization, std::vector<missing_job> const& jobs) {
    std::vector<std::string> ids;
    for (auto const& job : jobs) ids.push_back(job.external_id);
    on.run(close_open_jobs, pg::params().id(organization).text_array(ids));
}

} // namespace recruiting::recruitctl
