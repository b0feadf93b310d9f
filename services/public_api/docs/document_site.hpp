// The documentation site as it is served, below GET /docs (http/static_site.hpp). Also the API's OpenAPI document.
// Pure but for read_documents.
#pragma once
#include "http/static_site.hpp"
#include "public_api/http/plan.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace recruiting::public_api {

using document_site = http::static_site;

/// nullptr where no folder is named. Throws as http::load_site does.
[[nodiscard]] std::shared_ptr<document_site const> read_documents(std::string const& folder);

/// path: below /docs, still percent-encoded. nullopt: there is no such document, and the client is no browser that the
/// site has a page for.
[[nodiscard]] std::optional<http::response> answer_document(document_site const& site, http::request const& request,
                                                            std::string_view path);

/// GET /docs…: a document of the site, whole, in the form that the client prefers.
[[nodiscard]] result<plan> get_document(action_input const& input);

/// proto-docs/openapi/public_api.json as it was at build time: CMake makes the source file.
[[nodiscard]] std::string_view openapi_document() noexcept;
/// GET /openapi.json
[[nodiscard]] result<plan> get_openapi(action_input const& input);

} // namespace recruiting::public_api
