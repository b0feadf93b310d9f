#include "public_api/exposure/exposure_store.hpp"

namespace recruiting::public_api {
namespace {

// While the pepper is being changed there can be two: the newest is the one that stays.
constexpr auto select_key_sql = "SELECT public_key FROM recruiting.exposure_keys ORDER BY created_at DESC LIMIT 1";

constexpr auto insert_sql = R"sql(
INSERT INTO recruiting.exposed_credentials
    (id, sealed, seen_in, endpoint, method, ip_address, user_agent, request_id, seen_at)
VALUES ($1, $2, $3, nullif($4, ''), $5, nullif($6, '')::inet, nullif($7, ''), $8, $9)
)sql";

} // namespace

pg::statement select_exposure_key() { return {select_key_sql, {}}; }

pg::statement insert_exposure(exposure const& seen, std::string_view sealed) {
    pg::statement out{insert_sql, {}};
    out.params.id(seen.id).bytes(sealed).text(seen.place).text(seen.endpoint).text(seen.method);
    out.params.text(seen.client).text(seen.user_agent).text(seen.request_id).time(seen.seen_at);
    return out;
}

} // namespace recruiting::public_api
