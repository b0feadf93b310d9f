// Counts why keys were refused (401 and 403).
#pragma once
#include "core/error.hpp"
#include "telemetry/metrics.hpp"

#include <array>
#include <string>
#include <utility>

namespace recruiting::auth_api {

class refusal_metrics {
public:
    explicit refusal_metrics(metrics::registry& registry) {
        for (auto& [code, counter] : counters_)
            counter = &registry.add_counter("recruiting_auth_api_keys_refused_total",
                                            "Requests refused for their key, or for what it may not do.",
                                            "reason=\"" + std::string(to_string(code)) + "\"");
    }

    /// Other codes are not counted here.
    void count(error_code why) noexcept {
        for (auto& [code, counter] : counters_)
            if (code == why) counter->add();
    }

private:
    std::array<std::pair<error_code, metrics::counter*>, 10> counters_ = {{
        {error_code::missing_credential, nullptr},
        {error_code::invalid_credential, nullptr},
        {error_code::credential_revoked, nullptr},
        {error_code::credential_expired, nullptr},
        {error_code::credential_inactive, nullptr},
        {error_code::wrong_environment, nullptr},
        {error_code::insufficient_scope, nullptr},
        {error_code::insufficient_role, nullptr},
        {error_code::organization_mismatch, nullptr},
        {error_code::ip_not_allowed, nullptr},
    }};
};

} // namespace recruiting::auth_api
