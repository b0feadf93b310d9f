// The composition root of one thread: its database connection, its server, and on the first thread the catalogue's
// keeper and the admin port.
#pragma once
#include "http/admin.hpp"
#include "http/endpoint_dispatcher.hpp"
#include "http/query.hpp"
#include "http/threads.hpp"
#include "public_api/catalogue/catalogue_keeper.hpp"
#include "public_api/dispatch.hpp"
#include "public_api/docs/document_site.hpp"
#include "public_api/limits/limits.hpp"
#include "public_api/settings.hpp"
#include "telemetry/metrics.hpp"
#include "tracing/exporter.hpp"

#include <atomic>
#include <memory>
#include <optional>
#include <vector>

namespace recruiting::public_api {

/// What the threads share: read-only, or atomic.
struct shared_parts {
    /// Throws std::runtime_error when the documentation can't be read.
    shared_parts(settings const& s, unsigned threads);

    settings const& config;
    http::token_signer const cursors;
    metrics::registry registry;
    tracing::exporter spans;
    tracing::tracer const tracer;
    http::request_metrics requests;
    shared_limits limits;
    shared_catalogue published;
    catalogue_metrics catalogue_counters;
    metrics::counter& exposed_keys = registry.add_counter("recruiting_public_api_exposed_keys_total",
                                                          "Requests that were rejected because of an API key.");
    std::shared_ptr<document_site const> const documents;
    std::vector<std::atomic<bool>> database_ready; // one per thread
    std::shared_ptr<pg::schema_gate> const schema; // what the connections of the process know of it
    std::shared_ptr<pg::known_servers> const servers;
    std::atomic<bool> draining{false};
};

class app final : public http::thread_part {
public:
    app(shared_parts& shared, asio::io_context& context, ticker& clock, unsigned index);
    ~app() override;

    [[nodiscard]] std::string fault() override;
    void listen() override;
    void drain() override;
    [[nodiscard]] bool idle() const noexcept override { return server_.drained(); }
    void close() override;
    [[nodiscard]] endpoint local() const { return server_.local(); }
    /// The admin port, which only the first thread has.
    [[nodiscard]] endpoint local_admin() const { return admin_server_.value().local(); }

private:
    void publish_readiness(bool ready) noexcept;

    shared_parts& shared_;
    ticker& clock_;
    unsigned index_;
    pg::pipeline database_;
    limiter limiter_;
    std::optional<catalogue_keeper> keeper_;
    public_dispatcher dispatcher_;
    http::server server_;
    std::optional<http::admin_handler> admin_handler_;
    std::optional<http::server> admin_server_;
    ticker::subscription readiness_;
};

} // namespace recruiting::public_api
