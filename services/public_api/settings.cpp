#include "public_api/settings.hpp"

#include "core/url.hpp"
#include "pg/url.hpp"

namespace recruiting::public_api {
namespace {

using namespace std::chrono_literals;

void declare_database(settings_reader& reader, settings& s) {
    pg::declare_url(reader, "RECRUITING_PUBLIC_API_DATABASE_URL", s.database_url,
                    "PostgreSQL as role recruiting_public, as libpq reads it.");
    reader.require_last();
    reader.duration("RECRUITING_PUBLIC_API_DATABASE_TIMEOUT", s.database_timeout, 100ms, 60s,
                    "Time without a reply after which a database connection is closed and opened again.");
    pg::declare_optional_url(
        reader, "RECRUITING_PUBLIC_API_STANDBY_URL", s.standby_url,
        "Standby of this PostgreSQL as role recruiting_public. Published jobs are read from it while it has every "
        "change of them; empty: they are read from the primary.");
    reader.duration("RECRUITING_PUBLIC_API_STANDBY_MAX_LAG", s.standby_max_lag, 0ms, 60s,
                    "Time that a reload waits for changes to reach the standby; then it reads from the primary.");
}

void declare_published(settings_reader& reader, settings& s) {
    reader.custom("RECRUITING_PUBLIC_URL", s.public_url,
                  "Where browsers reach the gateway, as in https://jobs.example.com: links in pages, feeds and mails.",
                  [&s](std::string_view value) -> std::optional<std::string> {
                      if (!is_origin(value)) return "must be http:// or https:// and a host, without a path";
                      s.public_url = value;
                      return std::nullopt;
                  });
    reader.custom("RECRUITING_REDIS_URL", "redis://127.0.0.1:6379",
                  "Redis that counts booking requests: " + std::string(redis::address_forms) + ".",
                  [&s](std::string_view value) { return redis::read_address(value, s.redis); });
    reader.custom("RECRUITING_PUBLIC_API_REDIS_URL", "",
                  "Separate Redis for the booking limits; empty: RECRUITING_REDIS_URL.",
                  [&s](std::string_view value) -> std::optional<std::string> {
                      if (value.empty()) return std::nullopt;
                      return redis::read_address(value, s.own_redis.emplace());
                  });
    reader.duration("RECRUITING_PUBLIC_API_CATALOGUE_REFRESH", s.catalogue_refresh, 1s, 1h,
                    "Interval at which changes of published jobs are read, in addition to PostgreSQL's notifications.");
    reader.duration("RECRUITING_PUBLIC_API_CATALOGUE_COMPARISON", s.catalogue_comparison, 1s, 12h,
                    "Interval at which all published jobs are compared with PostgreSQL.");
    reader.duration("RECRUITING_PUBLIC_API_START_PATIENCE", s.start_patience, 0ms, 5min,
                    "Maximum time that the start waits for the published jobs before accepting connections.");
    reader.number("RECRUITING_PUBLIC_API_COMPRESSED_CACHE", s.compressed_cache, 0, 1024 * 1024 * 1024,
                  "Size of the cache of compressed responses per thread, in bytes.");
    reader.number("RECRUITING_PUBLIC_API_JOB_CACHE", s.job_cache, 0, 1024 * 1024 * 1024,
                  "Size of the cache of jobs that are ready to be sent, per thread, in bytes. Other jobs are unpacked "
                  "for each response.");
}

void declare_requests(settings_reader& reader, settings& s) {
    reader.duration("RECRUITING_PUBLIC_API_EXPOSURE_REPEAT", s.exposure_repeat, 0ms, 24h,
                    "Minimum interval between two reports of the same exposed API key.");
    reader.number("RECRUITING_PUBLIC_API_EXPOSURES_WAITING", s.exposures_waiting, 1, 100'000,
                  "Maximum reports of exposed keys kept while they can't be written; further ones are dropped.");
    reader.duration("RECRUITING_PUBLIC_API_READ_TIMEOUT", s.api.read_timeout, 100ms, 5min,
                    "Timeout for receiving a request; then 408.");
    reader.duration("RECRUITING_PUBLIC_API_IDLE_TIMEOUT", s.api.idle_timeout, 1s, 1h,
                    "Time after which idle connections are closed. It must be longer than the gateway keeps its own.");
    reader.duration("RECRUITING_PUBLIC_API_WRITE_TIMEOUT", s.api.write_timeout, 100ms, 5min,
                    "Timeout for a client that reads nothing of its response; then it is disconnected.");
}

} // namespace

// A thread's requests have one connection to each, the catalogue one to PostgreSQL and one to its standby.
http::connection_budget connections_of(settings const& config) noexcept {
    std::int64_t const threads = config.thread_count();
    return {.postgres = threads + (config.standby_url.empty() ? 1 : 2), .redis = threads};
}

std::optional<int> load(settings& into, int argc, char const* const* argv) {
    settings_reader reader("recruiting-public-api", "serves what organizations have published, without credentials",
                           "RECRUITING_PUBLIC_API_");
    http::declare_service(reader, into);
    declare_database(reader, into);
    declare_published(reader, into);
    declare_documents(reader, into.documents);
    declare_booking(reader, into.booking);
    declare_requests(reader, into);
    tracing::declare(reader, into.trace);
    return http::load(reader, into, argc, argv, [&into] { return connections_of(into); });
}

} // namespace recruiting::public_api
