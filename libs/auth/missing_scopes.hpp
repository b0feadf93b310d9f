// Several scopes and a role that are needed together, such as those a conversation was read under. Pure.
#pragma once
#include "auth/principal.hpp"

namespace recruiting::auth {

/// In the catalogue's order.
[[nodiscard]] std::vector<std::string> scope_names(scope_set const& scopes);
/// The scopes that these names are. Other names are passed over.
[[nodiscard]] scope_set scopes_named(std::span<std::string const> names) noexcept;

/// What something was read under, or what a caller may read now. Of the same scopes a narrower role is shown fewer
/// records: roles are in order, the widest first.
struct reach {
    scope_set scopes;
    recruiting::role role{recruiting::role::viewer};

    /// Under both.
    reach& operator|=(reach const& more) noexcept;
    [[nodiscard]] bool covers(reach const& needed) const noexcept;
};
[[nodiscard]] reach reach_of(principal const& who) noexcept;

/// insufficient_scope when the key lacks one of the scopes, else insufficient_role when its owner's role does not let
/// one of them through, or is narrower than the role needed; details name each that is missing. Nothing: covered.
[[nodiscard]] std::optional<api_error> refuse_missing(principal const& who, reach const& needed);

} // namespace recruiting::auth
