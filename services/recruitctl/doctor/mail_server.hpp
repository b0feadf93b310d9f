// How auth-api would reach the mail server.
#pragma once
#include "recruitctl/doctor/check.hpp"
#include "transfer/smtp_exchange.hpp"

namespace recruiting::recruitctl::doctor {

/// The server of RECRUITING_MAIL_URL, TLS and login by auth-api's settings. nullopt: no SMTP server.
[[nodiscard]] std::optional<transfer::smtp_request> mail_server_of(site const& of);

} // namespace recruiting::recruitctl::doctor
