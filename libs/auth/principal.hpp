// The principal of a request: the key, its owner and role as they are at this moment, and what they allow together.
#pragma once
#include "auth/scope.hpp"
#include "core/error.hpp"
#include "core/ids.hpp"
#include "core/ip.hpp"
#include "core/time.hpp"

#include <optional>
#include <string>
#include <vector>

namespace recruiting::auth {

enum class credential_state { active, revoked, expired, inactive };

enum class principal_kind {
    api_key, // acts as the member who owns it, within its scopes
    member   // a person in the console: everything that the role allows
};

/// What only a session of the console has.
struct session_facts {
    uuid user_id;
    std::string organization_slug;
    timestamp last_seen_at;
    timestamp idle_expires_at;

    bool operator==(session_facts const&) const = default;
};

struct principal {
    principal_kind kind{principal_kind::api_key};
    uuid credential_id; // the key's, or the session's
    std::string credential_name;
    std::string displayed_prefix;
    std::string environment;
    uuid organization_id;
    uuid member_id;
    std::string member_name;
    std::string member_email;
    recruiting::role role{recruiting::role::viewer};
    credential_state state{credential_state::inactive};
    std::vector<std::string> granted;    // as stored
    std::vector<ip_network> allowed_ips; // empty: any
    timestamp created_at;
    timestamp expires_at;
    std::optional<timestamp> revoked_at;
    std::optional<std::int64_t> pepper_fingerprint; // of the key's stored hash; none: not known yet
    scope_set scopes;                               // granted, wildcards expanded
    scope_set effective;                            // scopes the role lets through now
    std::optional<session_facts> session;           // of kind member

    bool operator==(principal const&) const = default;

    /// False: a session that acts in no organization, because none is chosen or the person has been removed there. Its
    /// organization_id and member_id are zero.
    [[nodiscard]] bool has_organization() const noexcept { return organization_id != uuid{}; }
};

/// The API key's id; none of a session, which belongs to nobody but its person.
[[nodiscard]] std::optional<uuid> key_of(principal const& caller) noexcept;

/// What a request says of itself besides its credential.
struct request_facts {
    std::optional<std::string_view> service_organization; // the Service-Organization field
    bool service_organization_repeated{false};
    std::optional<ip_address> client;
    /// Where the work began that this request belongs to: a session may act in another organization meanwhile.
    std::optional<uuid> organization;
};

/// Is the key itself taken from this client: active, and its address allowed? What the endpoint asks for comes after.
[[nodiscard]] bool is_accepted(principal const& caller, std::optional<ip_address> const& client);

/// insufficient_scope and insufficient_role, which name the scope and the roles that would do.
[[nodiscard]] api_error missing_scope(std::string_view scope);
[[nodiscard]] api_error missing_role(std::string_view scope, principal_kind kind = principal_kind::api_key);

/// Every check after the look-up, in this order: a session's organization → key state → organization cross-check → IP
/// allow list → scope → role. nullopt: allowed. required_scope "": none beyond a valid key.
[[nodiscard]] std::optional<api_error> authorize(principal const& caller, request_facts const& facts,
                                                 std::string_view required_scope);

// Several scopes and a role that are needed together, such as those a conversation was read under. Pure.

/// In the catalogue's order.
[[nodiscard]] std::vector<std::string> scope_names(scope_set const& scopes);
/// The scopes that these names are. Other names are passed over.
[[nodiscard]] scope_set scopes_named(std::span<std::string const> names) noexcept;

/// What something was read under, or what a caller may read now. Of the same scopes a narrower role is shown fewer
/// records: roles are in order, the widest first.
struct access {
    scope_set scopes;
    recruiting::role role{recruiting::role::viewer};

    /// Adds what `more` covers.
    access& operator|=(access const& more) noexcept;
    [[nodiscard]] bool covers(access const& needed) const noexcept;
};
[[nodiscard]] access access_of(principal const& caller) noexcept;

/// insufficient_scope when the key lacks one of the scopes, else insufficient_role when its owner's role does not let
/// one of them through, or is narrower than the role needed; details name each that is missing. nullopt: covered.
[[nodiscard]] std::optional<api_error> refuse_missing(principal const& caller, access const& needed);

} // namespace recruiting::auth
