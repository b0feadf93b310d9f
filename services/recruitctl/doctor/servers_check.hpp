// Redis, where requests and bookings are counted, and the mail server. The facts come from one round of questions to
// each, the rest is pure.
#pragma once
#include "recruitctl/doctor/database.hpp"
#include "recruitctl/doctor/installation.hpp"
#include "transfer/smtp_exchange.hpp"

namespace recruiting::recruitctl::doctor {

struct redis_facts {
    std::string version;       // "7.0.15"; empty: not reported
    std::string role;          // "master"
    std::string maxmemory;     // bytes; "0": none
    std::string policy;        // maxmemory-policy; empty: CONFIG is not allowed
    std::string save;          // snapshots: "3600 1 300 100", or nothing
    std::string append_only;   // "yes", "no"
    std::string failed_writes; // of snapshots: "err" when the last one failed
    std::string stop_writes;   // stop-writes-on-bgsave-error
    clock_facts clock;
};

/// Throws outage when it is unavailable, std::invalid_argument when the URL is none.
[[nodiscard]] redis_facts read_redis(std::string const& url, std::chrono::milliseconds limit);

/// name: which Redis, for when programs count in several: "redis", "redis-public-api".
[[nodiscard]] findings check_redis(observed<redis_facts> const& facts, std::string const& name, std::string const& url);

// Would the mail server take mails?

struct mail_facts {
    enum class kind { unknown, none, file, smtp };
    kind what{kind::unknown}; // unknown: auth-api is not here
    std::string where;        // shown: without user and password
    transfer::smtp_probe_result probed;
};
/// As auth-api would: the server of RECRUITING_MAIL_URL, TLS and login by its settings. nullopt: no SMTP server.
[[nodiscard]] std::optional<transfer::smtp_request> mail_server_of(installed_program const& auth_api);
/// Blocks for the limit at most.
[[nodiscard]] mail_facts read_mail(installation const& of, std::chrono::milliseconds limit);
[[nodiscard]] findings check_mail(observed<mail_facts> const& facts);

} // namespace recruiting::recruitctl::doctor
