// Several scopes that are needed together, such as those a conversation was read under. Pure.
#pragma once
#include "auth/principal.hpp"

namespace recruiting::auth {

/// In the catalogue's order.
[[nodiscard]] std::vector<std::string> scope_names(scope_set const& scopes);
/// The scopes that these names are. Other names are passed over.
[[nodiscard]] scope_set scopes_named(std::span<std::string const> names) noexcept;

/// insufficient_scope when the key lacks one of them, else insufficient_role when its owner's role does; details name
/// each that is missing. Nothing: all of them are in effect.
[[nodiscard]] std::optional<api_error> refuse_missing(principal const& who, scope_set const& needed);

} // namespace recruiting::auth
