#include "auth_api/app.hpp"

#include "auth_api/agent/invoke/invoke.hpp"
#include "auth_api/agent/run/run_cleanup.hpp"
#include "auth_api/background/keys/last_use.hpp"
#include "auth_api/background/mail/mailer.hpp"
#include "auth_api/background/tasks.hpp"
#include "auth_api/dispatch.hpp"
#include "auth_api/routes.hpp"
#include "http/admin.hpp"

namespace recruiting::auth_api {
namespace {

constexpr std::chrono::milliseconds quick_statement_timeout{1'000};

std::string options_of(std::chrono::milliseconds statement_timeout) {
    return std::string(plan_options) + " -c statement_timeout=" + std::to_string(statement_timeout.count());
}

pg::pipeline_settings connection_settings(settings const& config, metrics::registry& metrics, std::string const& pool) {
    pg::pipeline_settings out;
    out.url = config.database_url;
    out.application_name = "recruiting-auth-api " + pool;
    out.counts.emplace(metrics, pool);
    out.schema = config.schema;
    out.servers = config.servers;
    out.segment_timeout = config.statement_timeout + std::chrono::seconds{1};
    // Generic plans: the statements are few and their plans do not depend on the values; planning each anew would cost
    // more than running them. Nested loops over indexes: every answer is a record or a page, so a join that first reads
    // a whole table is wrong at any size, whatever the statistics say. No parallel workers: starting them costs more
    // than a page (measured at a million candidates: 2.7 ms instead of 0.4).
    out.options = options_of(config.statement_timeout);
    return out;
}

// A record or a page in an index's order takes milliseconds: whatever takes longer may not keep the others waiting.
pg::pipeline_settings quick_connection(settings const& config, metrics::registry& metrics, std::string const& pool) {
    auto out = connection_settings(config, metrics, pool);
    auto const longest = std::min(config.statement_timeout, quick_statement_timeout);
    out.options = options_of(longest);
    return out;
}

// Runs that are ended by a drain still have to be written down before the drain ends.
std::chrono::milliseconds run_limit_of(settings const& config) {
    auto const reserve = std::min(std::chrono::milliseconds{2'000}, config.drain_timeout / 4);
    return std::min(config.agent.drain_timeout, config.drain_timeout - reserve);
}

http::server_settings server_settings_of(settings const& config) {
    http::server_settings out;
    out.listen = config.listen;
    out.sockets = config.threads == 0 ? http::default_threads() : static_cast<unsigned>(config.threads);
    out.head_limit = static_cast<std::uint32_t>(config.head_limit);
    out.body_limit = static_cast<std::uint64_t>(config.body_limit);
    out.drain_delay = config.drain_delay;
    return out;
}

// What runs beside the requests, in one process of the deployment at a time or harmlessly in several.
class background {
public:
    background(asio::io_context& context, ticker& clock, settings const& config, metrics::registry& metrics,
               tracing::tracer const& tracer)
        : connection_(context, clock, worker_connection(config, metrics, "sealer")),
          sealer_(context, connection_, {config.seal_interval, 500}, metrics, &tracer),
          reaper_connection_(context, clock, connection_settings(config, metrics, "reaper")),
          reaper_(context, reaper_connection_, config.agent.reap_interval, metrics),
          exposure_(context, reaper_connection_, config.pepper, config.exposure_interval, metrics),
          partitions_connection_(context, clock, worker_connection(config, metrics, "partitions")),
          partitions_(context, partitions_connection_,
                      {.retention = config.audit_retention, .daily = config.audit_partitions == "day"}),
          agent_retention_(context, partitions_connection_, config.agent_retention),
          booking_connection_(context, clock, connection_settings(config, metrics, "booking")),
          booking_(context, booking_connection_, config.booking, metrics, &tracer),
          mail_connection_(context, clock, connection_settings(config, metrics, "mail")),
          mailer_(context, mail_connection_, config.mail, metrics, &tracer) {}

    void stop() {
        sealer_.stop();
        reaper_.stop();
        exposure_.stop();
        partitions_.stop();
        agent_retention_.stop();
        booking_.stop();
        mailer_.stop();
    }
    [[nodiscard]] bool idle() const noexcept { return mailer_.idle(); }

private:
    static pg::pipeline_settings worker_connection(settings const& config, metrics::registry& metrics,
                                                   std::string const& pool) {
        auto out = connection_settings(config, metrics, pool);
        out.segment_timeout = std::chrono::minutes{2}; // dropping a month of rows takes its time
        // The sealer reads from its position in an index's order; a sort of all that waits behind it is never better.
        out.options = "-c jit=off -c enable_sort=off";
        return out;
    }

    pg::pipeline connection_;
    sealer sealer_;
    pg::pipeline reaper_connection_; // a death is not told late because a round of the sealer takes long
    reaper reaper_;
    exposure exposure_;
    pg::pipeline partitions_connection_;
    audit_partitions partitions_;
    agent_retention agent_retention_;
    pg::pipeline booking_connection_; // requests are taken up at their pace, whatever the others do
    booking::booking_worker booking_;
    pg::pipeline mail_connection_;
    mailing::mailer mailer_;
};

class app final : public http::thread_part {
public:
    app(asio::io_context& context, ticker& clock, unsigned index, settings const& config, metrics::registry& metrics,
        tracing::tracer const& tracer)
        : context_(context), signer_(config.cursor_secret),
          organizations_(metrics, *config.organizations, static_cast<std::size_t>(config.metrics_organizations)),
          reads_(context, clock, quick_connection(config, metrics, "reads")),
          searches_(context, clock, connection_settings(config, metrics, "searches")),
          bulk_(context, clock, connection_settings(config, metrics, "bulk")),
          shared_reads_(context, clock, {&reads_, &searches_, &bulk_}, config.queues, metrics, &organizations_),
          audit_connection_(context, clock, connection_settings(config, metrics, "audit")),
          audit_(context, audit_connection_, metrics, {.refused_rows = config.audit_refused_rows}),
          last_use_(context, audit_connection_), agent_({context,
                                                         clock,
                                                         config.agent,
                                                         connection_settings(config, metrics, "agent"),
                                                         {shared_reads_, config.mail.public_url},
                                                         signer_,
                                                         audit_,
                                                         metrics}),
          requests_(metrics, "auth_api", http::route_names(routes())),
          dispatch_({config, signer_, shared_reads_, audit_, requests_, metrics, last_use_, agent_.answering(), tracer,
                     organizations_}),
          server_(context, clock, server_settings_of(config), dispatch_),
          admin_handler_(metrics, config.effective, readiness()), run_limit_(run_limit_of(config)) {
        if (index > 0) return;
        admin_ = std::make_unique<http::server>(context, clock, admin_settings(config), admin_handler_);
        if (config.workers) background_ = std::make_unique<background>(context, clock, config, metrics, tracer);
    }

    void drain() override {
        draining_ = true;
        server_.drain();
        if (admin_) admin_->give_way();
        agent_.drain(run_limit_);
        if (background_) background_->stop();
        spawn(context_, finish());
    }
    [[nodiscard]] bool idle() const noexcept override { return finished_; }
    void close() override {
        server_.close();
        if (admin_) admin_->close();
    }

private:
    // The last requests' uses of their keys are to be written too, and what became of the last mails.
    task<void> finish() {
        constexpr std::chrono::milliseconds look_again{20};
        while (!server_.drained() || (background_ && !background_->idle())) co_await sleep_for(look_again);
        last_use_.stop();
        co_await last_use_.flush();
        finished_ = true;
    }
    [[nodiscard]] http::admin_handler::checks readiness() const {
        return {{"postgres",
                 [this] {
                     auto fault = reads_.fault();
                     if (fault.empty()) fault = audit_connection_.fault();
                     return fault.empty() && !agent_.ready() ? std::string("away") : fault;
                 }},
                {"program", [this] { return draining_ ? "stopping" : ""; }}};
    }
    static http::server_settings admin_settings(settings const& config) {
        http::server_settings out;
        out.listen = config.admin_listen;
        return out;
    }

    asio::io_context& context_;
    http::token_signer signer_;
    organization_metrics organizations_;
    pg::pipeline reads_;
    pg::pipeline searches_;
    pg::pipeline bulk_;
    shared_reads shared_reads_;
    pg::pipeline audit_connection_;
    audit::batcher audit_;
    last_use last_use_;
    agent::agent agent_;
    http::request_metrics requests_;
    dispatch dispatch_;
    http::server server_;
    http::admin_handler admin_handler_;
    std::unique_ptr<http::server> admin_;
    std::unique_ptr<background> background_;
    std::chrono::milliseconds run_limit_; // of runs, once the program goes down
    bool draining_{false};
    bool finished_{false};
};

} // namespace

std::unique_ptr<http::thread_part> make_app(asio::io_context& context, ticker& clock, unsigned index,
                                            settings const& config, metrics::registry& metrics,
                                            tracing::tracer const& tracer) {
    return std::make_unique<app>(context, clock, index, config, metrics, tracer);
}

} // namespace recruiting::auth_api
