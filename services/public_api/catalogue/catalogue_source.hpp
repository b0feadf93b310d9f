// Which server the catalogue is read from: a standby that has every change the primary has, else the primary. Changes
// and notifications always come from the primary (decision 0102).
#pragma once
#include "pg/standby_store.hpp"
#include "public_api/catalogue/catalogue_store.hpp"
#include "telemetry/metrics.hpp"

#include <optional>
#include <string>

namespace recruiting::public_api {

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
                     std::optional<pg::pipeline_settings> const& standby, standby_metrics& counters);

    /// The server for the reads that begin now: it has all that the primary has now. Waits up to 2 s for the standby.
    /// Throws what the primary throws.
    [[nodiscard]] task<pg::pipeline*> choose();
    /// A read from this server failed; if it is the standby, the next ones go to the primary.
    void failed(pg::pipeline const* chosen);

private:
    /// Why the standby can't be used now; "": it can.
    task<std::string> check_standby();
    task<std::string> wait_for(server_changes const& wanted, timestamp since);
    void note(std::string const& why_not);

    pg::pipeline& primary_;
    std::optional<pg::pipeline> standby_;
    standby_metrics& counters_;
    pg::standby_use use_;
};

} // namespace recruiting::public_api
