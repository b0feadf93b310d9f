// Writing audit rows: many at a time, in one statement.
#pragma once
#include "core/ids.hpp"
#include "core/time.hpp"
#include "pg/params.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace recruiting::audit {

// One row of the audit log (specification: Authentication, 10; design: Audit). Prompts and candidates' data never go
// in.

struct event {
    uuid id{new_record_id()};
    timestamp occurred_at{system_time().now()};
    uuid organization_id;
    std::optional<uuid> credential_id;
    std::string credential_name;       // empty texts are stored as NULL
    std::string actor_type{"api_key"}; // api_key, member, agent, system
    std::optional<uuid> actor_member_id;
    std::string actor_email;
    std::string actor_role;
    std::string action; // api.request, key.revoked, …
    std::string method;
    std::string endpoint; // the route's template
    std::string path;     // without the query string
    std::string target_type;
    std::string target_id;
    std::optional<int> status_code;
    bool success{true};
    std::string error_code;
    std::string required_scope;
    std::string ip_address;
    std::string user_agent;
    std::string request_id;
    std::optional<uuid> session_id;
    std::optional<uuid> correlation_id;
    std::optional<std::int64_t> duration_ms;
    bool credential_refused{
        false}; // not a column: of such rows only some a minute and key are written, the rest counted
};

[[nodiscard]] pg::statement insert_events(std::span<event const> events);

/// For events whose credential is refused. Over all instances, single_rows of them a minute and key become rows of
/// their own: the result's rows are their ids. The others are counted, as durably. counters: of each event, the zero id
/// or an instance's own once it knows that the minute of that key is full.
[[nodiscard]] pg::statement count_refused_events(std::span<event const> events, std::span<uuid const> counters,
                                                 std::int64_t single_rows);
/// Turns the counts of minutes that have ended into one row a minute and key. Its one row: how many were written.
[[nodiscard]] pg::statement write_refused_counts();

} // namespace recruiting::audit
