// GET /openapi.json: the API's description, part of the program.
#pragma once
#include "public_api/plan.hpp"

namespace recruiting::public_api {

/// proto-docs/openapi/public_api.json as it was at build time (openapi_document.cpp, made by CMake).
[[nodiscard]] std::string_view openapi_document() noexcept;

[[nodiscard]] result<plan> get_openapi(call const& from);

} // namespace recruiting::public_api
