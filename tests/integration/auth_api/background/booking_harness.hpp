// Shared by the tests of booking: an organization that interviews, in a database of its own, and booking requests as
// the public side writes them.
#pragma once
#include "auth_api/background/tasks.hpp"
#include "integration/auth_api/background/audit_harness.hpp"
#include "support/database.hpp"

#include <string>

namespace recruiting::test {

/// A worker with its connection, as auth-api has it.
struct running_booking_worker {
    running_booking_worker(event_loop& loop, std::string const& url, auth_api::booking::booking_settings settings = {});

    metrics::registry metrics;
    pg::pipeline connection;
    task_owner worker;
};

class booking_system {
public:
    booking_system();

    /// Another organization with a job and a stage in the same database: everything from now on is its.
    void add_organization();
    uuid add_interviewer();
    /// A slot of 45 minutes that begins in so many hours; join_url may be empty.
    uuid open_slot(uuid const& interviewer, int in_hours, std::string const& join_url = {});
    /// An active application on the job's stage. Returns its id.
    uuid add_candidate(std::string const& email);
    /// As recruiting_public, for the time a slot in so many hours begins.
    void ask(std::string const& email, int in_hours, std::string const& time_zone = {},
             std::string const& language = {});
    /// Runs a worker, or two at once, until no request is waiting.
    void work(auth_api::booking::booking_settings settings = {}, int workers = 1);

    [[nodiscard]] timestamp at(int in_hours) const { return origin + std::chrono::hours{in_hours}; }
    void change(std::string const& sql);
    [[nodiscard]] std::string value(std::string const& sql);
    /// "audience kind" of each mail written so far, sorted, comma-separated.
    [[nodiscard]] std::string mails();
    [[nodiscard]] std::string waiting() { return value("SELECT count(*) FROM recruiting.booking_requests"); }

    test_database database;
    std::string slug;
    uuid organization;
    uuid job;
    uuid stage;
    timestamp origin = std::chrono::floor<std::chrono::hours>(system_time().now());

private:
    int interviewers_{0};
};

} // namespace recruiting::test
