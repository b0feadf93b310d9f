// The JSON of sessions, and the language of the mails that bring links to them. Pure.
#pragma once
#include "auth/principal.hpp"
#include "auth_api/settings.hpp"
#include "http/json_fields.hpp"
#include "pg/rows.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace recruiting::auth_api::console {

/// GET /session. organizations: of select_organizations.
[[nodiscard]] std::string session_json(auth::principal const& caller, pg::rows const& organizations,
                                       std::string_view secret, settings const& config);
/// GET /sessions, of select_sessions.
[[nodiscard]] std::string sessions_json(pg::rows const& sessions);
/// The optional field of a body: a language that mails to members are written in. Problems also: not_allowed.
[[nodiscard]] std::optional<std::string> read_mail_language(http::json_fields& fields);
/// GET /settings
[[nodiscard]] std::string settings_json(settings const& config);

} // namespace recruiting::auth_api::console
