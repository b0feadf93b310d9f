// list_api_keys: what the organization's settings show of keys, as a read like any endpoint's. No endpoint does this.
#pragma once
#include "auth_api/http/resource.hpp"
#include "directory/records.hpp"
#include "http/json_writer.hpp"

namespace recruiting::auth_api::agent {

/// {"data":[…]}, newest first: all keys for admins, for others their own. Of more than 200 the newest, with
/// "truncated":true before them. Takes includeRevoked.
[[nodiscard]] result<prepared_read> list_api_keys(bind_input& in);

/// What tells a key from others, into an open object: id, name, displayedPrefix, ownerName, ownerEmail.
void write_key_identity(http::json_writer& json, directory::api_key const& key);

} // namespace recruiting::auth_api::agent
