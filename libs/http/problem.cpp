#include "http/problem.hpp"

#include "core/redact.hpp"
#include "core/text.hpp"
#include "http/json_writer.hpp"

#include <algorithm>
#include <array>

namespace recruiting::http {
namespace {

// A refusal is at most 16 KiB long, whatever the request held (proto-docs/errors.md). JSON doubles a character at most,
// for printable() leaves none that it writes in more.
constexpr std::size_t most_details = 20;
constexpr std::size_t longest_field = 100;           // bytes
constexpr std::size_t longest_message = 500;         // bytes
constexpr std::size_t room_for_details = 14 * 1024U; // bytes of the body; the last detail may pass it

std::string message_of(api_error const& error) {
    return error.message.empty() ? std::string(default_message(error.code)) : printable(error.message, longest_message);
}

void write_details(json_writer& json, std::string const& body, std::vector<error_detail> const& details) {
    json.key("details").open_array();
    std::size_t written = 0;
    for (auto const& detail : details) {
        if (++written > most_details || body.size() > room_for_details) break;
        json.open_object()
            .field("location", detail.location)
            .field("field", printable(detail.field, longest_field))
            .field("reason", is_detail_reason(detail.reason) ? std::string_view(detail.reason) : "invalid")
            .field("message", printable(detail.message, longest_message))
            .close_object();
    }
    json.close_array();
}

void write_envelope(std::string& body, api_error const& error, std::string_view request_id) {
    json_writer json(body);
    json.open_object().key("error").open_object();
    json.field("code", to_string(error.code)).field("message", message_of(error)).field("requestId", request_id);
    write_details(json, body, error.details);
    json.close_object().close_object();
}

// RFC 9457 section 3; code, requestId and details are extension members.
void write_problem(std::string& body, api_error const& error, std::string_view request_id) {
    json_writer json(body);
    json.open_object()
        .field("type", "about:blank")
        .field("title", default_message(error.code))
        .field("status", http_status(error.code))
        .field("detail", message_of(error))
        .field("code", to_string(error.code))
        .field("requestId", request_id);
    write_details(json, body, error.details);
    json.close_object();
}

// RFC 6750 section 3: a challenge with every 401, and with a 403 that a wider scope would fix.
void add_challenge(response& answer, api_error const& error) {
    if (error.code == error_code::insufficient_scope) {
        answer.add("WWW-Authenticate", R"(Bearer error="insufficient_scope", scope=")" + error.required_scope + '"');
    } else if (error.code == error_code::missing_credential) {
        answer.add("WWW-Authenticate", R"(Bearer realm="api")");
    } else if (answer.status == 401) {
        answer.add("WWW-Authenticate", R"(Bearer realm="api", error="invalid_token")");
    }
}

api_error with_message(error_code code, std::string message) {
    auto error = make_error(code);
    error.message = std::move(message);
    return error;
}

} // namespace

response problem_response(api_error const& error, std::string_view request_id, std::string_view accept) {
    response answer;
    answer.status = http_status(error.code);
    if (accepts(accept, "application/problem+json")) {
        answer.content_type = "application/problem+json";
        write_problem(answer.body, error, request_id);
    } else {
        write_envelope(answer.body, error, request_id);
    }
    add_challenge(answer, error);
    if (!error.allow.empty()) answer.add("Allow", error.allow);
    if (error.retry_after_seconds > 0) answer.add("Retry-After", std::to_string(error.retry_after_seconds));
    return answer;
}

api_error not_forwarded() {
    return with_message(error_code::service_unavailable,
                        "The service is temporarily unavailable. This request was not forwarded to it.");
}

api_error outcome_unknown_with_key() {
    return with_message(error_code::service_unavailable,
                        "The request may have taken effect: its outcome is unknown. It is safe to repeat it with the "
                        "same Idempotency-Key, which returns the outcome.");
}

api_error outcome_unknown_without_key() {
    return with_message(
        error_code::outcome_unknown,
        "The request may have taken effect: its outcome is unknown. Check what it changed before you repeat it.");
}

namespace {

constexpr std::size_t longest_name = 40; // longer ones are no mistyped parameters, and cost more to compare
constexpr std::size_t short_name = 6;

using row = std::array<std::size_t, longest_name + 1>;

// The optimal string alignment distance; both are at most longest_name characters long.
std::size_t distance(std::string_view a, std::string_view b) noexcept {
    row two_before{};
    row before{};
    row now{};
    for (std::size_t j = 0; j <= b.size(); ++j) before[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        now[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            std::size_t const replaced = before[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            now[j] = std::min({before[j] + 1, now[j - 1] + 1, replaced});
            bool const swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (swapped) now[j] = std::min(now[j], two_before[j - 2] + 1);
        }
        two_before = before;
        before = now;
    }
    return before[b.size()];
}

} // namespace

std::string_view nearest(std::string_view name, std::span<std::string_view const> known) {
    if (name.size() > longest_name) return {};
    auto const wanted = to_lower(name);
    std::string_view found;
    std::size_t least = name.size() < short_name ? 2 : 3;
    for (auto const one : known) {
        if (one.size() > longest_name || one.size() + least <= name.size() || name.size() + least <= one.size())
            continue;
        auto const edits = distance(wanted, to_lower(one));
        if (edits >= least || edits >= one.size()) continue; // a word of one letter is no other one
        least = edits;
        found = one;
    }
    return found;
}

std::string unknown_message(std::string_view what, std::string_view name, std::span<std::string_view const> known) {
    std::string message(what);
    if (auto const meant = nearest(name, known); !meant.empty())
        message.append(" Did you mean \"").append(meant).append("\"?");
    return message;
}

api_error key_not_allowed(std::string_view location) {
    bool const in_header = location != "query" && location != "path" && location != "body";
    bool const named = in_header && location != "header";
    auto error = make_error(error_code::credential_not_allowed);
    error.details.push_back(
        {in_header ? "header" : std::string(location), named ? std::string(location) : "", "api_key",
         "Never send an API key here. Anyone who can read this request has the key now: revoke it."});
    return error;
}

} // namespace recruiting::http
