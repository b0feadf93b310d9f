// What the lists of candidates ask for: filters, the words of q, and the feeds of their syncs.
#include "auth_api/resources/candidates.hpp"

#include "mail/address.hpp"

namespace recruiting::auth_api {
namespace {

std::optional<http::value_list> read_email(http::query_reader& query, std::string_view name) {
    auto const email = query.text(name, 254);
    return email ? std::optional(http::value_list{mail::canonical_address(*email).value_or(*email)}) : std::nullopt;
}
std::optional<http::value_list> read_application_statuses(http::query_reader& query, std::string_view name) {
    return http::read_choices(query, name, {"active", "hired", "rejected", "withdrawn"});
}

// Filters of both lists. Their operators are leakproof, so that indexes serve them (candidate_terms in 0003).
constexpr list_filter candidate_filters[] = {
    {"email", read_email, "c.email_key = ?", filter_index::sorted},
    {"externalId", read_external_id, "c.external_id = ?", filter_index::unique},
    {"source", read_text, "c.source = ?", filter_index::sorted},
    {"tag", read_text,
     "c.id IN (SELECT t.candidate_id FROM recruiting.candidate_terms t "
     "WHERE t.organization_id = (SELECT recruiting.current_organization_id()) AND t.kind = 't' "
     "AND t.term = (SELECT recruiting.search_key(?::text)))",
     filter_index::sorted},
};

// Filters of the global list: one application a of the candidate fulfils all that are given.
constexpr list_filter application_filters[] = {
    {"jobId", http::read_ids, "a.job_id = ?::uuid", filter_index::sorted},
    {"stageId", http::read_ids, "a.stage_id = ?::uuid", filter_index::sorted},
    {"applicationExternalId", read_external_id,
     "a.organization_id = (SELECT recruiting.current_organization_id()) AND a.external_id = ?", filter_index::unique},
    {"status", read_application_statuses, "a.status = ?"},
};
// Where no index names the applications, OFFSET 0 keeps it one look-up per candidate, in the list's order: as a join it
// would read every application of the organization first.
constexpr list_builder::row_conditions application_of_candidate = {
    .indexed = "c.id IN (SELECT a.candidate_id FROM recruiting.applications a WHERE a.deleted_at IS NULL",
    .unindexed = "EXISTS (SELECT FROM recruiting.applications a WHERE a.candidate_id = c.id AND a.deleted_at IS NULL",
    .unindexed_end = " OFFSET 0",
};

// Filters of a job's list, whose rows have the application a.
constexpr list_filter own_application_filters[] = {
    {"stageId", http::read_ids, "a.stage_id = ?::uuid", filter_index::sorted},
    {"applicationExternalId", read_external_id, "a.external_id = ?", filter_index::unique},
    {"status", read_application_statuses, "a.status = ?"},
};

// How many words q has, and for the statements behind this one the rarest, "" where so many terms begin with each that
// all are common. Counted up to 1,000 first: one rare word ends the counting of the others. A word's end is made before
// the terms are read (OFFSET 0 keeps it there): || is not leakproof, and no index serves a condition that holds it.
constexpr auto candidate_words_sql = R"sql(
SELECT cardinality(q.words), set_config('recruiting.search_word', coalesce((
    SELECT rarest.word FROM (VALUES (1000), (10000)) AS counted (most)
    CROSS JOIN LATERAL (
        SELECT w.word FROM (SELECT u.word, u.word || U&'\+10FFFF' AS past
                            FROM unnest(q.words) AS u (word) OFFSET 0) AS w
        CROSS JOIN LATERAL (
            SELECT count(*) AS terms FROM (
                SELECT FROM recruiting.candidate_terms t
                WHERE t.organization_id = (SELECT recruiting.current_organization_id()) AND t.kind = 'w'
                  AND t.term >= w.word AND t.term < w.past LIMIT counted.most) AS found) AS f
        WHERE f.terms < counted.most ORDER BY f.terms, w.word LIMIT 1) AS rarest
    LIMIT 1), ''), true)
FROM (SELECT recruiting.search_words($1::text) AS words OFFSET 0) AS q
)sql";

// OFFSET 0 keeps look-ups of one word of one candidate each, which end at the first word that is not found.
word_search const candidate_words = {
    .words = candidate_words_sql,
    .has_all = "NOT EXISTS (SELECT FROM (SELECT u.word, u.word || U&'\\+10FFFF' AS past "
               "FROM unnest((SELECT recruiting.search_words({q}::text))) AS u (word) OFFSET 0) AS w WHERE NOT EXISTS "
               "(SELECT FROM recruiting.candidate_terms o WHERE o.candidate_id = c.id "
               "AND o.organization_id = (SELECT recruiting.current_organization_id()) AND o.kind = 'w' "
               "AND o.term >= w.word AND o.term < w.past OFFSET 0) OFFSET 0)",
    .rarest = "(SELECT current_setting('recruiting.search_word')) <> '' "
              "AND c.id = ANY (ARRAY(SELECT t.candidate_id FROM recruiting.candidate_terms t "
              "WHERE t.organization_id = (SELECT recruiting.current_organization_id()) AND t.kind = 'w' "
              "AND t.term >= (SELECT current_setting('recruiting.search_word')) "
              "AND t.term < (SELECT current_setting('recruiting.search_word') || U&'\\+10FFFF')))",
    .common = "(SELECT current_setting('recruiting.search_word')) = ''",
};

} // namespace

void filter_candidates(list_builder& list) {
    list.filter(candidate_filters);
    list.search(candidate_words);
    list.filter_by_row(application_filters, application_of_candidate);
}

void filter_job_candidates(list_builder& list) {
    list.filter(candidate_filters);
    list.search(candidate_words);
    list.filter(own_application_filters);
}

// GET /candidates?syncToken=. Admins and recruiters read the organization's candidates by their last change. A hiring
// manager reads their own jobs' candidates by it, whatever the organization's size, and what else entered or left their
// reach (reach_changes): in reach or not, decides whether the record is joined. The database narrows each of
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
