#include "public_api/docs/endpoints.hpp"

#include "core/text.hpp"
#include "public_api/docs/shared_site.hpp"
#include "public_api/http/answer.hpp"
#include "public_api/http/plan.hpp"
#include "public_api/pages/page.hpp"

namespace recruiting::public_api {
namespace {

// Everything comes from this site: what is not named here, a page can't do.
constexpr std::string_view protection =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'";

// Several fields of one name are one list (RFC 9110 section 5.3).
std::string list_of(http::request const& request, std::string_view name) {
    std::string out;
    for (auto const& [field, value] : request.headers) {
        if (!iequals(field, name)) continue;
        if (!out.empty()) out += ", ";
        out += value;
    }
    return out;
}

http::response represent(document const& shown, representation const& form) {
    http::response answer;
    answer.content_type = shown.content_type;
    answer.shared_body = form.body;
    answer.add("Cache-Control", std::string(shown.cache_control));
    if (shown.gzip) answer.add("Vary", "Accept-Encoding");
    answer.add("Content-Security-Policy", std::string(protection));
    answer.add("Referrer-Policy", "no-referrer");
    return answer;
}

http::response show(document const& found, http::request const& request) {
    bool const compressed = found.gzip && http::prefers_gzip(list_of(request, "Accept-Encoding"));
    auto const& form = compressed ? *found.gzip : found.plain;
    auto answer = represent(found, form);
    answer.add("ETag", form.etag);
    auto const known = list_of(request, "If-None-Match");
    if (!known.empty() && names_etag(known, form.etag)) {
        answer.status = 304;
        answer.clear_content();
    } else if (compressed) {
        answer.add("Content-Encoding", "gzip");
    }
    return answer;
}

// Its ETag would name the absence of other documents too: the page is sent whole each time.
http::response show_missing(document const& page, http::request const& request) {
    bool const compressed = page.gzip && http::prefers_gzip(list_of(request, "Accept-Encoding"));
    auto answer = represent(page, compressed ? *page.gzip : page.plain);
    answer.status = 404;
    if (compressed) answer.add("Content-Encoding", "gzip");
    return answer;
}

http::response redirect_to_folder(http::request const& request) {
    http::response answer;
    answer.status = 308;
    answer.content_type.clear();
    std::string to(request.path);
    to += '/';
    if (!request.query.empty()) to.append("?").append(request.query);
    answer.add("Location", std::move(to));
    answer.add("Cache-Control", "no-cache");
    return answer;
}

} // namespace

std::optional<http::response> answer_document(document_site const& site, http::request const& request,
                                              std::string_view path) {
    if (auto const* const found = site.find(path)) return show(*found, request);
    if (site.is_folder(path)) return redirect_to_folder(request);
    auto const* const page = site.missing_page();
    if (page == nullptr || !http::accepts(list_of(request, "Accept"), "text/html")) return std::nullopt;
    return show_missing(*page, request);
}

// A document that is missing is missing whether or not the published jobs are known yet: the refusal is made here.
result<plan> get_document(call const& from) {
    auto const site = from.documents == nullptr ? nullptr : from.documents->current();
    auto shown =
        site ? answer_document(*site, from.request, from.request.path.substr(documentation.size())) : std::nullopt;
    if (shown) return answered(std::move(*shown));
    return answered(refusal(make_error(error_code::not_found), from.request, from.request_id));
}

result<plan> get_openapi(call const&) {
    static auto const body = std::make_shared<std::string const>(openapi_document());
    static std::string const etag = etag_of(*body);
    http::response answer;
    answer.shared_body = body;
    answer.add("ETag", etag);
    return answered(std::move(answer));
}

} // namespace recruiting::public_api
