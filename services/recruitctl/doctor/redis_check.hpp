// Redis: where requests and bookings are counted. The facts come from one round of questions, the rest is pure.
#pragma once
#include "recruitctl/doctor/database_facts.hpp"

namespace recruiting::recruitctl::doctor {

struct redis_facts {
    std::string version;       // "7.0.15"; empty: not told
    std::string role;          // "master"
    std::string maxmemory;     // bytes; "0": none
    std::string policy;        // maxmemory-policy; empty: CONFIG is not allowed
    std::string save;          // snapshots: "3600 1 300 100", or nothing
    std::string append_only;   // "yes", "no"
    std::string failed_writes; // of snapshots: "err" when the last one failed
    std::string stop_writes;   // stop-writes-on-bgsave-error
    clock_facts clock;
};

/// Throws outage when it is away, std::invalid_argument when the URL is none.
[[nodiscard]] redis_facts look_at_redis(std::string const& url, std::chrono::milliseconds limit);

/// name: which Redis, for when programs count in several: "redis", "redis-public-api".
[[nodiscard]] findings check_redis(looked<redis_facts> const& facts, std::string const& name, std::string const& url);

} // namespace recruiting::recruitctl::doctor
