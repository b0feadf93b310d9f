// The standby that a service may read from: whether its reads are used, or the primary's instead.
#pragma once
#include "pg/standby_store.hpp"
#include "recruitctl/doctor/finding.hpp"

namespace recruiting::recruitctl::doctor {

struct standby_use {
    std::string program; // "auth-api"
    std::string role;
    std::string url;     // empty: it reads from none
    std::string setting; // that has the URL
    std::chrono::milliseconds max_lag;
};

struct standby_facts {
    std::string role; // that the standby's URL logs in as
    std::int64_t schema{0}, primary_schema{0};
    pg::server_moment moment, primary;
};

/// Asks the primary first. Throws outage and pg::query_error.
[[nodiscard]] standby_facts read_standby(std::string const& primary_url, std::string const& url);
[[nodiscard]] findings check_standby(standby_use const& of, observed<standby_facts> const& facts);

} // namespace recruiting::recruitctl::doctor
