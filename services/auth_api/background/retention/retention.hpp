// Deletes what is past its retention or its expiry, in batches, at start and every hour: one table of statements. Any
// number of instances may run it.
#pragma once
#include "async/periodic_task.hpp"
#include "pg/pipeline.hpp"

#include <chrono>
#include <optional>
#include <string_view>
#include <vector>

namespace recruiting::auth_api {

/// Below recruiting.retention_floors PostgreSQL refuses to delete agent sessions, and keeps mails.
struct retention_settings {
    std::chrono::milliseconds agent_sessions;     // since their last run
    std::chrono::milliseconds unmatched_requests; // since they were last received
    std::chrono::milliseconds mails;              // since they were sent or dead-lettered
};

struct expired_records {
    std::string_view kind;   // as the log names it
    std::string_view worker; // whose rows row-level security shows; "": a function of its own rights deletes
    std::int64_t batch;
    std::string_view sql;                                 // $1: the batch, $2: this program's time, $3: retention
    std::optional<std::chrono::milliseconds> retention{}; // none: the record itself says when it expires
};

[[nodiscard]] std::vector<expired_records> expired_records_of(retention_settings const& settings);
[[nodiscard]] pg::statement delete_batch(expired_records const& of);

/// connection outlives the task's owner.
[[nodiscard]] task_owner start_retention(asio::io_context& context, pg::pipeline& connection,
                                         retention_settings const& settings);

} // namespace recruiting::auth_api
