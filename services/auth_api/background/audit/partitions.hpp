// Keeps the audit log's partitions, monthly or daily: makes those of the time ahead and drops those past retention, at
// start and every hour. PostgreSQL does the work (functions of its own rights); any number of instances may run this.
#pragma once
#include "async/periodic_task.hpp"
#include "pg/pipeline.hpp"

namespace recruiting::auth_api {

struct audit_partitions_settings {
    std::chrono::milliseconds retention{std::chrono::hours{400 * 24}}; // at least 30 days: PostgreSQL refuses less
    std::chrono::milliseconds interval{std::chrono::hours{1}};
    std::chrono::milliseconds retry{std::chrono::minutes{1}}; // after a failure: a lock was held, PostgreSQL was away
    bool daily{false};
};

class audit_partitions : public task_owner {
public:
    /// connection is shared by background tasks and outlives this. Its segment timeout bounds how long dropping a
    /// partition may take.
    audit_partitions(asio::io_context& context, pg::pipeline& connection, audit_partitions_settings settings);
};

} // namespace recruiting::auth_api
