#include "public_api/settings.hpp"

#include "core/url.hpp"
#include "pg/url.hpp"
#include "redis/settings.hpp"

namespace recruiting::public_api {
namespace {

using namespace std::chrono_literals;

void declare_database(settings_reader& reader, settings& s) {
    pg::declare_url(reader, "RECRUITING_PUBLIC_API_DATABASE_URL", s.database_url,
                    "PostgreSQL as role recruiting_public, as libpq reads it.");
    reader.require_last();
    reader.duration("RECRUITING_PUBLIC_API_DATABASE_TIMEOUT", s.database_timeout, 100ms, 60s,
                    "Time without a reply after which a database connection is closed and opened again.");
    pg::declare_url(
        reader, "RECRUITING_PUBLIC_API_STANDBY_URL", s.standby.url,
        "Standby of this PostgreSQL as role recruiting_public. Published jobs are read from it while it has every "
        "change of them; empty: they are read from the primary.",
        pg::url_presence::optional);
}

void declare_published(settings_reader& reader, settings& s) {
    reader.custom("RECRUITING_PUBLIC_URL", s.public_url,
                  "Where browsers reach the gateway, as in https://jobs.example.com: links in pages, feeds and mails.",
                  [&s](std::string_view value) -> std::optional<std::string> {
                      if (!is_origin(value)) return "must be http:// or https:// and a host, without a path";
                      s.public_url = value;
                      return std::nullopt;
                  });
    redis::declare_url(reader, "RECRUITING_REDIS_URL", "redis://127.0.0.1:6379", s.redis,
                       "Redis that counts booking requests: " + std::string(redis::address_forms) + ".");
    reader.custom("RECRUITING_PUBLIC_API_REDIS_URL", "",
                  "Separate Redis for the booking limits; empty: RECRUITING_REDIS_URL.",
                  [&s](std::string_view value) -> std::optional<std::string> {
                      if (value.empty()) return std::nullopt;
                      return redis::read_address(value, s.own_redis.emplace());
                  });
    reader.last_may_be_in_file();
    redis::declare_tls(reader, s.redis.tls, [&s] { return s.limits_redis(); });
}

void declare_booking(settings_reader& reader, booking_settings& to) {
    reader.number("RECRUITING_PUBLIC_API_BOOKINGS_PER_ADDRESS", to.requests_per_client, 1, 1'000'000,
                  "Maximum booking requests per hour from one client address for one job.");
    reader.number(
        "RECRUITING_PUBLIC_API_BOOKINGS_PER_EMAIL", to.requests_per_email, 1, 1'000'000,
        "Maximum booking requests per UTC day for one e-mail address from one client network (IPv4 /24, IPv6 /56).");
    reader.number("RECRUITING_PUBLIC_API_BOOKINGS_PER_EMAIL_TOTAL", to.requests_per_email_total, 1, 1'000'000,
                  "Booking requests per UTC day for one e-mail address from all networks together, beyond which "
                  "requests get the same response, are processed last and repeat no mail.");
    reader.duration("RECRUITING_PUBLIC_API_BOOKING_NOTICE", to.notice, 0ms, 720h,
                    "Earliest start of a bookable slot, from now.");
    reader.duration("RECRUITING_PUBLIC_API_BOOKING_HORIZON", to.horizon, 24h, 8760h,
                    "Latest start of a bookable slot, from now.");
}

} // namespace

redis::address settings::limits_redis() const {
    auto out = own_redis.value_or(redis);
    out.tls = redis.tls;
    return out;
}

// A thread's requests have one connection to each, the catalogue one to PostgreSQL and one to its standby.
http::connection_budget connections_of(settings const& config) noexcept {
    std::int64_t const threads = config.thread_count();
    return {.postgres = threads + (config.standby.is_on() ? 2 : 1), .redis = threads};
}

std::optional<int> load(settings& into, int argc, char const* const* argv) {
    settings_reader reader("recruiting-public-api", "serves what organizations have published, without credentials",
                           "RECRUITING_PUBLIC_API_");
    http::declare_service(reader, into);
    declare_database(reader, into);
    declare_published(reader, into);
    reader.text(
        "RECRUITING_PUBLIC_API_DOCS", into.documents,
        "Folder of the built documentation (scripts/docs), served under /docs from memory; empty: /docs is 404.");
    declare_booking(reader, into.booking);
    tracing::declare(reader, into.trace);
    return http::load(reader, into, argc, argv, [&into] { return connections_of(into); });
}

} // namespace recruiting::public_api
