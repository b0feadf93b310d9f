// Keeps the catalogue as PostgreSQL has it: an organization is read when PostgreSQL reports a change of it; at each
// reconnect and every so often, those that changed since the last time (published_changes); all of them at the start,
// on another server or line of history, and rarely. One per process, with a thread and a connection of its own, so that
// no request waits while ten thousand jobs are read.
#pragma once
#include "async/task.hpp"
#include "async/ticker.hpp"
#include "pg/standby_store.hpp"
#include "public_api/catalogue/catalogue_builder.hpp"
#include "telemetry/metrics.hpp"

#include <chrono>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <thread>

namespace recruiting::public_api {

struct standby_metrics {
    metrics::registry& registry;
    metrics::gauge& in_use = registry.add_gauge("recruiting_public_api_catalogue_standby_in_use",
                                                "1 while published jobs are read from the standby.");
    metrics::counter& rejections = registry.add_counter("recruiting_public_api_catalogue_standby_rejections_total",
                                                        "Times that the standby was unavailable or behind.");
};

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

/// Which server the catalogue is read from: a standby that has every change the primary has, else the primary. Changes
/// and notifications always come from the primary (decision 0102).
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

class catalogue_keeper {
public:
    /// Begins at once. into and counters outlive it.
    catalogue_keeper(catalogue_servers const& servers, std::string_view public_url,
                     catalogue_intervals const& intervals, shared_catalogue& into, catalogue_metrics& counters);
    ~catalogue_keeper();
    catalogue_keeper(catalogue_keeper const&) = delete;
    catalogue_keeper& operator=(catalogue_keeper const&) = delete;

private:
    struct work {
        std::set<uuid> organizations; // which PostgreSQL reported
        bool refresh{false};          // and those whose changes were not reported
        bool is_reconnected{false};
    };

    void note_change(std::string_view organization);
    void note_refresh();
    void tick(coarse_clock::time_point now);
    [[nodiscard]] bool is_due() const { return database_.ready() && (due_.refresh || !due_.organizations.empty()); }
    void put_back(work const& failed);

    task<void> keep();
    task<bool> try_reload(work const& now_due);
    task<void> reload(work const& now_due);
    task<void> follow(work const& now_due);
    task<void> compare_all();
    task<void> read(catalogue_builder& next, organization_choice const& which);
    void publish(catalogue_builder& next);

    std::string public_url_;
    catalogue_intervals intervals_;
    shared_catalogue& into_;
    catalogue_metrics& counters_;
    asio::io_context context_{1};
    ticker ticks_{context_};
    pg::pipeline database_;
    catalogue_source source_;
    pg::pipeline* read_from_{&database_};
    ticker::subscription ticking_;
    waiter idle_;
    work due_;
    std::optional<read_mark> mark_; // nothing: not all of it has been read yet
    coarse_clock::time_point refresh_at_{coarse_clock::time_point::max()};
    coarse_clock::time_point compare_at_{coarse_clock::time_point::min()};
    std::thread thread_;
};

} // namespace recruiting::public_api
