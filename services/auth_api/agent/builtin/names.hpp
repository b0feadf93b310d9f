// Names in a prompt: of a job, a stage, a person, a place. A name is a quotation, or the words between a marker ("in",
// "for", "called") and the next word that can't belong to it.
#pragma once
#include "auth_api/agent/builtin/prompt.hpp"

#include <string>
#include <string_view>

namespace recruiting::auth_api::agent::responder {

/// Equal in their plain form, or the wanted words stand in the text as whole words.
[[nodiscard]] bool names_match(std::string_view text, std::string_view wanted);
[[nodiscard]] bool same_name(std::string_view a, std::string_view b);

/// Of an e-mail account.
[[nodiscard]] bool is_address(std::string_view text);

/// "remote" and its like: where a job is done when it is no place.
[[nodiscard]] bool is_workplace(std::string_view words);

/// A job's title; empty: none is named.
[[nodiscard]] std::string job_title(prompt const& asked);
/// What may be one where a job must be meant: the first words that mean nothing else.
[[nodiscard]] std::string possible_job_title(prompt const& asked);
/// A stage of a pipeline.
[[nodiscard]] std::string stage_name(prompt const& asked);
/// A person, by name or e-mail address: the first words that mean nothing else.
[[nodiscard]] std::string person_name(prompt const& asked);
/// Departments and places, of a list of jobs: all of them are meant.
[[nodiscard]] std::vector<std::string> place_names(prompt const& asked);
/// Where candidates come from, as sources are spelled: "job_board".
[[nodiscard]] std::string source_name(prompt const& asked);
/// A record's id (32 hexadecimal digits, dashes allowed).
[[nodiscard]] std::string record_id(prompt const& asked);

} // namespace recruiting::auth_api::agent::responder
