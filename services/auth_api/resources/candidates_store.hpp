#pragma once
#include "auth_api/http/list_query.hpp"

namespace recruiting::auth_api {

extern list_shape const candidate_list;
/// The candidates of one job, each with its application; $1 is the job.
extern list_shape const job_candidate_list;
/// include=applications of either: per record its applications, each with the columns of its next interview behind.
extern list_inclusion const candidate_applications_included;
extern list_inclusion const job_candidate_applications_included;
[[nodiscard]] pg::statement candidate_record(uuid const& id);
[[nodiscard]] pg::statement candidate_applications(uuid const& candidate);

// Filters of both lists. Their operators are leakproof, so that indexes serve them (candidate_terms in 0003).
inline constexpr list_filter candidate_has_email{"email", "c.email_key = lower(?::text)", filter_index::sorted};
inline constexpr list_filter candidate_has_external_id{"externalId", "c.external_id = ?", filter_index::unique};
inline constexpr list_filter candidate_has_source{"source", "c.source = ?", filter_index::sorted};
inline constexpr list_filter candidate_has_tag{
    "tag",
    "c.id IN (SELECT t.candidate_id FROM recruiting.candidate_terms t "
    "WHERE t.organization_id = (SELECT recruiting.current_organization_id()) AND t.kind = 't' "
    "AND t.term = (SELECT recruiting.search_key(?::text)))",
    filter_index::sorted};
/// Each word of q begins a word of the candidate's name, e-mail, title or company.
extern word_search const candidate_words;

/// What the global list asks of an application. Each takes what stands on the right of "=".
class application_conditions {
public:
    void of_jobs(std::string_view values);
    void in_stages(std::string_view values);
    void with_external_id(std::string_view value);
    void with_status(std::string_view values);
    /// That the candidate has an application which fulfils all of them. "": none was given.
    [[nodiscard]] std::string of_candidate() const;
    /// What an index does for it.
    [[nodiscard]] filter_index index() const;

private:
    std::string conditions_;
    bool by_index_{false}; // applications that an index names
    bool unique_{false};
};

} // namespace recruiting::auth_api
