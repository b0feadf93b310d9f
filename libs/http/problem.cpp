#include "http/problem.hpp"

#include "http/json_writer.hpp"

namespace recruiting::http {
namespace {

void write_details(json_writer& json, std::vector<error_detail> const& details) {
    json.key("details").open_array();
    for (auto const& detail : details) {
        json.open_object()
            .field("location", detail.location)
            .field("field", detail.field)
            .field("reason", detail.reason)
            .field("message", detail.message)
            .close_object();
    }
    json.close_array();
}

std::string_view message_of(api_error const& error) {
    return error.message.empty() ? default_message(error.code) : std::string_view(error.message);
}

void write_envelope(json_writer& json, api_error const& error, std::string_view request_id) {
    json.open_object().key("error").open_object();
    json.field("code", to_string(error.code)).field("message", message_of(error)).field("requestId", request_id);
    write_details(json, error.details);
    json.close_object().close_object();
}

// RFC 9457 section 3; code, requestId and details are extension members.
void write_problem(json_writer& json, api_error const& error, std::string_view request_id) {
    json.open_object()
        .field("type", "about:blank")
        .field("title", default_message(error.code))
        .field("status", http_status(error.code))
        .field("detail", message_of(error))
        .field("code", to_string(error.code))
        .field("requestId", request_id);
    write_details(json, error.details);
    json.close_object();
}

// RFC 6750 section 3: a challenge with every 401, and with a 403 that a wider scope would mend.
void add_challenge(response& answer, api_error const& error) {
    if (error.code == error_code::insufficient_scope) {
        answer.add("WWW-Authenticate", R"(Bearer error="insufficient_scope", scope=")" + error.required_scope + '"');
    } else if (error.code == error_code::missing_credential) {
        answer.add("WWW-Authenticate", R"(Bearer realm="api")");
    } else if (answer.status == 401) {
        answer.add("WWW-Authenticate", R"(Bearer realm="api", error="invalid_token")");
    }
}

} // namespace

response problem_response(api_error const& error, std::string_view request_id, std::string_view accept) {
    response answer;
    answer.status = http_status(error.code);
    json_writer json(answer.body);
    if (accepts(accept, "application/problem+json")) {
        answer.content_type = "application/problem+json";
        write_problem(json, error, request_id);
    } else {
        write_envelope(json, error, request_id);
    }
    add_challenge(answer, error);
    if (!error.allow.empty()) answer.add("Allow", error.allow);
    if (error.retry_after_seconds > 0) answer.add("Retry-After", std::to_string(error.retry_after_seconds));
    return answer;
}

} // namespace recruiting::http
