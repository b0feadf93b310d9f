// How requests are spread over a service's addresses: every limit of it, declared once.
#pragma once
#include "core/settings.hpp"
#include "gateway/upstream_health.hpp"

#include <chrono>
#include <cstdint>
#include <string>

namespace recruiting::gateway {

struct upstream_policy {
    std::int64_t tries{3};
    std::chrono::milliseconds connect_timeout{2'000};
    std::chrono::milliseconds idle_timeout{30'000};
    std::int64_t pool{512};      // an address and thread
    std::int64_t requests{1024}; // a service and thread
    std::int64_t waiting{1024};
    std::chrono::milliseconds waiting_timeout{5'000};
    std::string health_path{"/readyz"};
    std::chrono::milliseconds health_interval{500};
    std::chrono::milliseconds health_timeout{1'000};
    std::chrono::milliseconds resolve_interval{10'000};
    ejection_policy ejection;
};

void declare_upstream_policy(settings_reader& reader, upstream_policy& out);

} // namespace recruiting::gateway
