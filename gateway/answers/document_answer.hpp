// What the edge answers below /docs: a document of the site, whole, in the form the client prefers. Pure.
#pragma once
#include "gateway/answers/documents.hpp"
#include "gateway/request_context.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace recruiting::gateway {

/// Appends the head of the answer and notes the status in x. What comes back is to follow it: a body of the site's, or
/// nothing. nullopt: nothing is there and its asker is no browser; nothing was appended.
[[nodiscard]] std::optional<std::string_view> append_document_answer(std::string& out, request_context& x,
                                                                     document_site const& site);

} // namespace recruiting::gateway
