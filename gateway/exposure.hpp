// A key that was sent where none may be: what the edge tells the public API's service of it, so that its organization
// gets to know (proto-docs/decisions/0054). The client was refused already. Pure.
#pragma once
#include "gateway/exchange.hpp"
#include "http/key_scan.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace recruiting::gateway {

/// The field that carries it: method, where the key stood, and the key. From clients it is dropped.
inline constexpr std::string_view exposure_field = "X-Exposed-Credential";

/// The first key in a field or the target; a bearer token of another kind is none.
[[nodiscard]] std::optional<http::exposed_key> find_exposure(request_head const& head);

/// A request of the edge's own, by a safe method and without a body: of the client's it has path, id and user agent,
/// unless the key stands there. to: the service's address, for clients that sent no Host.
void append_exposure_report(std::string& out, exchange const& x, http::exposed_key const& found, std::string_view to);

} // namespace recruiting::gateway
