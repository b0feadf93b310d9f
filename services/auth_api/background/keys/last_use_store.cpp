#include "auth_api/background/keys/last_use_store.hpp"

namespace recruiting::auth_api {
namespace {

constexpr auto as_last_use_worker_sql = "SELECT set_config('recruiting.worker', 'last_use', true)";

// Another thread may have written a later use, or the same minute: then nothing changes. Locked in the order of the
// ids, because other threads write the same keys at the same time.
constexpr auto update_sql = R"sql(
WITH due AS (
    SELECT k.id, u.used_at, u.address
      FROM recruiting.api_keys k
      JOIN unnest($1::uuid[], $2::timestamptz[], $3::inet[]) AS u (id, used_at, address) ON u.id = k.id
     WHERE k.last_used_at IS NULL OR k.last_used_at < u.used_at
     ORDER BY k.id FOR NO KEY UPDATE OF k
)
UPDATE recruiting.api_keys k SET last_used_at = due.used_at, last_used_ip = due.address
  FROM due WHERE k.id = due.id
)sql";

} // namespace

std::vector<pg::statement> write_last_uses(std::vector<key_use> const& uses) {
    std::vector<std::string> ids;
    std::vector<std::string> times;
    std::vector<std::string> addresses;
    for (auto const& use : uses) {
        ids.push_back(to_string(use.credential));
        times.push_back(format_time_micros(use.at));
        addresses.push_back(to_string(use.address));
    }
    pg::statement update{update_sql, {}};
    update.params.text_array(ids).text_array(times).text_array(addresses);
    return {{as_last_use_worker_sql, {}}, update};
}

} // namespace recruiting::auth_api
