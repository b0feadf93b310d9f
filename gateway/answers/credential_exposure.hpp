// What of a request may not be logged or sent on, because it could be a secret; and a key that was sent where none may
// be: what the edge reports of it to the public API's service, so that its organization gets to know
// (proto-docs/decisions/0054). The client was refused already. Pure.
#pragma once
#include "gateway/http1/head.hpp"
#include "gateway/request_context.hpp"
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
void append_exposure_report(std::string& out, request_context const& x, http::exposed_key const& found,
                            std::string_view to);

/// Has a target, a path or a field the prefix of a secret, percent-encoded or not?
[[nodiscard]] bool target_holds_secret(std::string_view target);

/// A path (of a route, or nullptr) as the log may have it: secrets and the tokens of e-mailed links are left out.
[[nodiscard]] std::string loggable_path(std::string_view path, route const* to);

} // namespace recruiting::gateway
