// A refusal as a page, for people who followed a link. Pure.
#pragma once
#include "core/error.hpp"
#include "http/message.hpp"

#include <string_view>

namespace recruiting::public_api {

/// The API's envelope (http/problem), or a page where a browser asked for one outside the API. Status and fields
/// (Retry-After, Allow) are the same either way.
[[nodiscard]] http::response refusal(api_error const& error, http::request const& req, std::string_view request_id);

} // namespace recruiting::public_api
