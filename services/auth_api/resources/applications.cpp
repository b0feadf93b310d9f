#include "auth_api/resources/candidates.hpp"

#include "auth_api/resources/shared_fields.hpp"
#include "directory/store.hpp"

namespace recruiting::auth_api {
namespace {

// The next interview b behind an application, and behind the application's id in interviews_of_job_sql.
#define RECRUITING_INTERVIEW_COLUMNS "b.id, b.starts_at, b.ends_at, b.stage_id, b.membership_id, b.name"

// Applications with their next interview: the earliest confirmed one that is not over. No interview is longer than
// eight hours (interview_slots): that bounds the range.
#define RECRUITING_SHOWN_APPLICATIONS                                                                                  \
    "SELECT " RECRUITING_APPLICATION_COLUMNS ", " RECRUITING_INTERVIEW_COLUMNS " "                                     \
    "FROM recruiting.applications a JOIN recruiting.stages s ON s.id = a.stage_id "                                    \
    "LEFT JOIN LATERAL ("                                                                                              \
    "    SELECT i.id, i.starts_at, i.ends_at, i.stage_id, i.membership_id, " RECRUITING_MEMBER_NAME " AS name "        \
    "    FROM recruiting.bookings i "                                                                                  \
    "    JOIN recruiting.memberships m ON m.id = i.membership_id JOIN recruiting.users u ON u.id = m.user_id "         \
    "    WHERE i.application_id = a.id AND i.status = 'confirmed' "                                                    \
    "      AND i.starts_at > now() - interval '8 hours' AND i.ends_at > now() "                                        \
    "    ORDER BY i.starts_at, i.id LIMIT 1) AS b ON true "

// Every application of one candidate that the caller may see, the newest first.
constexpr auto candidate_applications_sql = RECRUITING_SHOWN_APPLICATIONS
    "WHERE a.candidate_id = $1::uuid AND a.deleted_at IS NULL ORDER BY a.applied_at DESC, a.id DESC";

// GET /pipeline reads all interviews of the job by one range of its index, instead of one look-up per application.
constexpr auto interviews_of_job_sql = "SELECT b.application_id, b.id, b.starts_at, b.ends_at, b.stage_id, "
                                       "b.membership_id, " RECRUITING_MEMBER_NAME " FROM recruiting.bookings b "
                                       "JOIN recruiting.memberships m ON m.id = b.membership_id "
                                       "JOIN recruiting.users u ON u.id = m.user_id "
                                       "WHERE b.status = 'confirmed' AND b.starts_at > now() - interval '8 hours' "
                                       "AND b.ends_at > now() AND b.job_id = $1::uuid ORDER BY b.starts_at, b.id";

void write_next_interview(http::json_writer& json, pg::row row, bool names) {
    json.key("nextInterview");
    if (row.is_null()) {
        json.null();
        return;
    }
    json.open_object();
    write_columns(json, row, {"bookingId", "startsAt", "endsAt", "stageId"});
    json.key("interviewer")
        .open_object()
        .field("memberId", row.id())
        .field("name", names ? row.optional_text() : std::nullopt)
        .close_object()
        .close_object();
}

} // namespace

// The number is bounded: an importer may have made thousands for each candidate.
std::string_view const included_applications = RECRUITING_SHOWN_APPLICATIONS
    "WHERE a.candidate_id = p.record_id AND a.deleted_at IS NULL ORDER BY a.applied_at DESC, a.id DESC LIMIT 100";

#undef RECRUITING_SHOWN_APPLICATIONS
#undef RECRUITING_INTERVIEW_COLUMNS

pg::statement candidate_applications(uuid const& candidate) {
    return {candidate_applications_sql, pg::params().id(candidate)};
}

void write_application_members(http::json_writer& json, pg::row& row) {
    write_columns(json, row,
                  {"id", "externalId", "candidateId", "jobId", "stageId", "stageName", "status", "source", "appliedAt",
                   "stageEnteredAt", "rejectedAt", "hiredAt", "rejectionReason", "createdAt", "updatedAt",
                   "deletedAt"});
}

void write_applications(http::json_writer& json, application_rows const& of, auth::principal const& principal) {
    json.key("applications").open_array();
    for (int row = of.first; row < of.end; ++row) {
        auto application = of.rows[row].from(of.column);
        if (application.is_null()) continue;
        json.open_object();
        write_application_members(json, application);
        write_next_interview(json, application, may_read_members(principal));
        json.close_object();
    }
    json.close_array();
}

pg::statement interviews_of_job(uuid const& job) { return {interviews_of_job_sql, pg::params().id(job)}; }

next_interviews::next_interviews(pg::rows const& rows, auth::principal const& principal)
    : rows_(rows), names_(may_read_members(principal)) {
    for (int row = 0; row < rows.size(); ++row) first_.try_emplace(rows.id(row, 0), row);
}

void next_interviews::write(http::json_writer& json, uuid const& application) const {
    auto const found = first_.find(application);
    if (found == first_.end()) json.key("nextInterview").null();
    else write_next_interview(json, rows_[found->second].from(1), names_);
}

} // namespace recruiting::auth_api
