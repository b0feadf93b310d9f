// GET /docs and everything below it, and the API's OpenAPI document. Pure.
#pragma once
#include "public_api/docs/document_site.hpp"
#include "public_api/http/plan.hpp"

namespace recruiting::public_api {

/// path: below /docs, still percent-encoded. nullopt: there is no such document, and the client is no browser that the
/// site has a page for.
[[nodiscard]] std::optional<http::response> answer_document(document_site const& site, http::request const& request,
                                                            std::string_view path);

/// GET /docs…: a document of the site, whole, in the form that the client prefers.
[[nodiscard]] result<plan> get_document(call const& from);

/// proto-docs/openapi/public_api.json as it was at build time: CMake makes the source file.
[[nodiscard]] std::string_view openapi_document() noexcept;
/// GET /openapi.json
[[nodiscard]] result<plan> get_openapi(call const& from);

} // namespace recruiting::public_api
