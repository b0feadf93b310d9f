// A folder of built files as it is served: every file is in memory, and only what is in the table is served. Nothing is
// looked up in a file system when a request comes (proto-docs/decisions/0084). For the documentation and the console.
// Pure but for load_site.
#pragma once
#include "http/message.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace recruiting::http {

/// "…" with a hash of the body: a strong validator (RFC 9110 section 8.8.3).
[[nodiscard]] std::string etag_of(std::string_view body);
/// The validator of the compressed body: another representation has another one (RFC 9110 section 8.8.3.3). etag: that
/// of the plain body.
[[nodiscard]] std::string compressed_etag(std::string_view etag);
/// Does If-None-Match name this tag (RFC 9110 section 13.1.2: * or a list, compared weakly)?
[[nodiscard]] bool names_etag(std::string_view if_none_match, std::string_view etag);

/// Several fields of one name are one list (RFC 9110 section 5.3).
[[nodiscard]] std::string list_of(request const& req, std::string_view name);

/// name: the path within the site, such as "decisions/index.html". gzip: the same content compressed, or empty.
struct site_file {
    std::string name;
    std::string body;
    std::string gzip;
};

/// One form of a document.
struct representation {
    std::string etag;
    std::shared_ptr<std::string const> body; // responses share it: it is never copied
};

struct document {
    std::string_view content_type;
    std::string_view cache_control;
    representation plain;
    std::optional<representation> gzip;
};

class static_site {
public:
    /// Throws std::runtime_error naming a file whose path can't be part of a URL.
    explicit static_site(std::vector<site_file> files);

    /// path: normalised, below the site's prefix: "/", "/errors.html". nullptr: there is no such document.
    [[nodiscard]] document const* find(std::string_view path) const;
    /// Is this a folder with a page, whose address ends with a slash? "", "/decisions".
    [[nodiscard]] bool is_folder(std::string_view path) const;
    /// What people are shown where there is no document; nullptr: the site has no such page.
    [[nodiscard]] document const* missing_page() const noexcept { return missing_ ? &*missing_ : nullptr; }
    [[nodiscard]] std::size_t files() const noexcept { return documents_.size() + (missing_ ? 1U : 0U); }
    /// Memory that the site takes, compressed forms included.
    [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }

private:
    std::map<std::string, document, std::less<>> documents_; // by path below the prefix, "/index.html"
    std::optional<document> missing_;
    std::size_t bytes_{0};
};

/// Segments of letters, digits, '-', '_' and '.', none beginning with a dot: such names have one spelling in a URL.
[[nodiscard]] bool is_site_name(std::string_view name) noexcept;
/// By the name's ending; application/octet-stream when the ending is unknown.
[[nodiscard]] std::string_view media_type_of(std::string_view name) noexcept;
/// Does the name change with the content ("site.0123456789ab.css")? Then browsers may keep the file for good.
[[nodiscard]] bool is_named_by_content(std::string_view name) noexcept;

/// Every file below the folder except hidden ones; "x.gz" beside "x" is its compressed form. Links are not followed.
/// setting: what named the folder. Throws std::runtime_error when a file can't be read, when there is no index.html,
/// and when the folder holds so much that it is hardly a site.
[[nodiscard]] std::shared_ptr<static_site const> load_site(std::string const& folder, std::string_view setting);

/// Fields that protect a page, such as its Content-Security-Policy; all literals.
using page_fields = std::span<std::pair<std::string_view, std::string_view> const>;

/// A document in the form that the client prefers, or 304 when it has it already.
[[nodiscard]] response show_document(document const& found, request const& req, page_fields protection);
/// The page for what is not there, as a 404. Its ETag would name the absence of other documents too: it is sent whole
/// each time.
[[nodiscard]] response show_missing(document const& page, request const& req, page_fields protection);

} // namespace recruiting::http
