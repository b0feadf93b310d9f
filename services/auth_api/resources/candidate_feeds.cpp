#include "auth_api/resources/candidate_feeds.hpp"

namespace recruiting::auth_api {

// GET /candidates?syncToken=. Admins and recruiters read the organization's candidates by their last change. A hiring
// manager reads their own jobs' candidates by it, whatever the organization's size, and what else entered or left their
// reach (reach_changes, 0021): in reach or not, decides whether the record is joined. The database narrows each of
// these to the caller. All sources that bring a candidate are read to the round's end, and the latest brings it.
std::string_view const candidate_feed = R"sql(
(SELECT c.changed_xid AS xid, c.id, NULL::timestamptz AS left_at FROM recruiting.candidates c
 WHERE (SELECT recruiting.has_role('admin', 'recruiter'))
   AND c.organization_id = (SELECT recruiting.current_organization_id())
   AND (c.changed_xid, c.id) > ({after_xid}, {after_id}) AND c.changed_xid < {upper}
   AND (NOT {first} OR c.deleted_at IS NULL)
 ORDER BY c.changed_xid, c.id LIMIT {limit})
UNION ALL
(SELECT DISTINCT own.changed_xid, own.candidate_id, NULL::timestamptz
 FROM recruiting.hiring_teams t
 CROSS JOIN LATERAL (
     SELECT k.changed_xid, k.candidate_id FROM recruiting.job_candidates k
     WHERE k.job_id = t.job_id AND k.left_at IS NULL
       AND (k.changed_xid, k.candidate_id) > ({after_xid}, {after_id}) AND k.changed_xid < {upper}
       AND (NOT {first} OR EXISTS (SELECT FROM recruiting.candidates c
                                   WHERE c.id = k.candidate_id AND c.deleted_at IS NULL))
       AND ({first} OR NOT EXISTS (
           SELECT FROM recruiting.reach_changes r
           WHERE r.membership_id = t.membership_id AND r.candidate_id = k.candidate_id
             AND r.changed_xid > k.changed_xid AND r.changed_xid < {upper}))
     ORDER BY k.changed_xid, k.candidate_id LIMIT {limit}) AS own
 WHERE (SELECT recruiting.has_role('hiring_manager')) AND t.membership_id = (SELECT recruiting.current_member_id())
 ORDER BY 1, 2 LIMIT {limit})
UNION ALL
(SELECT r.changed_xid, r.candidate_id, r.changed_at FROM recruiting.reach_changes r
 WHERE NOT {first} AND (SELECT recruiting.has_role('hiring_manager'))
   AND r.membership_id = (SELECT recruiting.current_member_id())
   AND (r.changed_xid, r.candidate_id) > ({after_xid}, {after_id}) AND r.changed_xid < {upper}
   AND NOT EXISTS (SELECT FROM recruiting.reach_changes l
                   WHERE l.membership_id = r.membership_id AND l.candidate_id = r.candidate_id
                     AND (l.changed_xid, l.job_id) > (r.changed_xid, r.job_id) AND l.changed_xid < {upper})
   AND NOT EXISTS (SELECT FROM recruiting.candidates c
                   WHERE c.id = r.candidate_id AND c.changed_xid >= r.changed_xid AND c.changed_xid < {upper})
 ORDER BY r.changed_xid, r.candidate_id LIMIT {limit})
)sql";

// GET /jobs/{id}/candidates?syncToken=. Who has left the job is seen by admins and recruiters; hiring managers see it
// for those who left while they could see them. A record can show the candidate's applications on other jobs, so a
// change of reach on any job brings those who are on this one: job_candidates shows a hiring manager no others.
std::string_view const job_candidate_feed = R"sql(
(SELECT k.changed_xid AS xid, k.candidate_id AS id, k.left_at FROM recruiting.job_candidates k
 WHERE k.job_id = $1::uuid
   AND (k.changed_xid, k.candidate_id) > ({after_xid}, {after_id}) AND k.changed_xid < {upper}
   AND (NOT {first} OR k.left_at IS NULL AND EXISTS (SELECT FROM recruiting.candidates c
                                                     WHERE c.id = k.candidate_id AND c.deleted_at IS NULL))
   AND ({first} OR NOT EXISTS (
       SELECT FROM recruiting.reach_changes r
       WHERE r.membership_id = (SELECT recruiting.current_member_id()) AND r.candidate_id = k.candidate_id
         AND r.changed_xid > k.changed_xid AND r.changed_xid < {upper}))
 ORDER BY k.changed_xid, k.candidate_id LIMIT {limit})
UNION ALL
(SELECT r.changed_xid, r.candidate_id, r.changed_at FROM recruiting.reach_changes r
 LEFT JOIN recruiting.job_candidates k ON k.candidate_id = r.candidate_id AND k.job_id = $1::uuid
 WHERE NOT {first} AND (SELECT recruiting.has_role('hiring_manager'))
   AND r.membership_id = (SELECT recruiting.current_member_id()) AND (r.job_id = $1::uuid OR k.job_id IS NOT NULL)
   AND (r.changed_xid, r.candidate_id) > ({after_xid}, {after_id}) AND r.changed_xid < {upper}
   AND (k.changed_xid >= r.changed_xid AND k.changed_xid < {upper}) IS NOT TRUE
   AND (k.job_id IS NULL OR NOT EXISTS (
       SELECT FROM recruiting.reach_changes l
       WHERE l.membership_id = r.membership_id AND l.candidate_id = r.candidate_id
         AND (l.changed_xid, l.job_id) > (r.changed_xid, r.job_id) AND l.changed_xid < {upper}))
 ORDER BY r.changed_xid, r.candidate_id LIMIT {limit})
)sql";

// Behind everything else in the round's order. A candidate that changed since the round's start is brought by that, now
// or in the next round.
#define RECRUITING_INTERVIEWS_OVER(condition)                                                                          \
    "(SELECT DISTINCT {upper} AS xid, b.candidate_id, NULL::timestamptz FROM recruiting.bookings b "                   \
    "JOIN recruiting.applications a ON a.id = b.application_id AND a.deleted_at IS NULL "                              \
    "JOIN recruiting.candidates c ON c.id = b.candidate_id AND c.deleted_at IS NULL AND c.changed_xid < {from} "       \
    "WHERE b.organization_id = (SELECT recruiting.current_organization_id()) AND b.status = 'confirmed' "              \
    "  AND b.starts_at > {since} - interval '8 hours' AND b.starts_at < {until} "                                      \
    "  AND b.ends_at > {since} AND b.ends_at <= {until} "                                                              \
    "  AND ({upper}, b.candidate_id) > ({after_xid}, {after_id}) " condition " ORDER BY 2 LIMIT {limit})"

std::string_view const interviews_over = RECRUITING_INTERVIEWS_OVER("");
std::string_view const interviews_over_of_job =
    RECRUITING_INTERVIEWS_OVER("AND EXISTS (SELECT FROM recruiting.job_candidates k WHERE k.candidate_id = "
                               "b.candidate_id AND k.job_id = $1::uuid AND k.left_at IS NULL)");
#undef RECRUITING_INTERVIEWS_OVER

} // namespace recruiting::auth_api
