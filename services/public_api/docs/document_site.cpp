#include "public_api/docs/document_site.hpp"

#include "core/text.hpp"
#include "public_api/http/answer.hpp"
#include "public_api/http/plan.hpp"
#include "public_api/pages/page.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

namespace recruiting::public_api {
namespace {

constexpr std::string_view index_page = "index.html";
constexpr std::string_view page_where_nothing_is = "404.html";
constexpr std::size_t hash_in_a_name = 12; // hexadecimal digits

constexpr std::array media_types = {
    std::pair{".html", "text/html; charset=utf-8"},
    std::pair{".css", "text/css; charset=utf-8"},
    std::pair{".js", "text/javascript; charset=utf-8"},
    std::pair{".json", "application/json"},
    std::pair{".yaml", "application/yaml"},
    std::pair{".svg", "image/svg+xml"},
    std::pair{".png", "image/png"},
    std::pair{".txt", "text/plain; charset=utf-8"},
};

bool is_name_character(char c) noexcept { return is_alphanumeric(c) || c == '-' || c == '_' || c == '.'; }

bool is_hex(std::string_view text) noexcept {
    return text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

// Both validators are made of the plain bytes, so that they do not change with the program that compressed them.
document make_document(site_file file) {
    auto const etag = etag_of(file.body);
    document out;
    out.content_type = media_type_of(file.name);
    out.cache_control = is_named_by_content(file.name) ? "public, max-age=31536000, immutable" : "no-cache";
    out.plain = {etag, std::make_shared<std::string const>(std::move(file.body))};
    if (!file.gzip.empty())
        out.gzip = {compressed_etag(etag), std::make_shared<std::string const>(std::move(file.gzip))};
    return out;
}

} // namespace

bool is_site_name(std::string_view name) noexcept {
    for (auto const segment : split(name, '/'))
        if (segment.empty() || segment.starts_with('.') ||
            !std::all_of(segment.begin(), segment.end(), is_name_character))
            return false;
    return true;
}

std::string_view media_type_of(std::string_view name) noexcept {
    for (auto const& [ending, type] : media_types)
        if (name.ends_with(ending)) return type;
    return "application/octet-stream";
}

bool is_named_by_content(std::string_view name) noexcept {
    auto const ending = name.rfind('.');
    if (ending == std::string_view::npos || ending <= hash_in_a_name) return false;
    auto const hash = name.substr(ending - hash_in_a_name, hash_in_a_name);
    return name[ending - hash_in_a_name - 1] == '.' && is_hex(hash);
}

document_site::document_site(std::vector<site_file> files) {
    for (auto& file : files) {
        if (!is_site_name(file.name))
            throw std::runtime_error("the name of " + file.name +
                                     " can't be part of a URL: letters, digits, - _ . only");
        auto const path = '/' + file.name;
        auto made = make_document(std::move(file));
        bytes_ += made.plain.body->size() + (made.gzip ? made.gzip->body->size() : 0);
        if (path.substr(1) == page_where_nothing_is) missing_ = std::move(made);
        else documents_.emplace(path, std::move(made));
    }
}

document const* document_site::find(std::string_view path) const {
    auto const found =
        path.ends_with('/') ? documents_.find(std::string(path).append(index_page)) : documents_.find(path);
    return found == documents_.end() ? nullptr : &found->second;
}

bool document_site::is_folder(std::string_view path) const {
    return !path.ends_with('/') && documents_.contains(std::string(path).append("/").append(index_page));
}

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
    std::string to(request.path);
    to += '/';
    if (!request.query.empty()) to.append("?").append(request.query);
    auto answer = redirect(308, std::move(to));
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

result<plan> get_openapi(call const&) {
    static auto const body = std::make_shared<std::string const>(openapi_document());
    static std::string const etag = etag_of(*body);
    http::response answer;
    answer.shared_body = body;
    answer.add("ETag", etag);
    return answered(std::move(answer));
}

} // namespace recruiting::public_api
