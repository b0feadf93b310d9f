// The admin port of every program: /healthz (the process), /readyz (its dependencies) and /metrics. Bound to loopback
// by default and never behind the gateway.
#pragma once
#include "http/server.hpp"
#include "telemetry/metrics.hpp"

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace recruiting::http {

class admin_handler final : public handler {
public:
    /// One named check a dependency; empty text: all is well, else what is wrong.
    using checks = std::vector<std::pair<std::string, std::function<std::string()>>>;

    /// reported: shown like the others, and no reason to be not ready.
    admin_handler(metrics::registry const& registry, checks ready, checks reported = {})
        : registry_(registry), ready_(std::move(ready)), reported_(std::move(reported)) {}

    task<response> handle(request const& req) override;
    task<response> reject(request const& req, api_error const& error) override;

private:
    [[nodiscard]] response readiness() const;

    metrics::registry const& registry_;
    checks ready_;
    checks reported_;
};

} // namespace recruiting::http
