// API keys as operations (proto-docs/keys.md). There is no rotation: a new key, then revoke the old one.
#pragma once
#include "auth/api_key.hpp"
#include "core/error.hpp"
#include "core/time.hpp"
#include "directory/records.hpp"
#include "pg/client.hpp"

namespace recruiting::directory {

/// active, revoked, expired, or inactive (its owner is no longer a member).
[[nodiscard]] std::string_view state_of(api_key const& key, timestamp now) noexcept;

inline constexpr std::size_t most_allowed_ips = 100;

struct new_api_key {
    std::string owner_email; // a member who acts may leave it empty: they own what they make
    std::string name;
    std::vector<std::string> scopes;
    std::chrono::milliseconds lifetime{};
    std::vector<std::string> allowed_ips;  // empty: from anywhere
    std::optional<timestamp> expires_at{}; // instead of lifetime
};

struct created_api_key {
    api_key key;
    std::string secret; // shown once; only its hash is kept
};

/// The installation's part in a key.
struct key_settings {
    environment here{environment::test};
    std::string pepper;
    std::int64_t per_member{50}; // of keys that are neither revoked nor expired
};

/// Refused, all reasons at once: a name that is empty, too long or taken by a key neither revoked nor expired; an
/// expiry outside 1 hour to 366 days; an unknown scope; a malformed address block; an owner who is no member, a viewer
/// or an interviewer, or has as many working keys as a member may have (`too_many_keys`). A member makes keys for
/// themselves only; insufficient_role, before all else, when their role owns none. Scopes above the owner's role are
/// granted, and have no effect while it is so.
[[nodiscard]] result<created_api_key> create_api_key(pg::client& database, std::string_view organization_slug,
                                                     new_api_key const& wanted, key_settings const& installation,
                                                     actor const& by = {}, time_source const& clock = system_time());

/// Newest first. Revoked keys only when asked for. owner: of the member with this address alone, who may be removed;
/// not_found: there is none.
[[nodiscard]] result<std::vector<api_key>> list_api_keys(pg::client& database, std::string_view organization_slug,
                                                         bool with_revoked = false,
                                                         std::optional<std::string_view> const& owner = std::nullopt);

struct key_revocation {
    api_key key;
    bool already{false}; // it was revoked before, or expired and its name is another key's: nothing was done
};

/// By key ID, or by exact name among the keys not revoked. In force at the key's next request. not_found: there is no
/// such key, or it is not in the actor's reach. confirmed: the key's name; another name is refused (`mismatch`),
/// whether the key was revoked before or not.
[[nodiscard]] result<key_revocation> revoke_api_key(pg::client& database, std::string_view organization_slug,
                                                    key_selector const& which, actor const& by = {},
                                                    std::optional<std::string_view> const& confirmed = std::nullopt);

enum class replay { revoked, already, absent };
/// Revokes a key that a restore has brought back. By the organization's id: it may have another slug by now.
[[nodiscard]] replay replay_revocation(pg::client& database, uuid const& organization_id, uuid const& key,
                                       actor const& by = {});

} // namespace recruiting::directory
