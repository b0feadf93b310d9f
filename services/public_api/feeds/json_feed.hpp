// JSON Feed 1.1 (https://www.jsonfeed.org/version/1.1/). Pure.
#pragma once
#include "public_api/feeds/feed_page.hpp"

namespace recruiting::public_api {

[[nodiscard]] std::string json_feed(published_organization const& of, feed_page const& page,
                                    std::string_view public_url);

} // namespace recruiting::public_api
