// The documentation site as it is served, below GET /docs: every file is in memory, and only what is in the table is
// served. Nothing is looked up in a file system (proto-docs/decisions/0065). Also the API's OpenAPI document. Pure.
#pragma once
#include "public_api/http/plan.hpp"

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace recruiting::public_api {

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

class document_site {
public:
    /// Throws std::runtime_error naming a file whose path can't be part of a URL.
    explicit document_site(std::vector<site_file> files);

    /// path: normalised, below /docs: "/", "/errors.html". nullptr: there is no such document.
    [[nodiscard]] document const* find(std::string_view path) const;
    /// Is this a folder with a page, whose address ends with a slash? "", "/decisions".
    [[nodiscard]] bool is_folder(std::string_view path) const;
    /// What people are shown where there is no document; nullptr: the site has no such page.
    [[nodiscard]] document const* missing_page() const noexcept { return missing_ ? &*missing_ : nullptr; }
    [[nodiscard]] std::size_t files() const noexcept { return documents_.size() + (missing_ ? 1U : 0U); }
    /// Memory that the site takes, compressed forms included.
    [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }

private:
    std::map<std::string, document, std::less<>> documents_; // by path below /docs, "/index.html"
    std::optional<document> missing_;
    std::size_t bytes_{0};
};

/// Segments of letters, digits, '-', '_' and '.', none beginning with a dot: such names have one spelling in a URL.
[[nodiscard]] bool is_site_name(std::string_view name) noexcept;
/// By the name's ending; application/octet-stream when the ending is unknown.
[[nodiscard]] std::string_view media_type_of(std::string_view name) noexcept;
/// Does the name change with the content ("site.0123456789ab.css")? Then browsers may keep the file for good.
[[nodiscard]] bool is_named_by_content(std::string_view name) noexcept;

/// path: below /docs, still percent-encoded. nullopt: there is no such document, and the client is no browser that the
/// site has a page for.
[[nodiscard]] std::optional<http::response> answer_document(document_site const& site, http::request const& request,
                                                            std::string_view path);

/// proto-docs/openapi/public_api.json as it was at build time: CMake makes the source file.
[[nodiscard]] std::string_view openapi_document() noexcept;
/// GET /openapi.json
[[nodiscard]] result<plan> get_openapi(call const& from);

} // namespace recruiting::public_api
