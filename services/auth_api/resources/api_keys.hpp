// API keys in the caller's reach, page by page: the console's list and the agent's tool show them in their own forms.
#pragma once
#include "auth_api/http/resource.hpp"
#include "directory/records.hpp"
#include "http/json_writer.hpp"

namespace recruiting::auth_api {

using key_writer = void (*)(http::json_writer& json, directory::api_key const& key, timestamp now);

/// {"data":[…],"page":{…}}, newest first: all keys for admins, for others their own. Takes limit, cursor, state,
/// includeRevoked, memberId (the owner) and id.
[[nodiscard]] result<prepared_read> list_keys_in_reach(bind_input& in, key_writer write);

} // namespace recruiting::auth_api
