// API keys in the console: /console/api/api-keys.
#pragma once
#include "auth_api/console/change.hpp"
#include "auth_api/http/resource.hpp"
#include "directory/records.hpp"
#include "http/json_writer.hpp"

namespace recruiting::auth_api::console {

/// {"data":[key],"page"}: of admins all, of others their own (list_keys_in_reach).
[[nodiscard]] result<prepared_read> list_keys(bind_input& in);
/// {"name","scopes","expiresAt","allowedIps"?} → 201 {"data":{"key","secret"}}
[[nodiscard]] result<http::response> create_key(change_input& in);
/// {"name"} → {"data":key}
[[nodiscard]] result<http::response> revoke_key(change_input& in);

/// The names, in the catalogue's order, as an array.
void write_scopes(http::json_writer& json, std::string_view name, scope_set const& scopes);

} // namespace recruiting::auth_api::console
