#include "auth_api/console/pages.hpp"

#include "auth_api/console/routes.hpp"
#include "core/log.hpp"

#include <array>
#include <filesystem>
#include <stdexcept>

namespace recruiting::auth_api::console {
namespace {

// Everything comes from this origin, nothing is inline, and no text becomes markup: a text stored as a name can run
// nothing.
constexpr std::array<std::pair<std::string_view, std::string_view>, 4> page_protection = {{
    {"Content-Security-Policy",
     "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
     "font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; "
     "require-trusted-types-for 'script'; trusted-types 'none'"},
    {"X-Frame-Options", "DENY"},
    {"Referrer-Policy", "no-referrer"},
    {"Cross-Origin-Opener-Policy", "same-origin"},
}};

constexpr http::site_limits page_limits{2'000, std::int64_t{64} << 20, "2,000 files or 64 MiB"};

} // namespace

std::shared_ptr<http::static_site const> read_pages(std::string const& folder) {
    std::shared_ptr<http::static_site const> pages;
    try {
        pages = std::make_shared<http::static_site const>(http::read_site(folder, page_limits));
    } catch (std::filesystem::filesystem_error const& error) {
        throw std::runtime_error("RECRUITING_AUTH_API_CONSOLE: " + std::string(error.what()));
    }
    if (pages->find("/") == nullptr)
        throw std::runtime_error("RECRUITING_AUTH_API_CONSOLE: there is no index.html in " + folder);
    log::info("console_loaded", {{"files", pages->files()}, {"bytes", pages->bytes()}});
    return pages;
}

http::response answer_page(http::static_site const& pages, http::request const& req) {
    auto const path = req.path.substr(pages_path.size());
    auto const* found = path.ends_with('/') ? nullptr : pages.find(path);
    if (found == nullptr) found = pages.find("/");
    return http::show_document(*found, req, page_protection);
}

} // namespace recruiting::auth_api::console
