// Which server the catalogue is read from: a standby that has every change the primary has, else the primary. Changes
// and notifications always come from the primary (decision 0102).
#pragma once
#include "pg/pipeline.hpp"
#include "public_api/catalogue/catalogue_store.hpp"
#include "telemetry/metrics.hpp"

#include <chrono>
#include <optional>
#include <string>

namespace recruiting::public_api {

struct standby_settings {
    pg::pipeline_settings connection;
    std::chrono::milliseconds max_lag;
};

struct standby_metrics {
    metrics::registry& registry;
    metrics::gauge& in_use = registry.add_gauge("recruiting_public_api_catalogue_standby_in_use",
                                                "1 while published jobs are read from the standby.");
    metrics::counter& rejections = registry.add_counter("recruiting_public_api_catalogue_standby_rejections_total",
                                                        "Times that the standby was unavailable or behind.");
};

class catalogue_source {
public:
    /// No standby: the primary is always chosen.
    catalogue_source(asio::io_context& context, ticker& clock, pg::pipeline& primary,
                     std::optional<standby_settings> const& standby, standby_metrics& counters);

    /// The server for the reads that begin now: it has all that the primary has now. Waits for the standby up to
    /// max_lag. Throws what the primary throws.
    [[nodiscard]] task<pg::pipeline*> choose();
    /// A read from this server failed; if it is the standby, the next ones go to the primary.
    void failed(pg::pipeline const* chosen);

private:
    task<std::string> why_not();
    task<std::string> wait_for(server_changes const& wanted, timestamp since);
    void note(std::string const& why_not);

    ticker& ticks_;
    pg::pipeline& primary_;
    std::optional<pg::pipeline> standby_;
    std::chrono::milliseconds max_lag_{0};
    standby_metrics& counters_;
    coarse_clock::time_point retry_at_{coarse_clock::time_point::min()};
    std::optional<std::string> noted_; // why it was not used the last time; "": it was
};

} // namespace recruiting::public_api
