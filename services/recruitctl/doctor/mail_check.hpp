// Would the mail server take mails?
#pragma once
#include "recruitctl/doctor/installation.hpp"
#include "transfer/smtp_exchange.hpp"

namespace recruiting::recruitctl::doctor {

struct mail_facts {
    enum class kind { unknown, none, file, smtp };
    kind what{kind::unknown}; // unknown: auth-api is not here
    std::string where;        // shown: without user and password
    transfer::smtp_probe_result probed;
};
/// As auth-api would: the server of RECRUITING_MAIL_URL, TLS and login by its settings. nullopt: no SMTP server.
[[nodiscard]] std::optional<transfer::smtp_request> mail_server_of(installed_program const& auth_api);
/// Blocks for the limit at most.
[[nodiscard]] mail_facts look_at_mail(installation const& of, std::chrono::milliseconds limit);
[[nodiscard]] findings check_mail(looked<mail_facts> const& facts);

} // namespace recruiting::recruitctl::doctor
