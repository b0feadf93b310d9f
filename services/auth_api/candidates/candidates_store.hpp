#pragma once
#include "auth_api/list_query.hpp"

namespace recruiting::auth_api {

extern list_shape const candidate_list;
/// The candidates of one job, each with its application; $1 is the job.
extern list_shape const job_candidate_list;
/// include=applications of either: per record its applications, each with the columns of its next interview behind.
extern list_inclusion const candidate_applications_included;
extern list_inclusion const job_candidate_applications_included;
[[nodiscard]] pg::statement candidate_record(uuid const& id);
[[nodiscard]] pg::statement candidate_applications(uuid const& candidate);

// Conditions of both lists: each an index look-up, since the operators are leakproof (candidate_terms in 0003).
inline constexpr std::string_view candidate_has_email = "c.email_key = lower(?::text)";
inline constexpr std::string_view candidate_has_external_id = "c.external_id = ?";
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

/// What the global list asks of an application. Each takes what stands on the right of "=".
class application_conditions {
public:
    void of_jobs(std::string_view values);
    void in_stages(std::string_view values);
    void with_external_id(std::string_view value);
    void with_status(std::string_view values);
    /// The condition on the candidate: that it has an application which fulfils all of them. "": none was given.
    [[nodiscard]] std::string of_candidate() const;

private:
    std::string conditions_;
    bool by_index_{false}; // applications that an index names
};

} // namespace recruiting::auth_api
