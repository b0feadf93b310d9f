#include "auth_api/app.hpp"

#include "auth_api/agent/invoke/invoke.hpp"
#include "auth_api/agent/run/leases.hpp"
#include "auth_api/background/keys/last_use.hpp"
#include "auth_api/background/keys/peppers.hpp"
#include "auth_api/background/mail/mailer.hpp"
#include "auth_api/background/tasks.hpp"
#include "auth_api/console/dispatcher.hpp"
#include "auth_api/console/routes.hpp"
#include "auth_api/dispatch.hpp"
#include "auth_api/routes.hpp"
#include "http/admin.hpp"

#include <algorithm>
#include <optional>

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
    // Generic plans: the statements are few and their plans do not depend on the values; planning each again would cost
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

mailing::mail_settings mails_of(settings const& config) {
    auto out = config.mail;
    out.has_console = config.console.is_on();
    out.links_sign_in = !config.console.oidc.required;
    return out;
}

// What runs beside the requests, in one process of the installation at a time or harmlessly in several.
class background {
public:
    background(asio::io_context& context, ticker& clock, settings const& config, metrics::registry& metrics,
               tracing::tracer const& tracer)
        : connection_(context, clock, worker_connection(config, metrics, "sealer")),
          sealer_(start_sealer(context, connection_, {.interval = config.seal_interval}, metrics, &tracer)),
          reaper_connection_(context, clock, connection_settings(config, metrics, "reaper")),
          reaper_(agent::start_reaper(context, reaper_connection_, config.agent.orphan_interval, config.agent.lease,
                                      metrics)),
          partitions_connection_(context, clock, worker_connection(config, metrics, "partitions")),
          partitions_(
              keep_audit_partitions(context, partitions_connection_,
                                    {.retention = config.audit_retention, .daily = config.audit_partitions == "day"})),
          retention_(start_retention(context, partitions_connection_,
                                     {.agent_sessions = config.agent_retention,
                                      .unmatched_requests = config.booking.unmatched_retention,
                                      .mails = config.mail.retention})),
          booking_connection_(context, clock, connection_settings(config, metrics, "booking")),
          booking_(booking::start_worker(context, booking_connection_, config.booking, metrics, &tracer)),
          mail_connection_(context, clock, connection_settings(config, metrics, "mail")),
          sign_in_(sign_in::start_worker(context, mail_connection_, config.console.link_interval, metrics)),
          mailer_(context, mail_connection_, mails_of(config), metrics, &tracer),
          webhooks_(context, connection_, config.webhooks, metrics) {}

    void stop() {
        sealer_.stop();
        reaper_.stop();
        partitions_.stop();
        retention_.stop();
        booking_.stop();
        sign_in_.stop();
        mailer_.stop();
        webhooks_.stop();
    }
    [[nodiscard]] bool idle() const noexcept { return mailer_.idle(); }
    /// Are its connections to PostgreSQL ready?
    [[nodiscard]] bool ready() const noexcept {
        return connection_.ready() && reaper_connection_.ready() && partitions_connection_.ready() &&
               booking_connection_.ready() && mail_connection_.ready();
    }

private:
    static pg::pipeline_settings worker_connection(settings const& config, metrics::registry& metrics,
                                                   std::string const& pool) {
        auto out = connection_settings(config, metrics, pool);
        out.segment_timeout = std::chrono::minutes{2}; // dropping a month of rows takes its time
        out.options = "-c jit=off";
        return out;
    }

    pg::pipeline connection_;
    task_owner sealer_;
    pg::pipeline reaper_connection_; // a run's death is reported in time although a round of the sealer takes long
    task_owner reaper_;
    pg::pipeline partitions_connection_;
    task_owner partitions_;
    task_owner retention_;
    pg::pipeline booking_connection_; // requests are taken up at their pace, whatever the others do
    task_owner booking_;
    pg::pipeline mail_connection_;
    task_owner sign_in_;
    mailing::mailer mailer_;
    webhooks::workers webhooks_; // on the sealer's connection: neither minds to wait for a round of the other
};

// What a thread has for the console, where there is one.
struct console_part {
    console_part(asio::io_context& context, ticker& clock, settings const& config, metrics::registry& metrics,
                 console::provider_sign_in& provider)
        : connection(context, clock, connection_settings(config, metrics, "console")),
          sessions(connection, config, provider),
          uses(context, connection, std::chrono::seconds{5}, [idle = config.console.idle_expiry](auto const& noted) {
              return console::write_session_uses(noted, idle);
          }) {}

    pg::pipeline connection;
    console::session_endpoints sessions;
    last_use uses;
};

// The API and the console, by their paths.
class handler_by_path final : public http::handler {
public:
    handler_by_path(http::handler& api, http::handler& console) : api_(api), console_(console) {}

    task<http::response> handle(http::request const& req) override { return of(req).handle(req); }
    task<std::optional<api_error>> refuse_head(http::request const& req) override { return of(req).refuse_head(req); }
    task<http::response> reject(http::request const& req, api_error const& error) override {
        return of(req).reject(req, error);
    }

private:
    [[nodiscard]] http::handler& of(http::request const& req) const noexcept {
        return console::is_console_path(req.path) ? console_ : api_;
    }

    http::handler& api_;
    http::handler& console_;
};

class app final : public http::thread_part {
public:
    app(shared_parts& shared, asio::io_context& context, ticker& clock, unsigned index)
        : shared_(shared), context_(context), clock_(clock), index_(index),
          signer_(shared.config.cursor_secret, shared.config.previous_cursor_secret),
          reads_(context, clock, quick_connection(shared.config, shared.metrics, "reads")),
          searches_(context, clock, connection_settings(shared.config, shared.metrics, "searches")),
          bulk_(context, clock, connection_settings(shared.config, shared.metrics, "bulk")),
          shared_reads_(context, clock, {&reads_, &searches_, &bulk_}, shared.config.queues, shared.metrics),
          standby_counts_(shared.metrics), standby_(shared.config.standby.is_on() ? make_standby() : nullptr),
          audit_connection_(context, clock, connection_settings(shared.config, shared.metrics, "audit")),
          audit_(context, audit_connection_, shared.metrics, {.refused_rows = shared.config.audit_rejected_rows}),
          last_use_(context, audit_connection_), key_moves_(context, audit_connection_, shared.config.peppers),
          agent_({.context = context,
                  .clock = clock,
                  .settings = shared.config.agent,
                  .connection = connection_settings(shared.config, shared.metrics, "agent"),
                  .reads = {shared_reads_, shared.config.mail.public_url},
                  .signer = signer_,
                  .audit = audit_,
                  .metrics = shared.metrics}),
          requests_(shared.metrics, "auth_api", http::route_names(routes())),
          dispatcher_(dependencies_of(requests_, &last_use_, standby_.get())),
          console_requests_(shared.metrics, "auth_api", http::route_names(console::routes())),
          provider_(context, shared.config.console.oidc, shared.metrics),
          console_part_(shared.pages
                            ? std::make_unique<console_part>(context, clock, shared.config, shared.metrics, provider_)
                            : nullptr),
          console_(dependencies_of(console_requests_, console_part_ ? &console_part_->uses : nullptr, nullptr),
                   {.executor = context.get_executor(),
                    .pages = shared.pages.get(),
                    .sessions = console_part_ ? &console_part_->sessions : nullptr,
                    .changes = shared.changes}),
          handler_(dispatcher_, console_), server_(context, clock, shared.config.api_server(), handler_),
          run_limit_(run_limit_of(shared.config)) {
        if (index == 0) make_admin();
        if (index == 0 && shared.config.workers)
            background_ = std::make_unique<background>(context, clock, shared.config, shared.metrics, shared.tracer);
        ticks_ = clock.subscribe([this](coarse_clock::time_point) { static_cast<void>(fault()); });
    }
    ~app() override {
        clock_.unsubscribe(ticks_);
        if (shared_.changes != nullptr) shared_.changes->stop(); // it resumes tasks of this io_context
    }

    // What keeps this thread from serving. A thread begins with all of its connections; later it serves most requests
    // without those of searches and long reads, which a single costly query may cost it, and without the workers'.
    [[nodiscard]] std::string fault() override {
        auto why = fault_of_connections();
        shared_.connected[index_] = why.empty();
        return why.empty() && pepper_watch_ ? pepper_watch_->fault() : why;
    }
    void listen() override {
        server_.listen();
        if (admin_) admin_->listen();
    }
    void drain() override {
        draining_ = true;
        server_.drain();
        if (admin_) admin_->divert_new_connections();
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
    // Waits for runs of the agent that no request waits for, and until the outcomes of the last mails and the last
    // requests' uses of their keys are written.
    task<void> finish() {
        constexpr std::chrono::milliseconds poll_interval{20};
        while (!server_.drained() || !agent_.idle() || (background_ && !background_->idle()))
            co_await sleep_for(poll_interval);
        last_use_.stop();
        co_await last_use_.flush();
        if (console_part_) {
            console_part_->uses.stop();
            co_await console_part_->uses.flush();
        }
        finished_ = true;
    }
    [[nodiscard]] std::string fault_of_connections() {
        for (auto const* connection : {&reads_, &audit_connection_})
            if (auto why = connection->fault(); !why.empty()) return why;
        bool const console = !console_part_ || console_part_->connection.ready();
        bool const workers = !background_ || background_->ready();
        begun_ = begun_ || (searches_.ready() && bulk_.ready() && console && workers);
        return begun_ && agent_.ready() ? "" : "unavailable";
    }
    // The process is ready when every thread is: the kernel gives a connection to any of them.
    [[nodiscard]] http::admin_handler::checks readiness() {
        return {{"postgres",
                 [this] {
                     auto const all =
                         std::ranges::all_of(shared_.connected, [](auto const& one) { return one.load(); });
                     auto why = fault_of_connections();
                     return why.empty() && !all ? "unavailable" : why;
                 }},
                {"pepper", [this] { return pepper_watch_->fault(); }},
                {"program", [this] { return draining_ ? "stopping" : ""; }}};
    }
    [[nodiscard]] authenticated_dispatcher::dependencies dependencies_of(http::request_metrics& requests,
                                                                         last_use* uses, standby_reads* standby) {
        return {.config = shared_.config,
                .signer = signer_,
                .reads = shared_reads_,
                .standby = standby,
                .audit = audit_,
                .requests = requests,
                .metrics = shared_.metrics,
                .uses = uses,
                .moves = key_moves_,
                .invocations = agent_.answering(),
                .tracer = shared_.tracer};
    }
    [[nodiscard]] std::shared_ptr<standby_reads> make_standby() {
        auto const connection = [this](std::string const& pool) {
            return shared_.config.standby.connection(connection_settings(shared_.config, shared_.metrics, pool));
        };
        return std::make_shared<standby_reads>(
            context_, clock_, shared_reads_,
            standby_reads::connections{connection("standby_searches"), connection("standby_bulk")}, standby_counts_,
            shared_.config.queues, shared_.metrics);
    }
    void make_admin() {
        pepper_watch_.emplace(context_, audit_connection_, shared_.config.peppers);
        admin_handler_.emplace(shared_.metrics, readiness());
        admin_ = std::make_unique<http::server>(context_, clock_, shared_.config.admin_server(), *admin_handler_);
    }

    shared_parts& shared_;
    asio::io_context& context_;
    ticker& clock_;
    unsigned index_;
    http::token_signer signer_;
    pg::pipeline reads_;
    pg::pipeline searches_;
    pg::pipeline bulk_;
    shared_reads shared_reads_;
    standby_counts standby_counts_;
    std::shared_ptr<standby_reads> standby_; // null: there is none
    pg::pipeline audit_connection_;
    audit::batcher audit_;
    last_use last_use_;
    key_moves key_moves_;
    agent::thread_agent agent_;
    http::request_metrics requests_;
    api_dispatcher dispatcher_;
    http::request_metrics console_requests_;
    console::provider_sign_in provider_;
    std::unique_ptr<console_part> console_part_;
    console::console_dispatcher console_;
    handler_by_path handler_;
    http::server server_;
    // The first thread has these four, the others none.
    std::optional<pepper_watch> pepper_watch_;
    std::optional<http::admin_handler> admin_handler_;
    std::unique_ptr<http::server> admin_;
    std::unique_ptr<background> background_;
    std::chrono::milliseconds run_limit_; // of runs, once the program goes down
    bool begun_{false};                   // every connection has stood
    bool draining_{false};
    bool finished_{false};
    ticker::subscription ticks_;
};

} // namespace

http::connection_budget connections_of(settings const& config) noexcept {
    constexpr std::int64_t of_thread = 6;  // reads, searches, bulk, audit, and two of the agent
    constexpr std::int64_t of_standby = 2; // searches, bulk
    constexpr std::int64_t of_workers = 5; // sealer, reaper, partitions, booking, mail
    std::int64_t const threads = config.thread_count();
    bool const console = config.console.is_on(); // one per thread, and those of the change pool
    std::int64_t const each = of_thread + (config.standby.is_on() ? of_standby : 0) + (console ? 1 : 0);
    return {.postgres =
                threads * each + (config.workers ? of_workers : 0) + (console ? config.console.change_threads : 0)};
}

std::unique_ptr<http::thread_part> make_app(shared_parts& shared, asio::io_context& context, ticker& clock,
                                            unsigned index) {
    return std::make_unique<app>(shared, context, clock, index);
}

} // namespace recruiting::auth_api
