#include "auth/api_key.hpp"
#include "auth_api/background/tasks.hpp"
#include "core/ids.hpp"
#include "core/log.hpp"
#include "core/text.hpp"
#include "crypto/digest.hpp"
#include "pg/periodic_task.hpp"

#include <vector>

namespace recruiting::auth_api {
namespace {

constexpr std::int64_t most_at_once = 100;

constexpr auto publish_sql =
    "INSERT INTO recruiting.exposure_keys (public_key) VALUES ($1) ON CONFLICT (public_key) DO NOTHING";

// Of another pepper: no key is stored under it any more, so nothing sealed to it could be distinguished from an
// invented one.
constexpr auto remove_others_sql = "DELETE FROM recruiting.exposure_keys WHERE public_key <> $1";

constexpr auto select_sql = R"sql(
SELECT id, sealed, seen_in, coalesce(request_id, '') FROM recruiting.exposed_credentials ORDER BY seen_at, id LIMIT $1
)sql";
struct report_columns {
    enum : int { id, sealed, seen_in, request_id };
};

// presented_credential shows the key of this hash only, whatever its state and its owner's.
constexpr auto present_sql = "SELECT set_config('recruiting.secret_hash', $1::text, true)";

// The deletion decides: of two workers with the same report one gets the row. The time is the reporter's, within what
// the log has partitions for.
constexpr auto resolve_sql = R"sql(
WITH gone AS (
    DELETE FROM recruiting.exposed_credentials WHERE id = $1 RETURNING *
), exposed AS (
    SELECT c.id AS key_id, c.organization_id, c.name, g.*
      FROM gone g CROSS JOIN recruiting.presented_credential c
), written AS (
    INSERT INTO recruiting.audit_log (id, occurred_at, organization_id, credential_id, credential_name, actor_type,
        action, method, endpoint, target_type, target_id, status_code, success, error_code, ip_address, user_agent,
        request_id)
    SELECT $2, least(greatest(seen_at, now() - interval '7 days'), now()), organization_id, key_id, name, 'system',
           'key.exposed', method, endpoint, 'api_key', replace(key_id::text, '-', ''), 400, false,
           'credential_not_allowed', ip_address, user_agent, request_id
      FROM exposed
)
SELECT key_id, organization_id FROM exposed
)sql";
struct exposed_key_columns {
    enum : int { credential_id, organization_id };
};

constexpr auto drop_credential_sql = "DELETE FROM recruiting.exposed_credentials WHERE id = $1";

struct sealed_report {
    uuid id;
    std::string sealed;
    std::string seen_in;
    std::string request_id;
};

std::vector<sealed_report> read_reports(pg::rows const& rows) {
    std::vector<sealed_report> out;
    using columns = report_columns;
    for (int row = 0; row < rows.size(); ++row)
        out.push_back({rows.id(row, columns::id), std::string(rows.bytes(row, columns::sealed)),
                       std::string(rows.text(row, columns::seen_in)),
                       std::string(rows.text(row, columns::request_id))});
    return out;
}

struct exposure_task final : pg::periodic_task {
    exposure_task(asio::io_context& context, pg::pipeline& connection, std::string p, std::chrono::milliseconds every,
                  metrics::registry& metrics)
        : pg::periodic_task(context, connection, every, "exposures_failed"), pepper(std::move(p)),
          keys(exposure_keys(pepper)), found(metrics.add_counter("recruiting_auth_api_exposed_keys_total",
                                                                 "Existing keys that were sent to the public API.")),
          unreadable(metrics.add_counter("recruiting_auth_api_exposed_key_reports_undecryptable_total",
                                         "Reports of exposed keys that were encrypted with another pepper.")) {}

    task<std::chrono::milliseconds> round() override;
    task<bool> resolve_or_log(sealed_report report);
    task<void> resolve(sealed_report report);

    std::string pepper;
    box_keys keys;
    metrics::counter& found;
    metrics::counter& unreadable;
};

// Publishes the key to seal to, removes those of other peppers, and resolves what waits, the oldest first. A round that
// resolved as many reports as it may is followed by the next at once.
task<std::chrono::milliseconds> exposure_task::round() {
    std::vector<pg::statement> segment = {pg::as_worker("exposure"),
                                          {publish_sql, pg::params().bytes(keys.public_key)},
                                          {remove_others_sql, pg::params().bytes(keys.public_key)},
                                          {select_sql, pg::params().integer(most_at_once)}};
    auto const answer = co_await run(std::move(segment));
    auto reports = read_reports(answer.back());
    std::int64_t resolved = 0;
    for (auto& report : reports) {
        bool const done = co_await resolve_or_log(std::move(report));
        resolved += static_cast<std::int64_t>(done);
    }
    co_return resolved < most_at_once ? interval() : std::chrono::milliseconds{0};
}

// A statement that fails for one report leaves the others alone; this report comes again in the next round.
task<bool> exposure_task::resolve_or_log(sealed_report report) {
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

// Deletes the report and, where the secret is a key's, writes the audit row; both or neither.
task<void> exposure_task::resolve(sealed_report report) {
    std::vector<pg::statement> segment = {pg::as_worker("exposure")};
    auto const secret = open_sealed(report.sealed, keys);
    if (secret) {
        auto const hash = hash_secret(pepper, *secret);
        segment.push_back({present_sql, pg::params().text(to_hex(bytes_of(hash)))});
        segment.push_back({resolve_sql, pg::params().id(report.id).id(new_record_id())});
    } else {
        segment.push_back({drop_credential_sql, pg::params().id(report.id)});
    }
    auto const answer = co_await run(std::move(segment));
    if (!secret) unreadable.add();
    auto const& exposed = answer.back();
    if (!secret || exposed.empty()) co_return; // the secret is no key's, or another worker has resolved the report
    found.add();
    using columns = exposed_key_columns;
    log::warning("key_exposed", {{"credentialId", to_string(exposed.id(0, columns::credential_id))},
                                 {"organizationId", to_string(exposed.id(0, columns::organization_id))},
                                 {"seenIn", report.seen_in},
                                 {"requestId", report.request_id}});
}

} // namespace

exposure_resolver::exposure_resolver(asio::io_context& context, pg::pipeline& connection, std::string pepper,
                                     std::chrono::milliseconds interval, metrics::registry& metrics)
    : task_owner(std::make_shared<exposure_task>(context, connection, std::move(pepper), interval, metrics)) {}

} // namespace recruiting::auth_api
