// What POST /agent/invoke asks for (the body and the Idempotency-Key) and how it is answered. Pure.
#pragma once
#include "auth_api/agent/run/run.hpp"
#include "core/error.hpp"
#include "core/ids.hpp"
#include "crypto/digest.hpp"
#include "http/message.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace recruiting::auth_api::agent {

struct invocation {
    std::string prompt; // UTF-8 without NUL; an API key's secret in it is masked
    digest prompt_hash{};
    std::optional<uuid> session_id;
    std::optional<std::string> key; // the Idempotency-Key as it is stored
};

/// invalid_request with every problem at once, or unsupported_media_type. most_characters bounds the prompt.
[[nodiscard]] result<invocation> read_invocation(http::request const& req, std::int64_t most_characters);

/// The value of an Idempotency-Key field: 1 to 255 printable ASCII characters; an RFC 8941 string ("abc", section
/// 3.3.3) is the same key as its content. nullopt: anything else.
[[nodiscard]] std::optional<std::string> read_idempotency_key(std::string_view field);

/// The first words of a prompt, on one line: what a session is called.
[[nodiscard]] std::string session_title(std::string_view prompt);

/// The response for a run as it is stored.
struct run_view {
    bool with_reply; // false, of the console: 202 while the run goes on, and no reply, which the session has
    bool replay;
    bool other_prompt;
};
[[nodiscard]] http::response render_run(run_record const& run, run_view const& view);

} // namespace recruiting::auth_api::agent
