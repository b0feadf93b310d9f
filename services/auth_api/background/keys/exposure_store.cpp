#include "auth_api/background/keys/exposure_store.hpp"

#include "core/text.hpp"

namespace recruiting::auth_api {
namespace {

constexpr auto as_exposure_worker_sql = "SELECT set_config('recruiting.worker', 'exposure', true)";

constexpr auto publish_sql =
    "INSERT INTO recruiting.exposure_keys (public_key) VALUES ($1) ON CONFLICT (public_key) DO NOTHING";

// Of another pepper: no key is stored under it any more, so nothing sealed to it could be told from a made-up one.
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

} // namespace

std::vector<pg::statement> begin_exposure_round(std::string_view public_key, std::int64_t most) {
    pg::statement publish{publish_sql, {}};
    publish.params.bytes(public_key);
    pg::statement remove{remove_others_sql, {}};
    remove.params.bytes(public_key);
    pg::statement select{select_sql, {}};
    select.params.integer(most);
    return {{as_exposure_worker_sql, {}}, publish, remove, select};
}

std::vector<exposure_report> read_reports(std::vector<pg::rows> const& of_round) {
    auto const& rows = of_round.at(3);
    std::vector<exposure_report> out;
    using columns = report_columns;
    for (int row = 0; row < rows.size(); ++row)
        out.push_back({rows.id(row, columns::id), std::string(rows.bytes(row, columns::sealed)),
                       std::string(rows.text(row, columns::seen_in)),
                       std::string(rows.text(row, columns::request_id))});
    return out;
}

std::optional<exposed_key> read_exposed_key(std::vector<pg::rows> const& answer) {
    auto const& rows = answer.back();
    if (rows.empty()) return std::nullopt;
    return exposed_key{rows.id(0, exposed_key_columns::credential_id),
                       rows.id(0, exposed_key_columns::organization_id)};
}

std::vector<pg::statement> resolve_report(uuid const& report, digest const& secret_hash) {
    pg::statement present{present_sql, {}};
    present.params.text(to_hex(bytes_of(secret_hash)));
    pg::statement resolve{resolve_sql, {}};
    resolve.params.id(report).id(new_record_id());
    return {{as_exposure_worker_sql, {}}, present, resolve};
}

std::vector<pg::statement> drop_report(uuid const& report) {
    pg::statement drop{drop_credential_sql, {}};
    drop.params.id(report);
    return {{as_exposure_worker_sql, {}}, drop};
}

} // namespace recruiting::auth_api
