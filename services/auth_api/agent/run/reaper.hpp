// Writes down that runs of the agent died: those whose lease ran out (design: Agent). Any number of instances at once.
#pragma once
#include "pg/pipeline.hpp"
#include "telemetry/metrics.hpp"

#include <chrono>
#include <memory>

namespace recruiting::auth_api {

class reaper {
public:
    /// connection is the workers' own and outlives this.
    reaper(asio::io_context& context, pg::pipeline& connection, std::chrono::milliseconds interval,
           metrics::registry& metrics);
    ~reaper();
    void stop();

private:
    struct state;
    std::shared_ptr<state> state_;
};

} // namespace recruiting::auth_api
