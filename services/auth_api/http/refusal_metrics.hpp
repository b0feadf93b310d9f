// Why keys are refused, counted.
#pragma once
#include "core/error.hpp"
#include "telemetry/metrics.hpp"

#include <map>
#include <string>

namespace recruiting::auth_api {

/// Why keys were refused (401 and 403).
class refusal_metrics {
public:
    explicit refusal_metrics(metrics::registry& registry) {
        using enum error_code;
        for (auto const code :
             {missing_credential, invalid_credential, credential_revoked, credential_expired, credential_inactive,
              wrong_environment, insufficient_scope, insufficient_role, organization_mismatch, ip_not_allowed})
            counters_[code] = &registry.add_counter("recruiting_auth_api_auth_failures_total",
                                                    "Requests that were rejected with 401 or 403, by error code.",
                                                    "reason=\"" + std::string(to_string(code)) + "\"");
    }

    /// Other codes are not counted here.
    void count(error_code why) noexcept {
        if (auto const found = counters_.find(why); found != counters_.end()) found->second->add();
    }

private:
    std::map<error_code, metrics::counter*> counters_;
};

} // namespace recruiting::auth_api
