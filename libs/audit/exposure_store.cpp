#include "audit/exposure_store.hpp"

namespace recruiting::audit {
namespace {

struct exposure_key_columns {
    enum : int { public_key };
};

// While the pepper is being changed there can be two keys; the newest one stays.
constexpr auto exposure_key_sql = "SELECT public_key FROM recruiting.exposure_keys ORDER BY created_at DESC LIMIT 1";

constexpr auto insert_exposure_sql = R"sql(
INSERT INTO recruiting.exposed_credentials
    (id, sealed, seen_in, endpoint, method, ip_address, user_agent, request_id, seen_at)
VALUES ($1, $2, $3, nullif($4, ''), $5, nullif($6, '')::inet, nullif($7, ''), $8, $9)
)sql";

} // namespace

pg::statement select_exposure_key() { return {exposure_key_sql, {}}; }

std::string_view read_exposure_key(pg::rows const& rows) {
    return rows.empty() ? std::string_view() : rows.bytes(0, exposure_key_columns::public_key);
}

pg::statement insert_exposure_report(exposure_report const& report, std::string_view sealed) {
    pg::statement out{insert_exposure_sql, {}};
    out.params.id(report.id).bytes(sealed).text(report.place).text(report.endpoint).text(report.method);
    out.params.text(report.client).text(report.user_agent).text(report.request_id).time(report.seen_at);
    return out;
}

} // namespace recruiting::audit
