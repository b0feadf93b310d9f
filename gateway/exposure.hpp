// A key that was sent where none may be: what the edge tells the public API's service of it, so that its organization
// gets to know (proto-docs/decisions/0054). The client was refused already. Pure.
#pragma once
#include "gateway/exchange.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace recruiting::gateway {

/// The field that carries it: method, where the key stood, and the key. From clients it is dropped.
inline constexpr std::string_view exposure_field = "X-Exposed-Credential";

struct exposure {
    std::string secret;
    std::string place; // a field's name, "header" for one that is the key, "query" or "path"
};

/// The first that is a whole key by its shape; a bearer token of another kind is none.
[[nodiscard]] std::optional<exposure> find_exposure(request_head const& head);

/// A request of the edge's own, by a safe method and without a body: of the client's it has path, id and user agent,
/// unless the key stands there. to: the service's address, for clients that sent no Host.
void append_exposure_report(std::string& out, exchange const& x, exposure const& found, std::string_view to);

} // namespace recruiting::gateway
