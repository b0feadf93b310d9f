#include "auth_api/background/keys/exposure.hpp"

#include "auth/api_key.hpp"
#include "auth_api/background/keys/exposure_store.hpp"
#include "core/log.hpp"
#include "pg/periodic_task.hpp"

namespace recruiting::auth_api {
namespace {

constexpr std::int64_t most_at_once = 100;

struct exposure_task final : pg::periodic_task {
    exposure_task(asio::io_context& context, pg::pipeline& connection, std::string p, std::chrono::milliseconds every,
                  metrics::registry& metrics)
        : pg::periodic_task(context, connection), pepper(std::move(p)), keys(exposure_keys(pepper)), interval(every),
          found(metrics.add_counter("recruiting_auth_api_exposed_keys_total",
                                    "Real keys that were sent to the public API.")),
          unreadable(metrics.add_counter("recruiting_auth_api_exposures_unreadable_total",
                                         "Reports that could not be opened: sealed under another pepper.")) {}

    task<std::chrono::milliseconds> round() override;
    std::chrono::milliseconds failed(std::exception const& error) override;
    task<bool> resolve_or_log(exposure_report report);
    task<void> resolve(exposure_report report);

    std::string pepper;
    box_keys keys;
    std::chrono::milliseconds interval;
    metrics::counter& found;
    metrics::counter& unreadable;
};

std::chrono::milliseconds exposure_task::failed(std::exception const& error) {
    pg::log_failed_round("exposures_failed", error);
    return interval;
}

// A round that resolved as many reports as it may is followed by the next at once.
task<std::chrono::milliseconds> exposure_task::round() {
    auto beginning = begin_exposure_round(keys.public_key, most_at_once);
    auto const answer = co_await run(std::move(beginning));
    auto reports = read_reports(answer);
    std::int64_t resolved = 0;
    for (auto& report : reports) {
        bool const done = co_await resolve_or_log(std::move(report));
        resolved += static_cast<std::int64_t>(done);
    }
    co_return resolved < most_at_once ? interval : std::chrono::milliseconds{0};
}

// What one report fails of is its own: the others go on, and it comes again in the next round.
task<bool> exposure_task::resolve_or_log(exposure_report report) {
    auto const id = report.id;
    try {
        co_await resolve(std::move(report));
        co_return true;
    } catch (pg::query_error const& error) {
        if (is_stopped()) throw outage("stopped");
        log::write(pg::severity(error), "exposure_failed",
                   {{"reportId", to_string(id)}, {"sqlstate", error.sqlstate()}});
        co_return false;
    }
}

task<void> exposure_task::resolve(exposure_report report) {
    auto const secret = open_sealed(report.sealed, keys);
    if (!secret) {
        auto dropping = drop_report(report.id);
        auto const dropped = co_await run(std::move(dropping));
        static_cast<void>(dropped);
        unreadable.add();
        co_return;
    }
    auto resolving = resolve_report(report.id, hash_secret(pepper, *secret));
    auto const answer = co_await run(std::move(resolving));
    auto const key = read_exposed_key(answer);
    if (!key) co_return;
    found.add();
    log::warning("key_exposed", {{"credentialId", to_string(key->credential_id)},
                                 {"organizationId", to_string(key->organization_id)},
                                 {"seenIn", report.seen_in},
                                 {"requestId", report.request_id}});
}

} // namespace

exposure::exposure(asio::io_context& context, pg::pipeline& connection, std::string pepper,
                   std::chrono::milliseconds interval, metrics::registry& metrics)
    : task_owner(std::make_shared<exposure_task>(context, connection, std::move(pepper), interval, metrics)) {}

} // namespace recruiting::auth_api
