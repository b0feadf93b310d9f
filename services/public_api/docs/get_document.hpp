// GET /docs and everything below it: a document of the site, whole, in the form that the client prefers. Pure.
#pragma once
#include "public_api/docs/document_site.hpp"
#include "public_api/plan.hpp"

namespace recruiting::public_api {

/// path: below /docs, still percent-encoded. nullopt: there is no such document, and the client is no browser that the
/// site has a page for.
[[nodiscard]] std::optional<http::response> answer_document(document_site const& site, http::request const& request,
                                                            std::string_view path);

[[nodiscard]] result<plan> get_document(call const& from);

} // namespace recruiting::public_api
