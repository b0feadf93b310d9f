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

/// False: the name is taken by a key that is not revoked.
[[nodiscard]] bool insert_key(pg::client& database, key_row const& row);
[[nodiscard]] std::vector<api_key> select_keys(pg::client& database, uuid const& organization_id, bool with_revoked);
/// By key ID, or by name: the key not revoked, else the one revoked last. Locks it until the transaction ends.
[[nodiscard]] std::optional<api_key> lock_key(pg::client& database, uuid const& organization_id,
                                              std::optional<uuid> const& id, std::optional<std::string> const& name);
void revoke_key(pg::client& database, uuid const& id, std::optional<uuid> const& by_member);

} // namespace recruiting::directory::store
