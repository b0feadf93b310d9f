#include "http/static_site.hpp"

#include "core/text.hpp"
#include "crypto/digest.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace recruiting::http {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t etag_bytes = 16; // of SHA-256: enough that no two bodies meet

} // namespace

std::string etag_of(std::string_view body) {
    auto const hash = sha256(body);
    return '"' + to_base64url(bytes_of(hash).substr(0, etag_bytes)) + '"';
}

std::string compressed_etag(std::string_view etag) {
    return std::string(etag.substr(0, etag.size() - 1)) + R"(-gzip")";
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

std::string list_of(request const& req, std::string_view name) {
    std::string out;
    for (auto const& [field, value] : req.headers) {
        if (!iequals(field, name)) continue;
        if (!out.empty()) out += ", ";
        out += value;
    }
    return out;
}

namespace {

constexpr std::string_view index_page = "index.html";
constexpr std::string_view page_where_nothing_is = "404.html";
constexpr std::size_t short_hash = 12; // hexadecimal digits in a name: of the documentation
constexpr std::size_t long_hash = 16;  // of the console

constexpr std::array media_types = {
    std::pair{".html", "text/html; charset=utf-8"},
    std::pair{".css", "text/css; charset=utf-8"},
    std::pair{".js", "text/javascript; charset=utf-8"},
    std::pair{".json", "application/json"},
    std::pair{".yaml", "application/yaml"},
    std::pair{".svg", "image/svg+xml"},
    std::pair{".woff2", "font/woff2"},
    std::pair{".webmanifest", "application/manifest+json"},
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
    if (ending == std::string_view::npos || ending == 0) return false;
    auto const before = name.rfind('.', ending - 1);
    if (before == std::string_view::npos) return false;
    auto const hash = name.substr(before + 1, ending - before - 1);
    return (hash.size() == short_hash || hash.size() == long_hash) && is_hex(hash);
}

static_site::static_site(std::vector<site_file> files) {
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

document const* static_site::find(std::string_view path) const {
    auto const found =
        path.ends_with('/') ? documents_.find(std::string(path).append(index_page)) : documents_.find(path);
    return found == documents_.end() ? nullptr : &found->second;
}

bool static_site::is_folder(std::string_view path) const {
    return !path.ends_with('/') && documents_.contains(std::string(path).append("/").append(index_page));
}

namespace {

constexpr std::string_view compressed_ending = ".gz";

std::string content_of(fs::path const& file, std::size_t size) {
    std::string out(size, '\0');
    std::ifstream in(file, std::ios::binary);
    in.read(out.data(), static_cast<std::streamsize>(size));
    if (!in || in.gcount() != static_cast<std::streamsize>(size))
        throw std::runtime_error("can't read " + file.string());
    return out;
}

// Some ten times this project's own documentation: a folder with more is another one.
constexpr std::size_t most_files = 2'000;
constexpr std::uintmax_t most_bytes = std::uintmax_t{64} << 20U;

// name → content. The limits are checked before anything is read.
std::map<std::string, std::string> read_files(fs::path const& folder) {
    std::map<std::string, std::string> out;
    std::uintmax_t bytes = 0;
    for (fs::recursive_directory_iterator at(folder), end; at != end; ++at) {
        if (at->path().filename().string().starts_with('.')) {
            at.disable_recursion_pending();
            continue;
        }
        if (at->is_symlink() || !at->is_regular_file()) continue;
        auto const size = at->file_size();
        bytes += size;
        if (out.size() >= most_files || bytes > most_bytes)
            throw std::runtime_error(folder.string() + " holds more than 2,000 files or 64 MiB");
        out.emplace(at->path().lexically_relative(folder).generic_string(), content_of(at->path(), size));
    }
    return out;
}

std::vector<site_file> read_site(std::string const& folder) {
    auto contents = read_files(folder);
    std::vector<site_file> out;
    for (auto& [name, content] : contents) {
        bool const compressed = name.ends_with(compressed_ending) &&
                                contents.contains(name.substr(0, name.size() - compressed_ending.size()));
        if (compressed) continue;
        auto const gzip = contents.find(name + std::string(compressed_ending));
        out.push_back({name, std::move(content), gzip == contents.end() ? "" : std::move(gzip->second)});
    }
    return out;
}

} // namespace

std::shared_ptr<static_site const> load_site(std::string const& folder, std::string_view setting) {
    std::shared_ptr<static_site const> site;
    try {
        site = std::make_shared<static_site const>(read_site(folder));
    } catch (fs::filesystem_error const& error) {
        throw std::runtime_error(std::string(setting) + ": " + error.what());
    }
    if (site->find("/") == nullptr)
        throw std::runtime_error(std::string(setting) + ": there is no index.html in " + folder);
    return site;
}

namespace {

response represent(document const& shown, representation const& form, page_fields protection) {
    response answer;
    answer.content_type = shown.content_type;
    answer.shared_body = form.body;
    answer.add("Cache-Control", std::string(shown.cache_control));
    if (shown.gzip) answer.add("Vary", "Accept-Encoding");
    for (auto const& [name, value] : protection) answer.add(name, std::string(value));
    return answer;
}

} // namespace

response show_document(document const& found, request const& req, page_fields protection) {
    bool const compressed = found.gzip && prefers_gzip(list_of(req, "Accept-Encoding"));
    auto const& form = compressed ? *found.gzip : found.plain;
    auto answer = represent(found, form, protection);
    answer.add("ETag", form.etag);
    auto const known = list_of(req, "If-None-Match");
    if (!known.empty() && names_etag(known, form.etag)) {
        answer.status = 304;
        answer.clear_content();
    } else if (compressed) {
        answer.add("Content-Encoding", "gzip");
    }
    return answer;
}

response show_missing(document const& page, request const& req, page_fields protection) {
    bool const compressed = page.gzip && prefers_gzip(list_of(req, "Accept-Encoding"));
    auto answer = represent(page, compressed ? *page.gzip : page.plain, protection);
    answer.status = 404;
    if (compressed) answer.add("Content-Encoding", "gzip");
    return answer;
}

} // namespace recruiting::http
