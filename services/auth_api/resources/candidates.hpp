// Candidates and their applications, as several endpoints show them: what the lists of candidates ask for, an
// application with its next interview, and the next interviews of a job's applications.
#pragma once
#include "auth_api/http/list_builder.hpp"

#include <map>
#include <string_view>

namespace recruiting::auth_api {

/// The filters that a request gives to GET /candidates and to GET /jobs/{id}/candidates.
void filter_candidates(list_builder& list);
void filter_job_candidates(list_builder& list);

/// What a sync of the lists of candidates returns (list_sync_store.cpp). $1 of a job's: the job.
extern std::string_view const candidate_feed;
extern std::string_view const job_candidate_feed;
/// Candidates whose next interview has ended since, for lists that show it. Interviews end without a change of any row.
extern std::string_view const interviews_over;
extern std::string_view const interviews_over_of_job;

/// The select list of an application a and its stage s.
#define RECRUITING_APPLICATION_COLUMNS                                                                                 \
    "a.id, a.external_id, a.candidate_id, a.job_id, a.stage_id, s.name, a.status, a.source, a.applied_at, "            \
    "a.stage_entered_at, a.rejected_at, a.hired_at, a.rejection_reason, a.created_at, a.updated_at, a.deleted_at"

/// The applications of one candidate that the caller may read, the newest first, each with its next interview.
[[nodiscard]] pg::statement candidate_applications(uuid const& candidate);
/// SQL: the applications of a list's record p, as a list_inclusion has them, and how many columns each has.
extern std::string_view const included_applications;
inline constexpr int included_application_columns = 22;

/// The members of one application, whose columns are taken, without braces.
void write_application_members(http::json_writer& json, pg::row& row);

/// Rows first to end, whose columns from `column` on are an application and its next interview; all null where the
/// candidate has no application.
struct application_rows {
    pg::rows const& rows;
    int first;
    int end;
    int column;
};

/// Writes the member "applications".
void write_applications(http::json_writer& json, application_rows const& of, auth::principal const& principal);

/// The confirmed interviews of a job that are not over, the earliest first.
[[nodiscard]] pg::statement interviews_of_job(uuid const& job);

/// Finds the next interview of each application: the earliest confirmed one that is not over.
class next_interviews {
public:
    /// rows: of interviews_of_job; they must outlive this object.
    next_interviews(pg::rows const& rows, auth::principal const& principal);
    /// Writes the member "nextInterview".
    void write(http::json_writer& json, uuid const& application) const;

private:
    pg::rows const& rows_;
    std::map<uuid, int> first_; // application → row
    bool names_;
};

} // namespace recruiting::auth_api
