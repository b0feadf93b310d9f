// A periodic task on a PostgreSQL connection of its own, or of all background tasks.
#pragma once
#include "async/periodic_task.hpp"
#include "pg/error.hpp"
#include "pg/pipeline.hpp"

#include <algorithm>

namespace recruiting::pg {

/// For failed(): logs that a statement failed; the connection itself logs outages; anything else is a bug and is thrown
/// again, which ends the program.
inline void log_failed_round(std::string_view event, std::exception const& error) {
    if (auto const* const refusal = dynamic_cast<query_error const*>(&error))
        log::write(severity(error), event, {{"sqlstate", refusal->sqlstate()}, {"constraint", refusal->constraint()}});
    else if (dynamic_cast<outage const*>(&error) == nullptr) throw;
}

/// The first statement of a worker's segment: row-level security shows a worker its rows by this name.
[[nodiscard]] inline statement as_worker(std::string_view name) {
    return {"SELECT set_config('recruiting.worker', $1, true)", params().text(name)};
}

class periodic_task : public recruiting::periodic_task {
protected:
    /// connection outlives the task's owner. A failed statement is logged as failure_event; while PostgreSQL is
    /// unavailable, the next round begins after a second, or after the interval if that is shorter.
    periodic_task(asio::io_context& context, pipeline& connection, std::chrono::milliseconds interval,
                  std::string_view failure_event)
        : recruiting::periodic_task(context), connection_(connection), interval_(interval),
          failure_event_(failure_event) {}
    /// For a task with a failed() of its own.
    periodic_task(asio::io_context& context, pipeline& connection)
        : periodic_task(context, connection, std::chrono::milliseconds{0}, {}) {}

    [[nodiscard]] pipeline& connection() const noexcept { return connection_; }
    [[nodiscard]] std::chrono::milliseconds interval() const noexcept { return interval_; }
    [[nodiscard]] std::chrono::milliseconds failed(std::exception const& error) override {
        if (failure_event_.empty()) throw;
        log_failed_round(failure_event_, error);
        bool const unavailable = dynamic_cast<outage const*>(&error) != nullptr;
        return unavailable ? std::min(interval_, std::chrono::milliseconds{1'000}) : interval_;
    }
    /// Throws outage when the task was stopped meanwhile: connection and metrics may be gone then.
    [[nodiscard]] task<std::vector<rows>> run(std::vector<statement> segment, traced how = {}) {
        auto answer = co_await pg::run(connection_, std::move(segment), how);
        if (is_stopped()) throw outage("stopped");
        co_return answer;
    }

private:
    pipeline& connection_;
    std::chrono::milliseconds interval_;
    std::string_view failure_event_;
};

} // namespace recruiting::pg
