// The tools for API keys: list_api_keys, a read like any endpoint's although no endpoint does it; and revoke_api_key,
// which finds the key, decides, and revokes it in one transaction that holds only while the key that asks, its owner's
// role and the run are what they must be.
#pragma once
#include "auth_api/agent/tools/read_tool.hpp"
#include "auth_api/http/resource.hpp"
#include "directory/records.hpp"
#include "http/json_writer.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace recruiting::auth_api::agent {

/// The fields that distinguish a key from others, into an open object: id, name, displayedPrefix, ownerName,
/// ownerEmail.
void write_key_identity(http::json_writer& json, directory::api_key const& key);

// prompt_guard.cpp: whether the caller's own prompt of this run lets revoke_api_key act on a key. What a model has read
// in records (a CV, a job's description) adds nothing to it: a record can't name a key for the caller.
enum class consent {
    none,    // the prompt does not hold the key's exact name as a word of its own, or does not contain "revoke"
    unclear, // it does both, but not as a plain command for this key alone: the caller is asked `revoke "NAME"?`
    given,
};

/// A plain command begins the prompt: "revoke", at most words such as "the API key", and the exact name as a word of
/// its own; its clause ends there, and the prompt holds no question mark. A name whose first or last word is an
/// ordinary one ("old", "CI key") must stand in quotation marks. When the command fits one of the other keys too, it is
/// unclear.
[[nodiscard]] consent consent_to_revoke(std::string_view prompt, std::string_view name,
                                        std::span<std::string const> others);

/// The prompt is the plain command and contains nothing else but "please" and "thanks".
[[nodiscard]] bool is_only_command(std::string_view prompt, std::string_view name);

/// Why a call may revoke no key.
enum class refusal {
    not_in_prompt,   // the caller's own prompt does not contain "revoke" and the key's exact name
    unconfirmed,     // it does, but not as a plain command for this key alone: the caller is to be asked
    not_found,       // the caller may revoke no key of that name; candidates: other spellings
    ambiguous,       // candidates: several of that very name
    already_revoked, // before this call
    run_ended,       // the run has ended, or belongs to another process
};

[[nodiscard]] std::string_view to_string(refusal why) noexcept;
/// As an endpoint would have answered.
[[nodiscard]] unsigned http_status(refusal why) noexcept;

struct revocation_request {
    std::string_view name;
    std::string_view prompt;  // of the run
    uuid member;              // whose key calls
    std::optional<uuid> sent; // the key an earlier attempt of this call may have revoked: its answer was lost
};

struct revocation_step {
    enum class kind { revoke, done, refuse };
    kind next{kind::refuse};
    directory::api_key key; // revoke, done
    refusal why{refusal::not_found};
    std::vector<directory::api_key> candidates;
};

/// found: the keys in the caller's reach whose name is or holds that name, in any case (directory::store::keys_like).
[[nodiscard]] revocation_step decide_revocation(revocation_request const& asked,
                                                std::span<directory::api_key const> found);

/// {"data":{"revoked":true,"id","name","displayedPrefix","ownerName","ownerEmail","inUse"}}; in_use: it is the key that
/// the run was asked with.
[[nodiscard]] std::string revoked_content(directory::api_key const& key, bool in_use);
/// {"data":{"revoked":false,"reason","message","name","candidates":[{"id","name","displayedPrefix",…}]}}
[[nodiscard]] std::string refused_content(std::string_view name, refusal why,
                                          std::span<directory::api_key const> candidates = {});

/// name: the key's, or what is wrong with the arguments. sent: kept between the attempts of one call; names the key
/// whose revocation was sent, so that the next attempt knows it as done when the answer was lost. Throws outage when
/// PostgreSQL is unavailable.
[[nodiscard]] task<tool_outcome> run_revoke_tool(tool_dependencies const& on, run_context const& run,
                                                 result<std::string> name, std::optional<directory::api_key>& sent,
                                                 tracing::parent trace);

} // namespace recruiting::auth_api::agent
