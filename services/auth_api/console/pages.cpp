#include "auth_api/console/pages.hpp"

#include "auth_api/console/routes.hpp"
#include "core/log.hpp"

#include <array>

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

} // namespace

std::shared_ptr<http::static_site const> read_pages(std::string const& folder) {
    auto pages = http::load_site(folder, "RECRUITING_AUTH_API_CONSOLE");
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
