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
                    "A database that gives no answer for so long is given up and connected to afresh.");
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
                  "Where the booking limits are counted: " + std::string(redis::address_forms) + ".",
                  [&s](std::string_view value) { return redis::read_address(value, s.redis); });
    reader.custom("RECRUITING_PUBLIC_API_REDIS_URL", "",
                  "Where the booking limits are counted instead, apart from the gateway's rate limits; empty: at "
                  "RECRUITING_REDIS_URL.",
                  [&s](std::string_view value) -> std::optional<std::string> {
                      if (value.empty()) return std::nullopt;
                      return redis::read_address(value, s.own_redis.emplace());
                  });
    reader.duration("RECRUITING_PUBLIC_API_CATALOGUE_REFRESH", s.catalogue_refresh, 1s, 1h,
                    "All published jobs are read again so often, besides what PostgreSQL tells of.");
    reader.duration("RECRUITING_PUBLIC_API_START_PATIENCE", s.start_patience, 0ms, 5min,
                    "How long the start waits for the published jobs before it takes connections; then it goes on "
                    "without them.");
    reader.number("RECRUITING_PUBLIC_API_COMPRESSED_CACHE", s.compressed_cache, 0, 1024 * 1024 * 1024,
                  "Bytes of compressed answers that each thread keeps.");
}

void declare_requests(settings_reader& reader, settings& s) {
    reader.number("RECRUITING_PUBLIC_API_LIMIT_ENTRIES", s.limit_entries, 1'000, 10'000'000,
                  "Counts of each booking limit that one process keeps and writes to Redis in one window. Further "
                  "clients are counted in the process alone.");
    reader.duration("RECRUITING_PUBLIC_API_EXPOSURE_REPEAT", s.exposure_repeat, 0ms, 24h,
                    "An API key that is sent here again and again is reported to its organization once in so long.");
    reader.number("RECRUITING_PUBLIC_API_EXPOSURES_WAITING", s.exposures_waiting, 1, 100'000,
                  "Such reports kept while they can't be written; more are dropped.");
    reader.duration("RECRUITING_PUBLIC_API_READ_TIMEOUT", s.api.read_timeout, 100ms, 5min,
                    "A request that is not whole after so long is answered 408.");
    reader.duration("RECRUITING_PUBLIC_API_IDLE_TIMEOUT", s.api.idle_timeout, 1s, 1h,
                    "Connections without a request are closed after so long; longer than the gateway keeps its own.");
    reader.duration("RECRUITING_PUBLIC_API_WRITE_TIMEOUT", s.api.write_timeout, 100ms, 5min,
                    "A client that takes nothing of its answer for so long is disconnected.");
}

} // namespace

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
    return http::load(reader, into, argc, argv);
}

} // namespace recruiting::public_api
