#include "public_api/answer.hpp"

#include "core/text.hpp"
#include "crypto/digest.hpp"

#include <algorithm>

namespace recruiting::public_api {
namespace {

constexpr std::size_t etag_bytes = 16; // of SHA-256: enough that no two bodies meet

std::string_view header_of(http::response const& answer, std::string_view name) {
    for (auto const& [field, value] : answer.headers)
        if (iequals(field, name)) return value;
    return {};
}

} // namespace

std::string etag_of(std::string_view body) {
    auto const hash = sha256(body);
    return '"' + to_base64url(bytes_of(hash).substr(0, etag_bytes)) + '"';
}

bool names_etag(std::string_view if_none_match, std::string_view etag) {
    if (trim(if_none_match) == "*") return true;
    auto const items = split(if_none_match, ','); // our tags hold no comma, so others' tags may be cut anywhere
    return std::any_of(items.begin(), items.end(), [etag](std::string_view item) {
        item = trim(item);
        if (item.starts_with("W/")) item.remove_prefix(2);
        return item == etag;
    });
}

http::response preflight() {
    http::response answer;
    answer.status = 204;
    answer.content_type.clear();
    answer.add("Access-Control-Allow-Methods", "GET, HEAD, POST, OPTIONS");
    answer.add("Access-Control-Allow-Headers", "Content-Type, Accept, If-None-Match");
    answer.add("Access-Control-Max-Age", "86400");
    return answer;
}

void make_cacheable(http::response& answer, std::string_view if_none_match) {
    if (header_of(answer, "Cache-Control") == "no-store") return;
    if (answer.status != 200) return answer.add("Cache-Control", "no-store");
    if (header_of(answer, "ETag").empty()) answer.add("ETag", etag_of(answer.body));
    if (header_of(answer, "Cache-Control").empty())
        answer.add("Cache-Control", "public, max-age=60, stale-while-revalidate=300");
    if (if_none_match.empty() || !names_etag(if_none_match, header_of(answer, "ETag"))) return;
    answer.status = 304;
    answer.body.clear();
}

void complete(http::response& answer, std::string_view request_id) {
    answer.add("Access-Control-Allow-Origin", "*");
    answer.add("Access-Control-Expose-Headers", "Retry-After, RateLimit, RateLimit-Policy, X-Request-Id, ETag, Link");
    answer.add("X-Request-Id", std::string(request_id));
}

} // namespace recruiting::public_api
