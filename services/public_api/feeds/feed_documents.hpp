// An organization's open jobs as RSS, as a JSON Feed and as a sitemap. Pure.
#pragma once
#include "public_api/feeds/feed_page.hpp"

#include <optional>

namespace recruiting::public_api {

/// RSS 2.0 (https://www.rssboard.org/rss-specification) with the links of RFC 5005.
[[nodiscard]] std::string rss(published_organization const& of, feed_page const& page, std::string_view public_url);

/// JSON Feed 1.1 (https://www.jsonfeed.org/version/1.1/).
[[nodiscard]] std::string json_feed(published_organization const& of, feed_page const& page,
                                    std::string_view public_url);

inline constexpr std::size_t sitemap_addresses = 50'000; // per file
/// Sitemaps (https://www.sitemaps.org/protocol.html): the careers page and every open job.
/// page: nullopt for the sitemap itself, which is an index where more than one file is needed.
[[nodiscard]] std::string sitemap(published_organization const& of, feed_setting const& at,
                                  std::optional<std::size_t> page, std::size_t most = sitemap_addresses);

} // namespace recruiting::public_api
