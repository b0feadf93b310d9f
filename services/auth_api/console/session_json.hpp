// What answers of sessions say, and the language of the mails that bring links to them. Pure.
#pragma once
#include "auth/principal.hpp"
#include "auth_api/settings.hpp"
#include "http/json_fields.hpp"
#include "http/message.hpp"
#include "pg/rows.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace recruiting::auth_api::console {

/// GET /session. organizations: of select_organizations.
[[nodiscard]] http::response session_answer(auth::principal const& caller, pg::rows const& organizations,
                                            std::string_view secret, settings const& config, unsigned status = 200);
/// GET /sessions, of select_sessions.
[[nodiscard]] http::response sessions_answer(pg::rows const& sessions);
/// The optional field of a body: a language that mails to members are written in. Problems also: not_allowed.
[[nodiscard]] std::optional<std::string> read_mail_language(http::json_fields& fields);
/// GET /settings
[[nodiscard]] http::response settings_answer(settings const& config);

} // namespace recruiting::auth_api::console
