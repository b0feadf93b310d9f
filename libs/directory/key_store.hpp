// The SQL of API keys as their organization administers them; what authenticates them is in auth.
#pragma once
#include "crypto/digest.hpp"
#include "directory/records.hpp"
#include "pg/client.hpp"

namespace recruiting::directory::store {

struct key_row {
    uuid id;
    uuid organization_id;
    uuid owner_id;
    std::string name;
    digest secret_hash{};
    std::string displayed_prefix;
    std::string environment;
    std::vector<std::string> scopes;
    std::vector<std::string> allowed_ips;
    timestamp expires_at;
};

/// Takes the name from an expired key. False: a key that is neither revoked nor expired has it.
[[nodiscard]] bool insert_key(pg::client& database, key_row const& row);
[[nodiscard]] std::vector<api_key> select_keys(pg::client& database, uuid const& organization_id, bool with_revoked);
/// By key ID, or by name: the key not revoked, else the one revoked last. Locks it until the transaction ends.
[[nodiscard]] std::optional<api_key> lock_key(pg::client& database, uuid const& organization_id,
                                              std::optional<uuid> const& id, std::optional<std::string> const& name);
/// Revokes the key and records it. False: it is revoked already, or it has expired and its name was released.
[[nodiscard]] bool revoke_key(pg::client& database, uuid const& organization_id, uuid const& key, actor const& by);

// As statements, for connections that know their caller: after authenticate, in its transaction.

/// Rows for read_key: the newest keys that the caller may list.
[[nodiscard]] pg::statement keys_in_reach(bool with_revoked, std::int64_t most);
/// Rows for read_key: of those keys, revoked ones too, whose name is or holds this one in any case.
[[nodiscard]] pg::statement keys_like(std::string_view name, std::int64_t most);
[[nodiscard]] api_key read_key(pg::rows const& found, int row);
/// What revoke_key runs: one row with the key's id when it was done. Done only if the condition holds too: SQL of an
/// AND's operand, '?' standing for its parameters in their order.
[[nodiscard]] pg::statement revocation(uuid const& organization_id, uuid const& key, actor const& by,
                                       pg::statement const& only_if = {});

} // namespace recruiting::directory::store
