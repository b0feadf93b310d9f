// Keeps the catalogue as PostgreSQL has it: an organization is read when PostgreSQL reports a change of it; at each
// reconnect and every so often, those that changed since the last time (published_changes); all of them at the start,
// on another server or line of history, and rarely. One per process, with a thread and a connection of its own, so that
// no request waits while ten thousand jobs are read; of what a standby may be read: catalogue_source.hpp.
#pragma once
#include "pg/pipeline.hpp"
#include "pg/standby_store.hpp"
#include "public_api/catalogue/catalogue.hpp"
#include "public_api/catalogue/catalogue_source.hpp"
#include "public_api/catalogue/catalogue_store.hpp"
#include "telemetry/metrics.hpp"

#include <chrono>
#include <memory>
#include <string>
#include <string_view>

namespace recruiting::public_api {

struct catalogue_metrics {
    metrics::registry& registry;
    metrics::gauge& organizations =
        registry.add_gauge("recruiting_public_api_catalogue_organizations", "Organizations in memory.");
    metrics::gauge& jobs = registry.add_gauge("recruiting_public_api_catalogue_jobs", "Published jobs in memory.");
    metrics::gauge& connected =
        registry.add_gauge("recruiting_public_api_catalogue_connected", "1 while PostgreSQL reports changes.");
    metrics::gauge& read_at = registry.add_gauge( // its age is how old an answer may be
        "recruiting_public_api_catalogue_read_timestamp_seconds",
        "Time up to which every change has been read, in seconds since 1970.");
    metrics::counter& reloads_of_all =
        registry.add_counter("recruiting_public_api_catalogue_reloads_total",
                             "Reloads: of all, and of changes that PostgreSQL reported.", R"(kind="all")");
    metrics::counter& reloads_of_changes =
        registry.add_counter("recruiting_public_api_catalogue_reloads_total",
                             "Reloads: of all, and of changes that PostgreSQL reported.", R"(kind="changes")");
    metrics::counter& failures = registry.add_counter("recruiting_public_api_catalogue_reload_failures_total",
                                                      "Reloads that failed and are retried.");
    metrics::histogram& seconds =
        registry.add_histogram("recruiting_public_api_catalogue_reload_duration_seconds", "Duration of reloads.");
    standby_metrics standby{registry};
};

/// The times between two reads: of the changes, and of everything.
struct catalogue_intervals {
    std::chrono::milliseconds refresh;
    std::chrono::milliseconds comparison;
};

struct catalogue_servers {
    pg::pipeline_settings primary;
    std::optional<pg::pipeline_settings> standby;
};

class catalogue_keeper {
public:
    /// Begins at once. into and counters outlive it.
    catalogue_keeper(catalogue_servers const& servers, std::string_view public_url,
                     catalogue_intervals const& intervals, shared_catalogue& into, catalogue_metrics& counters);
    ~catalogue_keeper();
    catalogue_keeper(catalogue_keeper const&) = delete;
    catalogue_keeper& operator=(catalogue_keeper const&) = delete;

private:
    struct state;
    std::unique_ptr<state> state_;
};

// Up to where changes have been read. Pure.

struct read_mark {
    pg::server_moment moment;
    coarse_clock::time_point read_at;
};
/// Does the server have all changes since the mark? If not, everything has to be compared: it is another server, was
/// promoted or restored, or the mark is older than the changes that PostgreSQL keeps.
[[nodiscard]] bool continues(read_mark const& last, pg::server_moment const& now, coarse_clock::time_point at,
                             bool is_reconnected) noexcept;
/// The lowest transaction number whose changes may not have been read.
[[nodiscard]] std::int64_t first_unread(read_mark const& last, bool is_reconnected) noexcept;

} // namespace recruiting::public_api
