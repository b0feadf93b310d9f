// The console's pages, from memory: a file of the build, or index.html, whose application routes by path. Pure but for
// read_pages.
#pragma once
#include "http/static_site.hpp"

#include <memory>
#include <string>

namespace recruiting::auth_api::console {

/// Throws std::runtime_error when the folder can't be read, or has no index.html.
[[nodiscard]] std::shared_ptr<http::static_site const> read_pages(std::string const& folder);

/// GET or HEAD of a path below /console.
[[nodiscard]] http::response answer_page(http::static_site const& pages, http::request const& req);

} // namespace recruiting::auth_api::console
