// The documentation site as the edge serves it: every file in memory, ready to be sent. Only what stands in its table
// is answered; nothing is looked up in a file system (proto-docs/decisions/0065). Pure.
#pragma once
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace recruiting::gateway {

inline constexpr std::string_view documents_prefix = "/docs";

/// name: its path in the site, such as "decisions/index.html". gzip: the same compressed, or empty.
struct site_file {
    std::string name;
    std::string body;
    std::string gzip;
};

/// One form of a document.
struct representation {
    std::string etag;
    std::string about;   // field lines of 200 and of 304
    std::string content; // field lines of 200 alone, Content-Length among them
    std::string body;
};

struct document {
    representation plain;
    std::optional<representation> gzip;
};

class document_site {
public:
    /// Throws std::runtime_error naming a file whose path can't be part of a URL.
    explicit document_site(std::vector<site_file> files);

    /// path: normalised, below the prefix: "/", "/errors.html". nullptr: nothing is there.
    [[nodiscard]] document const* find(std::string_view path) const;
    /// Is this a folder with a page, whose address ends with a slash? "", "/decisions".
    [[nodiscard]] bool is_folder(std::string_view path) const;
    /// What people are shown where nothing is; nullptr: the site has no such page.
    [[nodiscard]] document const* missing_page() const noexcept { return missing_ ? &*missing_ : nullptr; }
    [[nodiscard]] std::size_t files() const noexcept { return documents_.size() + (missing_ ? 1U : 0U); }
    /// What it holds in memory, compressed forms too.
    [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }

private:
    std::map<std::string, document, std::less<>> documents_; // by path below the prefix, "/index.html"
    std::optional<document> missing_;
    std::size_t bytes_{0};
};

/// Segments of letters, digits, '-', '_' and '.', none beginning with a dot: they have one spelling in a URL.
[[nodiscard]] bool is_site_name(std::string_view name) noexcept;
/// By its ending; what is not known is application/octet-stream.
[[nodiscard]] std::string_view media_type_of(std::string_view name) noexcept;
/// Does the name change with the content ("site.0123456789ab.css")? Then browsers may keep the file for good.
[[nodiscard]] bool is_named_by_content(std::string_view name) noexcept;

} // namespace recruiting::gateway
