#include "public_api/catalogue/catalogue_metrics.hpp"

namespace recruiting::public_api {

catalogue_metrics::catalogue_metrics(metrics::registry& registry)
    : organizations(registry.add_gauge("recruiting_public_api_catalogue_organizations", "Organizations in memory.")),
      jobs(registry.add_gauge("recruiting_public_api_catalogue_jobs", "Published jobs in memory.")),
      connected(registry.add_gauge("recruiting_public_api_catalogue_connected",
                                   "1 while notifications of changes arrive: the program's own come back.")),
      read_at(registry.add_gauge("recruiting_public_api_catalogue_read_timestamp_seconds",
                                 "When all of it was last seen to be as in PostgreSQL, in seconds since 1970.")),
      reloads_of_all(registry.add_counter("recruiting_public_api_catalogue_reloads_total",
                                          "Reloads: of all, and of what PostgreSQL told of.", R"(kind="all")")),
      reloads_of_changes(registry.add_counter("recruiting_public_api_catalogue_reloads_total",
                                              "Reloads: of all, and of what PostgreSQL told of.", R"(kind="changes")")),
      failures(registry.add_counter("recruiting_public_api_catalogue_reload_failures_total",
                                    "Reloads that failed and are tried again.")),
      seconds(registry.add_histogram("recruiting_public_api_catalogue_reload_duration_seconds",
                                     "How long reloads took.")) {}

} // namespace recruiting::public_api
