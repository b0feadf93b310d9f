// Sitemaps (https://www.sitemaps.org/protocol.html): the careers page and every open job, 50,000 addresses a file.
// Pure.
#pragma once
#include "public_api/feeds/feed_page.hpp"

#include <optional>

namespace recruiting::public_api {

inline constexpr std::size_t sitemap_addresses = 50'000;

/// page: nullopt for the sitemap itself, which is an index where more than one file is needed.
[[nodiscard]] std::string sitemap(published_organization const& of, feed_setting const& at,
                                  std::optional<std::size_t> page, std::size_t most = sitemap_addresses);

} // namespace recruiting::public_api
