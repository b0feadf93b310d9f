#include "auth_api/background/keys/exposure.hpp"

#include "auth/api_key.hpp"
#include "auth_api/background/keys/exposure_store.hpp"
#include "auth_api/background/pause.hpp"
#include "core/log.hpp"
#include "pg/error.hpp"

namespace recruiting::auth_api {
namespace {

constexpr std::int64_t most_at_once = 100;

} // namespace

struct exposure::state : std::enable_shared_from_this<exposure::state> {
    state(asio::io_context& context, pg::pipeline& c, std::string p, std::chrono::milliseconds every,
          metrics::registry& metrics)
        : connection(c), pepper(std::move(p)), keys(exposure_keys(pepper)), interval(every), waiting(context),
          found(metrics.add_counter("recruiting_auth_api_exposed_keys_total",
                                    "Real keys that were sent to the public API.")),
          unreadable(metrics.add_counter("recruiting_auth_api_exposures_unreadable_total",
                                         "Reports that could not be opened: sealed under another pepper.")) {}

    task<void> work();
    task<std::int64_t> round();
    task<bool> settle_alone(exposure_report report);
    task<void> settle(exposure_report report);
    task<std::vector<pg::rows>> run(std::vector<pg::statement> segment);

    pg::pipeline& connection;
    std::string pepper;
    box_keys keys;
    std::chrono::milliseconds interval;
    pause waiting;
    metrics::counter& found;
    metrics::counter& unreadable;
};

task<void> exposure::state::work() {
    auto const self = shared_from_this();
    while (!waiting.stopped()) {
        std::int64_t settled = 0;
        try {
            settled = co_await round();
        } catch (pg::query_error const& error) {
            if (!waiting.stopped())
                log::write(pg::severity(error), "exposures_failed", {{"sqlstate", error.sqlstate()}});
        } catch (outage const&) { // the connection itself says so
        }
        if (settled < most_at_once) co_await waiting.wait(interval);
    }
}

// Once stopped, connection and metrics may be gone: nothing goes on after the answer then.
task<std::vector<pg::rows>> exposure::state::run(std::vector<pg::statement> segment) {
    auto answer = co_await connection.run(std::move(segment));
    if (waiting.stopped()) throw outage("stopped");
    co_return answer;
}

task<std::int64_t> exposure::state::round() {
    auto beginning = begin_exposure_round(keys.public_key, most_at_once);
    auto const answer = co_await run(std::move(beginning));
    auto reports = read_reports(answer);
    std::int64_t settled = 0;
    for (auto& report : reports) {
        bool const done = co_await settle_alone(std::move(report));
        settled += static_cast<std::int64_t>(done);
    }
    co_return settled;
}

// What one report fails of is its own: the others go on, and it comes again in the next round.
task<bool> exposure::state::settle_alone(exposure_report report) {
    auto const id = report.id;
    try {
        co_await settle(std::move(report));
        co_return true;
    } catch (pg::query_error const& error) {
        if (waiting.stopped()) throw outage("stopped");
        log::write(pg::severity(error), "exposure_failed",
                   {{"reportId", to_string(id)}, {"sqlstate", error.sqlstate()}});
        co_return false;
    }
}

task<void> exposure::state::settle(exposure_report report) {
    auto const secret = open_sealed(report.sealed, keys);
    if (!secret) {
        auto dropping = drop_exposure(report.id);
        auto const dropped = co_await run(std::move(dropping));
        static_cast<void>(dropped);
        unreadable.add();
        co_return;
    }
    auto settling = settle_exposure(report.id, hash_secret(pepper, *secret));
    auto const answer = co_await run(std::move(settling));
    auto const& key = answer.back();
    if (key.empty()) co_return;
    found.add();
    log::warning("key_exposed", {{"credentialId", to_string(key.id(0, 0))},
                                 {"organizationId", to_string(key.id(0, 1))},
                                 {"seenIn", report.seen_in},
                                 {"requestId", report.request_id}});
}

exposure::exposure(asio::io_context& context, pg::pipeline& connection, std::string pepper,
                   std::chrono::milliseconds interval, metrics::registry& metrics)
    : state_(std::make_shared<state>(context, connection, std::move(pepper), interval, metrics)) {
    spawn(context, state_->work());
}

exposure::~exposure() { stop(); }

void exposure::stop() { state_->waiting.stop(); }

} // namespace recruiting::auth_api
