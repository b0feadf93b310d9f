#include "public_api/app.hpp"

#include "pg/schema_store.hpp"
#include "pg/servers.hpp"

#include <algorithm>

namespace recruiting::public_api {
namespace {

pg::pipeline_settings database_settings(shared_parts& shared, std::string const& pool) {
    auto const& config = shared.config;
    pg::pipeline_settings database;
    database.schema = shared.schema;
    database.servers = shared.servers;
    database.url = config.database_url;
    database.application_name = "recruiting-public-api " + pool;
    database.counts.emplace(shared.registry, pool);
    // A slow statement is cancelled by the server, alone, before the connection and all that waits on it is given up.
    database.options = "-c statement_timeout=" + std::to_string((config.database_timeout * 3 / 4).count());
    database.segment_timeout = config.database_timeout;
    return database;
}

pg::pipeline_settings catalogue_settings(shared_parts& shared, std::string const& pool) {
    auto database = database_settings(shared, pool);
    database.options.append(" ").append(plan_options);
    return database;
}

catalogue_servers servers_of_catalogue(shared_parts& shared) {
    catalogue_servers servers{.primary = catalogue_settings(shared, "catalogue"), .standby = std::nullopt};
    auto const& standby = shared.config.standby;
    if (standby.is_on()) servers.standby.emplace(standby.connection(catalogue_settings(shared, "standby")));
    return servers;
}

// An instance with a snapshot serves jobs while PostgreSQL is unavailable: it stays in rotation. Not so with a schema
// that it does not know: its answers about later jobs would not be the database's.
http::admin_handler::checks readiness_checks(shared_parts const& shared) {
    return {
        {"catalogue", [&shared] { return shared.published.version() > 0 ? std::string() : std::string("loading"); }},
        {"schema", [&shared] { return shared.schema->fault(); }},
        {"program", [&shared] { return shared.draining.load() ? std::string("stopping") : std::string(); }}};
}

http::admin_handler::checks information(shared_parts const& shared) {
    return {{"postgres", [&shared] {
                 bool const all = std::all_of(shared.database_ready.begin(), shared.database_ready.end(),
                                              [](auto const& ready) { return ready.load(std::memory_order_relaxed); });
                 return all ? std::string() : std::string("unavailable: jobs are served from memory");
             }}};
}

} // namespace

shared_parts::shared_parts(settings const& s, unsigned threads)
    : config(s), cursors(s.cursor_secret, s.previous_cursor_secret), spans(s.trace, "recruiting-public-api", registry),
      tracer(s.trace.share, spans.sink()), requests(registry, "public_api", http::route_names(routes())),
      limits(s.limits_redis(),
             {s.booking.requests_per_client, s.booking.requests_per_email, s.booking.requests_per_email_total},
             registry),
      catalogue_counters{registry}, documents(read_documents(s.documents)), database_ready(threads),
      schema(std::make_shared<pg::schema_gate>(pg::public_role)), servers(std::make_shared<pg::known_servers>()) {}

app::app(shared_parts& shared, asio::io_context& context, ticker& clock, unsigned index)
    : shared_(shared), clock_(clock), index_(index), database_(context, clock, database_settings(shared, "requests")),
      limiter_(context, shared.limits), dispatcher_({.database = database_,
                                                     .limits = limiter_,
                                                     .published = shared.published,
                                                     .exposed_keys = shared.exposed_keys,
                                                     .documents = shared.documents.get(),
                                                     .cursors = shared.cursors,
                                                     .config = shared.config,
                                                     .metrics = shared.requests,
                                                     .tracer = shared.tracer}),
      server_(context, clock, shared.config.api_server(), dispatcher_) {
    if (index == 0) {
        keeper_.emplace(servers_of_catalogue(shared), shared.config.public_url,
                        catalogue_intervals{shared.config.catalogue_refresh, shared.config.catalogue_comparison},
                        shared.published, shared.catalogue_counters);
        admin_handler_.emplace(shared.registry, readiness_checks(shared), information(shared));
        admin_server_.emplace(context, clock, shared.config.admin_server(), *admin_handler_);
    }
    readiness_ = clock.subscribe([this](coarse_clock::time_point) { publish_readiness(database_.ready()); });
}

app::~app() {
    clock_.unsubscribe(readiness_);
    publish_readiness(false);
}

void app::publish_readiness(bool ready) noexcept {
    shared_.database_ready[index_].store(ready, std::memory_order_relaxed);
}

// A process that takes over from another one on the same address knows the jobs before its first connection.
std::string app::fault() {
    if (auto why = database_.fault(); !why.empty()) return why;
    return shared_.published.version() > 0 ? "" : "the published jobs are not loaded";
}

void app::listen() {
    publish_readiness(database_.ready());
    server_.listen();
    if (admin_server_) admin_server_->listen();
}

void app::drain() {
    shared_.draining = true;
    server_.drain(); // from now to the end the admin port reports "stopping", unless a successor answers there
    if (admin_server_) admin_server_->divert_new_connections();
}

void app::close() {
    server_.close();
    if (admin_server_) admin_server_->close();
    limiter_.stop();
    database_.stop();
    keeper_.reset();
}

} // namespace recruiting::public_api
