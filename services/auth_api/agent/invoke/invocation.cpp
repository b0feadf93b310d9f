#include "auth_api/agent/invoke/invocation.hpp"

#include "core/redact.hpp"
#include "core/text.hpp"
#include "http/json_fields.hpp"
#include "http/json_writer.hpp"
#include "http/message.hpp"
#include "http/query.hpp"

#include <algorithm>

namespace recruiting::auth_api::agent {
namespace {

constexpr std::size_t longest_key = 255;
constexpr int poll_after = 2;             // seconds
constexpr std::size_t longest_title = 80; // characters

using problems = std::vector<error_detail>;

// RFC 8941 section 3.3.3: only \" and \\ are escapes.
std::optional<std::string> read_quoted(std::string_view field) {
    std::string key;
    for (std::size_t i = 1; i < field.size(); ++i) {
        char const c = field[i];
        if (c == '"') return i + 1 == field.size() ? std::optional(key) : std::nullopt;
        if (c != '\\') {
            key += c;
            continue;
        }
        if (++i == field.size() || (field[i] != '"' && field[i] != '\\')) return std::nullopt;
        key += field[i];
    }
    return std::nullopt;
}

void read_query(http::request const& req, problems& found) {
    http::query_reader query(req.query);
    query.refuse_unknown();
    for (auto& problem : query.take_problems()) found.push_back(std::move(problem));
}

void read_key(http::request const& req, invocation& wanted, problems& found) {
    auto const fields = req.header_count("Idempotency-Key");
    if (fields == 0) return;
    if (fields == 1) wanted.key = read_idempotency_key(req.header("Idempotency-Key"));
    if (wanted.key) return;
    found.push_back({"header", "Idempotency-Key", fields > 1 ? "repeated" : "invalid",
                     "Must be one field of 1 to 255 printable ASCII characters."});
}

void read_prompt(http::json_fields& body, std::int64_t most, invocation& wanted) {
    auto prompt = body.text("prompt", http::json_fields::presence::required);
    if (!prompt) return;
    if (prompt->find('\0') != std::string::npos)
        return body.problem("prompt", "invalid", "Must not contain the character U+0000.");
    if (session_title(*prompt).empty()) return body.problem("prompt", "empty", "Must not be empty.");
    if (static_cast<std::int64_t>(count_characters(*prompt)) > most)
        return body.problem("prompt", "too_long", "Must be at most " + std::to_string(most) + " characters long.");
    wanted.prompt_hash = sha256(*prompt);
    wanted.prompt = redact_secrets(std::move(*prompt));
}

void read_body(std::string_view text, std::int64_t most, invocation& wanted, problems& found) {
    http::json_fields body(text);
    read_prompt(body, most, wanted);
    wanted.session_id = body.id("sessionId", http::json_fields::presence::optional);
    body.refuse_others({"prompt", "sessionId"});
    for (auto& problem : body.take_problems()) found.push_back(std::move(problem));
}

void write_begun(http::json_writer& json, run_record const& run, run_status status, bool replay) {
    json.open_object().key("data").open_object().field("sessionId", run.session_id);
    json.field("correlationId", std::string_view(to_dashed_string(run.id))).field("status", to_string(status));
    json.field("idempotentReplay", replay).close_object().close_object();
}

void write_run(http::json_writer& json, run_record const& run, run_status status, bool replay) {
    json.open_object().field("sessionId", run.session_id).key("reply");
    if (status == run_status::completed) json.value(run.reply);
    else json.null();
    json.field("status", to_string(status)).field("idempotentReplay", replay);
    if (status == run_status::failed)
        json.field("error", run_error).field("failedCorrelationId", std::string_view(to_dashed_string(run.id)));
    json.close_object();
}

} // namespace

std::optional<std::string> read_idempotency_key(std::string_view field) {
    field = trim(field);
    if (!is_printable_ascii(field)) return std::nullopt;
    auto key = field.starts_with('"') ? read_quoted(field) : std::optional(std::string(field));
    if (!key || key->empty() || key->size() > longest_key) return std::nullopt;
    return key;
}

std::string session_title(std::string_view prompt) {
    std::string title;
    bool gap = false;
    std::size_t count = 0;
    for (char const c : prompt) {
        auto const byte = static_cast<unsigned char>(c);
        if (byte <= 0x20 || byte == 0x7F) {
            gap = !title.empty();
            continue;
        }
        bool const starts = !is_utf8_continuation(c);
        if (starts && count + (gap ? 1 : 0) >= longest_title) return title + "…";
        if (gap) title += ' ';
        count += (starts ? 1U : 0U) + (gap ? 1U : 0U);
        gap = false;
        title += c;
    }
    return title;
}

result<invocation> read_invocation(http::request const& req, std::int64_t most_characters) {
    if (auto refused = http::refuse_body(req, "application/json")) return std::move(*refused);
    invocation wanted;
    problems found;
    read_query(req, found);
    read_key(req, wanted, found);
    read_body(req.body, most_characters, wanted, found);
    // Specification: Agent invoke rules, 3. The key belongs to the first invocation of a session.
    if (req.header_count("Idempotency-Key") > 0 && wanted.session_id)
        found.push_back({"header", "Idempotency-Key", "not_with_session_id",
                         "Must not be combined with sessionId: the key is for the first invocation of a session."});
    if (!found.empty()) return invalid_request(std::move(found));
    return wanted;
}

http::response render_run(run_record const& run, run_view const& view) {
    http::response answer;
    auto const status = effective_status(run);
    http::json_writer json(answer.body);
    (view.with_reply ? write_run : write_begun)(json, run, status, view.replay);
    if (view.with_reply) answer.add("Correlation-Id", to_dashed_string(run.id));
    if (status == run_status::in_progress) {
        if (!view.with_reply) answer.status = 202;
        answer.add("Retry-After", std::to_string(poll_after));
    }
    if (view.other_prompt) answer.add("Idempotency-Mismatch", "true");
    return answer;
}

} // namespace recruiting::auth_api::agent
