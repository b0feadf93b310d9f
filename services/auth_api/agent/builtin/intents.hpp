// The questions that the responder answers, one function per family. Each reads the prompt alone and returns the
// plan that answers it, or nothing. Text in records can't change which calls a plan makes, except for the ids and
// cursors that lead from one call to the next.
#pragma once
#include "auth_api/agent/builtin/dialogue.hpp"
#include "auth_api/agent/builtin/question.hpp"

#include <functional>

namespace recruiting::auth_api::agent::builtin {

/// A plan is written as if every result were there; dialogue.hpp describes how that works.
using plan = std::function<void(dialogue&)>;

// jobs.cpp
[[nodiscard]] plan match_job_list(question const& asked);
[[nodiscard]] plan match_job(question const& asked);
// candidates.cpp
[[nodiscard]] plan match_candidate(question const& asked);
[[nodiscard]] plan match_candidate_list(question const& asked);
[[nodiscard]] plan match_pipeline(question const& asked);
// organization.cpp
[[nodiscard]] plan match_organization(question const& asked);
[[nodiscard]] plan match_members(question const& asked);
[[nodiscard]] plan match_billing(question const& asked);
[[nodiscard]] plan match_audit(question const& asked);
// keys.cpp
[[nodiscard]] plan match_keys(question const& asked);
/// Of every prompt that contains "revoke": only a plain command acts.
[[nodiscard]] plan match_revocation(question const& asked);

/// The job whose title holds the name, or that has this id; nullopt while it is not known yet. Answers when there is
/// none, or several.
[[nodiscard]] std::optional<std::string> find_job(dialogue& with, std::string const& name);

} // namespace recruiting::auth_api::agent::builtin
