// The questions the responder understands: one function a family, in a file of its name. Each looks at the prompt alone
// and gives the plan that answers it, or nothing. Whatever records say can't change which calls a plan makes, but for
// the ids and cursors that lead from one call to the next.
#pragma once
#include "auth_api/agent/builtin/desk.hpp"
#include "auth_api/agent/builtin/prompt.hpp"

namespace recruiting::auth_api::agent::responder {

/// The prompt, and what the session talked about before.
struct question {
    prompt const& asked;
    std::string_view recent_job; // id of the job last read in the session; empty: none
};

[[nodiscard]] plan match_revocation(question const& about);
[[nodiscard]] plan match_keys(question const& about);
[[nodiscard]] plan match_audit(question const& about);
[[nodiscard]] plan match_billing(question const& about);
[[nodiscard]] plan match_candidate_counts(question const& about);
[[nodiscard]] plan match_candidate_search(question const& about);
[[nodiscard]] plan match_pipelines(question const& about);
[[nodiscard]] plan match_job_details(question const& about);
[[nodiscard]] plan match_small_talk(question const& about);
[[nodiscard]] plan match_negation(question const& about);
[[nodiscard]] plan match_jobs(question const& about);
[[nodiscard]] plan match_members(question const& about);
[[nodiscard]] plan match_organization(question const& about);

/// What the responder can do, with examples; the answer to everything it does not understand.
[[nodiscard]] std::string help_text();
/// The answer to a prompt of more words than are looked at.
[[nodiscard]] std::string too_long_text();

} // namespace recruiting::auth_api::agent::responder
