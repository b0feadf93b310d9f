#include "gateway/answer.hpp"

#include "core/text.hpp"
#include "gateway/phases.hpp"
#include "gateway/rewrite.hpp"
#include "http/problem.hpp"

namespace recruiting::gateway {
namespace {

constexpr std::string_view cors_fields =
    "Access-Control-Allow-Origin: *\r\n"
    "Access-Control-Expose-Headers: Retry-After, RateLimit, RateLimit-Policy, X-Request-Id, ETag, Link\r\n";

// RFC 9110 section 15, of those http_status() can give.
std::string_view reason_of(unsigned status) noexcept {
    switch (status) {
    case 400: return "Bad Request";
    case 404: return "Not Found";
    case 405: return "Method Not Allowed";
    case 408: return "Request Timeout";
    case 413: return "Content Too Large";
    case 414: return "URI Too Long";
    case 417: return "Expectation Failed";
    case 429: return "Too Many Requests";
    case 431: return "Request Header Fields Too Large";
    case 501: return "Not Implemented";
    case 503: return "Service Unavailable";
    case 505: return "HTTP Version Not Supported";
    default: return "Internal Server Error";
    }
}

} // namespace

void append_answer(std::string& out, api_error const& error, exchange& x) {
    auto const answer = http::problem_response(error, x.request_id, x.head.fields.value(field_id::accept));
    x.status = answer.status;
    out += "HTTP/1.1 ";
    append_number(out, answer.status);
    out.append(" ").append(reason_of(answer.status)).append("\r\n").append(date_line());
    out.append("Content-Type: ").append(answer.content_type).append("\r\nCache-Control: no-store\r\nContent-Length: ");
    append_number(out, answer.body.size());
    out += "\r\n";
    for (auto const& [name, value] : answer.headers) out.append(name).append(": ").append(value).append("\r\n");
    if (x.cors) out += cors_fields;
    append_edge_fields(out, x);
    out += "\r\n";
    if (!x.is_head()) out += answer.body;
}

void append_options_answer(std::string& out, exchange& x) {
    x.status = 204;
    out.append("HTTP/1.1 204 No Content\r\n").append(date_line());
    out.append("Allow: ").append(allowed_methods).append("\r\n");
    if (x.cors) out += cors_fields;
    append_edge_fields(out, x);
    out += "\r\n";
}

} // namespace recruiting::gateway
