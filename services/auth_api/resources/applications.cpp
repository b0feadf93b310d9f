#include "auth_api/resources/applications.hpp"

#include "auth_api/resources/shared_fields.hpp"
#include "directory/store.hpp"

namespace recruiting::auth_api {
namespace {

// The next interview b behind an application, and behind the application's id in interviews_of_job_sql.
#define RECRUITING_INTERVIEW_COLUMNS "b.id, b.starts_at, b.ends_at, b.stage_id, b.membership_id, b.name"
struct interview_columns {
    enum : int { id, starts_at, ends_at, stage_id, member_id, member_name };
};

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
struct interviews_of_job_columns {
    enum : int { application_id, interview };
};

void write_next_interview(http::json_writer& json, pg::rows const& rows, int row, int first, bool names) {
    using columns = interview_columns;
    json.key("nextInterview");
    if (rows.is_null(row, first + columns::id)) {
        json.null();
        return;
    }
    json.open_object()
        .field("bookingId", rows.id(row, first + columns::id))
        .field("startsAt", rows.time(row, first + columns::starts_at))
        .field("endsAt", rows.time(row, first + columns::ends_at))
        .field("stageId", rows.id(row, first + columns::stage_id))
        .key("interviewer");
    json.open_object()
        .field("memberId", rows.id(row, first + columns::member_id))
        .field("name", names ? rows.optional_text(row, first + columns::member_name) : std::nullopt)
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

void write_application_members(http::json_writer& json, pg::rows const& rows, int row, int first) {
    using columns = application_columns;
    json.field("id", rows.id(row, first + columns::id))
        .field("externalId", rows.optional_text(row, first + columns::external_id))
        .field("candidateId", rows.id(row, first + columns::candidate_id))
        .field("jobId", rows.id(row, first + columns::job_id))
        .field("stageId", rows.id(row, first + columns::stage_id))
        .field("stageName", rows.text(row, first + columns::stage_name))
        .field("status", rows.text(row, first + columns::status))
        .field("source", rows.optional_text(row, first + columns::source))
        .field("appliedAt", rows.time(row, first + columns::applied_at))
        .field("stageEnteredAt", rows.time(row, first + columns::stage_entered_at))
        .field("rejectedAt", rows.optional_time(row, first + columns::rejected_at))
        .field("hiredAt", rows.optional_time(row, first + columns::hired_at))
        .field("rejectionReason", rows.optional_text(row, first + columns::rejection_reason))
        .field("createdAt", rows.time(row, first + columns::created_at))
        .field("updatedAt", rows.time(row, first + columns::updated_at))
        .field("deletedAt", rows.optional_time(row, first + columns::deleted_at));
}

void write_applications(http::json_writer& json, application_rows const& of, auth::principal const& principal) {
    json.key("applications").open_array();
    for (int row = of.first; row < of.end; ++row) {
        if (of.rows.is_null(row, of.column)) continue;
        json.open_object();
        write_application_members(json, of.rows, row, of.column);
        write_next_interview(json, of.rows, row, of.column + application_columns::count, may_read_members(principal));
        json.close_object();
    }
    json.close_array();
}

pg::statement interviews_of_job(uuid const& job) { return {interviews_of_job_sql, pg::params().id(job)}; }

next_interviews::next_interviews(pg::rows const& rows, auth::principal const& principal)
    : rows_(rows), names_(may_read_members(principal)) {
    for (int row = 0; row < rows.size(); ++row)
        first_.try_emplace(rows.id(row, interviews_of_job_columns::application_id), row);
}

void next_interviews::write(http::json_writer& json, uuid const& application) const {
    auto const found = first_.find(application);
    if (found == first_.end()) json.key("nextInterview").null();
    else write_next_interview(json, rows_, found->second, interviews_of_job_columns::interview, names_);
}

} // namespace recruiting::auth_api
