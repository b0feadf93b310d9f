#include "public_api/http/answer.hpp"

#include "compression/compress.hpp"
#include "core/text.hpp"

#include <algorithm>

namespace recruiting::public_api {
namespace {

constexpr int level = 6; // each body once, for many requests

} // namespace

body_cache::shared_text const* body_cache::find(std::string_view etag) {
    auto const known = found_.find(etag);
    if (known == found_.end()) return nullptr;
    kept_.splice(kept_.begin(), kept_, known->second);
    return &known->second->body;
}

body_cache::shared_text const& body_cache::keep(std::string_view etag, shared_text const& body) {
    if (body->size() > most_bytes_) return body;
    kept_.push_front({std::string(etag), body});
    found_.emplace(kept_.front().etag, kept_.begin());
    bytes_ += body->size();
    while (bytes_ > most_bytes_) drop_last();
    return body;
}

void body_cache::drop_last() {
    bytes_ -= kept_.back().body->size();
    found_.erase(kept_.back().etag);
    kept_.pop_back();
}

namespace {

// RFC 9110's conditional requests and W3C's trace context from a browser; no Authorization, so that it can't send a
// key.
constexpr std::string_view allowed_fields = "Content-Type, Accept, If-None-Match, X-Request-Id, traceparent";
constexpr std::string_view kept_by_all = "public, max-age=60, stale-while-revalidate=300";

std::string* find_field(http::response& answer, std::string_view name) {
    auto const found =
        std::ranges::find_if(answer.headers, [name](auto const& one) { return iequals(one.first, name); });
    return found == answer.headers.end() ? nullptr : &found->second;
}

} // namespace

http::response preflight() {
    http::response answer;
    answer.status = 204;
    answer.content_type = {};
    answer.add("Access-Control-Allow-Methods", "GET, HEAD, POST, OPTIONS");
    answer.add("Access-Control-Allow-Headers", std::string(allowed_fields));
    answer.add("Access-Control-Max-Age", "86400");
    return answer;
}

http::response redirect(unsigned status, std::string location) {
    http::response answer;
    answer.status = status;
    answer.content_type = {};
    answer.add("Location", std::move(location));
    return answer;
}

void make_cacheable(http::response& answer, http::request const& request, body_cache& compressed) {
    bool const is_representation = answer.status == 200 && (request.method == "GET" || request.method == "HEAD");
    auto const* const given = find_field(answer, "Cache-Control");
    auto const control = given == nullptr ? std::string() : *given;
    if (control.empty()) answer.add("Cache-Control", std::string(is_representation ? kept_by_all : "no-store"));
    if (!is_representation || (!control.empty() && !control.starts_with("public"))) return;
    if (find_field(answer, "ETag") == nullptr) answer.add("ETag", etag_of(answer.content()));
    bool const may_compress = !answer.stream && compression::is_worth_compressing(answer);
    bool const compress = may_compress && http::prefers_gzip(request.header("Accept-Encoding"));
    if (may_compress) answer.add("Vary", "Accept-Encoding");
    auto& etag = *find_field(answer, "ETag");
    auto const plain_etag = etag;
    if (compress) etag = compressed_etag(etag);
    auto const if_none_match = request.header("If-None-Match");
    if (!if_none_match.empty() && names_etag(if_none_match, etag)) {
        answer.status = 304;
        return answer.clear_content();
    }
    if (!compress) return;
    auto body = compressed.get(plain_etag, [&] { return compression::gzip(answer.content(), level); });
    answer.clear_content();
    answer.shared_body = std::move(body);
    answer.add("Content-Encoding", "gzip");
}

void allow_all_origins(http::response& answer) {
    answer.add("Access-Control-Allow-Origin", "*");
    answer.add("Access-Control-Expose-Headers", "Retry-After, RateLimit, RateLimit-Policy, X-Request-Id, ETag, Link");
}

} // namespace recruiting::public_api
