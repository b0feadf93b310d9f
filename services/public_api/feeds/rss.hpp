// RSS 2.0 (https://www.rssboard.org/rss-specification) with the links of RFC 5005. Pure.
#pragma once
#include "public_api/feeds/feed_page.hpp"

namespace recruiting::public_api {

[[nodiscard]] std::string rss(published_organization const& of, feed_page const& page, std::string_view public_url);

} // namespace recruiting::public_api
