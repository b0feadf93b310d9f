#include "gateway/answers/answer.hpp"

#include "core/text.hpp"
#include "core/url.hpp"
#include "crypto/digest.hpp"
#include "gateway/client_request.hpp"
#include "gateway/forwarded_head.hpp"
#include "http/message.hpp"
#include "http/problem.hpp"

namespace recruiting::gateway {
namespace {

constexpr std::string_view cors_fields =
    "Access-Control-Allow-Origin: *\r\n"
    "Access-Control-Expose-Headers: Retry-After, RateLimit, RateLimit-Policy, X-Request-Id, ETag, Link\r\n";

// A browser that asks for a page, or for no path of ours at all, gets a page. API paths keep their one form.
bool wants_page(client_request const& request) {
    bool const may_be_person = request.to == nullptr ? !request.cors : request.to->for_people;
    return may_be_person && http::accepts(request.head.fields.value(field_id::accept), "text/html");
}

constexpr std::string_view page_style = "html{background:Canvas}body{font:1.0625rem/1.5 "
                                        "system-ui,sans-serif;max-width:36rem;margin:15vh auto;padding:0 1.25rem}";

std::string const& page_policy() {
    static std::string const made = "default-src 'none'; style-src 'sha256-" +
                                    to_base64url(bytes_of(sha256(page_style))) +
                                    "='; base-uri 'none'; frame-ancestors 'none'";
    return made;
}

// Nothing of the request is in it but its id, which needs no escape; the sentence is one of ours.
void make_page(http::response& answer, api_error const& error, std::string_view request_id) {
    auto const reason = http::reason_of(answer.status);
    answer.content_type = "text/html; charset=utf-8";
    answer.add("Content-Security-Policy", page_policy());
    answer.body = "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n"
                  "<meta name=\"viewport\" content=\"width=device-width\">\n"
                  "<meta name=\"color-scheme\" content=\"light dark\">\n";
    answer.body.append("<title>").append(reason).append("</title>\n<style>").append(page_style).append("</style>\n");
    answer.body.append("<main>\n<h1>").append(reason).append("</h1>\n<p>").append(default_message(error.code));
    if (error.retry_after_seconds > 0)
        answer.body.append(" Try again in ").append(std::to_string(error.retry_after_seconds)).append(" s.");
    answer.body.append("</p>\n");
    if (error.code == error_code::not_found)
        answer.body.append("<p>The address may be mistyped. <a href=\"/\">Go to the start page</a></p>\n");
    answer.body.append("<p><small>Request ").append(request_id).append("</small></p>\n</main>\n</html>\n");
}

// An answer of the gateway's own, whatever the request it is for: the rest is put around and into it.
struct rendered {
    unsigned status{0};
    std::string fields;
    std::string before_id; // the body, on both sides of the request id
    std::string after_id;
};

rendered render(api_error const& error, std::string_view accept, bool as_page) {
    constexpr std::string_view some_id = "--------------------------------"; // nowhere else in a body
    auto answer = http::problem_response(error, some_id, accept);
    if (as_page) make_page(answer, error, some_id);
    auto const id_at = answer.body.find(some_id);
    rendered out{answer.status, {}, answer.body.substr(0, id_at), answer.body.substr(id_at + some_id.size())};
    out.fields.append("Content-Type: ").append(answer.content_type).append("\r\nCache-Control: no-store\r\n");
    for (auto const& [name, value] : answer.headers) out.fields.append(name).append(": ").append(value).append("\r\n");
    return out;
}

// A flood's answers differ in their request ids only, for a second: made once, they cost no more than to be copied.
rendered const& render_over_limit(api_error const& error, std::string_view accept, bool as_page) {
    struct made {
        int seconds{-1};
        std::string limit;
        std::string accept;
        bool as_page{false};
        rendered answer;
    };
    thread_local made last;
    auto const limit = error.details.empty() ? std::string_view() : std::string_view(error.details.front().field);
    bool const same = last.seconds == error.retry_after_seconds && last.limit == limit && last.accept == accept &&
                      last.as_page == as_page;
    if (!same)
        last = {error.retry_after_seconds, std::string(limit), std::string(accept), as_page,
                render(error, accept, as_page)};
    return last.answer;
}

void append_own_head(std::string& out, client_request& request, unsigned status, auto const&... fields) {
    request.status = status;
    append_all(out, "HTTP/1.1 ", decimal(status), " ", http::reason_of(status), "\r\n", http::date_line(), fields...);
    if (request.cors) out += cors_fields;
    append_gateway_fields(out, request);
    out += "\r\n";
}

void append_rendered(std::string& out, rendered const& answer, client_request& request) {
    auto const size = answer.before_id.size() + request.request_id.size() + answer.after_id.size();
    append_own_head(out, request, answer.status, answer.fields, "Content-Length: ", decimal(size), "\r\n");
    if (!request.is_head())
        append_all(out, answer.before_id, request.request_id, answer.after_id); // an id needs no escape
}

} // namespace

void append_answer(std::string& out, api_error const& error, client_request& request) {
    auto const accept = request.head.fields.value(field_id::accept);
    bool const as_page = wants_page(request);
    if (error.code == error_code::rate_limited)
        append_rendered(out, render_over_limit(error, accept, as_page), request);
    else append_rendered(out, render(error, accept, as_page), request);
}

namespace {

constexpr std::string_view redirect_fields = "\r\nCache-Control: no-store\r\nContent-Length: 0\r\n";
constexpr std::uint16_t https_port = 443;

} // namespace

std::optional<refusal> check_redirect(client_request const& request,
                                      std::function<bool(std::string_view host)> const& serves) {
    if (request.head.method == "TRACE") {
        refusal refused{make_error(error_code::method_not_allowed), false};
        refused.error.allow = "GET, HEAD, POST, OPTIONS";
        return refused;
    }
    if (request.where.type == http::target::form::asterisk) return refusal{make_error(error_code::not_found), false};
    if (serves(host_of(request.host))) return std::nullopt;
    return refusal{invalid_request({{"header", "Host", "invalid", "Nothing is served for this host."}}), true};
}

void append_options_answer(std::string& out, client_request& request) {
    append_own_head(out, request, 204, "Allow: ", allowed_methods, "\r\n");
}

void append_home_redirect(std::string& out, client_request& request, std::string_view home) {
    append_own_head(out, request, 302, "Location: ", home, redirect_fields);
}

void append_redirect(std::string& out, client_request& request, std::uint16_t port) {
    auto const at = port == https_port ? std::string() : ":" + std::to_string(port);
    append_own_head(out, request, 308, "Location: https://", host_of(request.host), at, request.where.path,
                    request.where.query, redirect_fields);
}

} // namespace recruiting::gateway
