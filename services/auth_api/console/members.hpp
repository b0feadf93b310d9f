// Members in the console: /console/api/members. The list is that of /api/v1. All of this is the admins'.
#pragma once
#include "auth_api/console/change.hpp"
#include "auth_api/http/resource.hpp"

namespace recruiting::auth_api::console {

/// {"email","name","role","title"?} → 201 {"data":member}
[[nodiscard]] result<http::response> invite_member(change_input& in);
/// {"role"} → {"data":member}
[[nodiscard]] result<http::response> change_member(change_input& in);
[[nodiscard]] result<http::response> remove_member(change_input& in);
[[nodiscard]] result<http::response> restore_member(change_input& in);
/// 202 {"data":member}
[[nodiscard]] result<http::response> renew_invitation(change_input& in);
/// role=R or removed=true → {"data":[{"id","name","displayedPrefix","state","stops","scopesLost","scopesGained"}]}:
/// what it would do to the member's keys that are neither revoked nor expired.
[[nodiscard]] result<prepared_read> list_key_effects(bind_input& in);

} // namespace recruiting::auth_api::console
