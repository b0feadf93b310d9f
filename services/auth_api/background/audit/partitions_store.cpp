#include "auth_api/background/audit/partitions_store.hpp"

namespace recruiting::auth_api {
namespace {

// Dropping a partition locks the whole audit log. Whoever waits for that lock makes every request's audit row wait
// behind it: so give up soon and come again. Looking for unsealed rows in a partition may take longer than a request's
// statement may.
constexpr auto limits_sql =
    "SELECT set_config('lock_timeout', '500ms', true), set_config('statement_timeout', '60s', true)";
constexpr auto make_sql = "SELECT recruiting.make_audit_partitions($1::boolean)";
constexpr auto drop_partitions_sql = "SELECT recruiting.drop_audit_partitions(make_interval(secs => $1::bigint))";

} // namespace

std::vector<pg::statement> make_audit_partitions(bool daily) {
    return {{limits_sql, {}}, {make_sql, pg::params().boolean(daily)}};
}

std::vector<pg::statement> drop_audit_partitions(std::chrono::milliseconds older_than) {
    pg::statement drop{drop_partitions_sql, {}};
    drop.params.integer(std::chrono::duration_cast<std::chrono::seconds>(older_than).count());
    return {{limits_sql, {}}, drop};
}

} // namespace recruiting::auth_api
