#pragma once
#include <string_view>

namespace recruiting::auth_api {

/// The OpenAPI 3.1 document of this API, as JSON.
[[nodiscard]] std::string_view openapi_document() noexcept;

} // namespace recruiting::auth_api
