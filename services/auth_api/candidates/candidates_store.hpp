#pragma once
#include "auth_api/list_query.hpp"

namespace recruiting::auth_api {

extern list_shape const candidate_list;
/// The candidates of one job, each with its application; $1 is the job.
extern list_shape const job_candidate_list;
[[nodiscard]] pg::statement candidate_record(uuid const& id);
[[nodiscard]] pg::statement candidate_applications(uuid const& candidate);

// Conditions of both lists: each an index look-up, since the operators are leakproof (candidate_terms in 0003).
inline constexpr std::string_view candidate_has_email = "c.email_key = lower(?::text)";
inline constexpr std::string_view candidate_has_source = "c.source = ?";
inline constexpr std::string_view candidate_has_tag =
    "c.id IN (SELECT t.candidate_id FROM recruiting.candidate_terms t "
    "WHERE t.organization_id = (SELECT recruiting.current_organization_id()) AND t.kind = 't' "
    "AND t.term = (SELECT recruiting.search_key(?::text)))";
/// A word of q begins a word of the candidate's name, e-mail, title or company.
inline constexpr std::string_view candidate_has_word =
    "c.id IN (SELECT t.candidate_id FROM recruiting.candidate_terms t, "
    "(SELECT recruiting.search_key(?::text) AS word OFFSET 0) AS k "
    "WHERE t.organization_id = (SELECT recruiting.current_organization_id()) AND t.kind = 'w' "
    "AND t.term >= k.word AND t.term < k.word || U&'\\+10FFFF')";

// Conditions of the global list on the candidate's applications.
inline constexpr std::string_view candidate_applied_to_job =
    "c.id IN (SELECT a.candidate_id FROM recruiting.applications a WHERE a.job_id = ?::uuid AND a.deleted_at IS NULL)";
inline constexpr std::string_view candidate_in_stage = "c.id IN (SELECT a.candidate_id FROM recruiting.applications a "
                                                       "WHERE a.stage_id = ?::uuid AND a.deleted_at IS NULL)";
/// OFFSET 0 keeps it a look-up a candidate, in the list's order; as a join it would read every application first.
inline constexpr std::string_view candidate_with_status =
    "EXISTS (SELECT FROM recruiting.applications a "
    "WHERE a.candidate_id = c.id AND a.status = ? AND a.deleted_at IS NULL OFFSET 0)";

} // namespace recruiting::auth_api
