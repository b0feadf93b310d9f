// Where the public API's addresses begin.
#pragma once
#include <string_view>

namespace recruiting::public_api {

inline constexpr std::string_view prefix = "/api/public/v1";
inline constexpr std::string_view pages = ""; // for people: /careers, /interviews, /widget; not in the OpenAPI document
/// The built documentation. Its responses are the site's own: without CORS, and GET and HEAD are its only methods.
inline constexpr std::string_view documentation = "/docs";

} // namespace recruiting::public_api
