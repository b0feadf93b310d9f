#include "public_api/docs/document_site.hpp"

#include "core/text.hpp"
#include "crypto/digest.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

namespace recruiting::public_api {
namespace {

constexpr std::string_view index_page = "index.html";
constexpr std::string_view page_where_nothing_is = "404.html";
constexpr std::size_t etag_bytes = 16;     // of SHA-256: enough that no two bodies meet
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

representation represent(std::string body, std::string const& etag, std::string_view coding) {
    return {'"' + etag + std::string(coding) + '"', std::make_shared<std::string const>(std::move(body))};
}

// Another form has another strong validator (RFC 9110 section 8.8.3.3); both are made of the plain bytes, so that they
// do not change with the program that compressed them.
document make_document(site_file file) {
    auto const etag = to_base64url(bytes_of(sha256(file.body)).substr(0, etag_bytes));
    document out;
    out.content_type = media_type_of(file.name);
    out.cache_control = is_named_by_content(file.name) ? "public, max-age=31536000, immutable" : "no-cache";
    out.plain = represent(std::move(file.body), etag, "");
    if (!file.gzip.empty()) out.gzip = represent(std::move(file.gzip), etag, "-gzip");
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

} // namespace recruiting::public_api
