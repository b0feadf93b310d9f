#include "auth_api/agent/run/sessions_json.hpp"

#include "auth_api/agent/run/run_record.hpp"

namespace recruiting::auth_api {
namespace {

void write_usage(http::json_writer& json, pg::rows const& rows, int row, int first) {
    json.key("usage")
        .open_object()
        .field("inputTokens", rows.integer(row, first))
        .field("outputTokens", rows.integer(row, first + 1))
        .close_object();
}

void write_message(http::json_writer& json, pg::rows const& messages, int row) {
    json.open_object()
        .field("id", messages.id(row, 0))
        .field("role", messages.text(row, 1))
        .field("content", messages.text(row, 2))
        .key("toolCalls");
    if (messages.is_null(row, 3)) json.null();
    else json.raw(messages.text(row, 3));
    json.field("toolName", messages.optional_text(row, 4)).field("createdAt", messages.time(row, 5)).close_object();
}

} // namespace

void write_session_members(http::json_writer& json, pg::rows const& rows, int row) {
    json.field("id", rows.id(row, 0))
        .field("title", rows.text(row, 4))
        .field("status", rows.text(row, 5))
        .field("memberId", rows.id(row, 6))
        .field("credentialId", rows.id(row, 7))
        .field("runCount", rows.integer(row, 8))
        .field("messageCount", rows.integer(row, 9));
    write_usage(json, rows, row, 10);
    json.field("createdAt", rows.time(row, 1))
        .field("updatedAt", rows.time(row, 2))
        .field("lastRunAt", rows.time(row, 12));
}

void write_session_outcome(http::json_writer& json, pg::rows const& record) {
    json.field("correlationId", to_dashed_string(record.id(0, 13))).field("reply", record.optional_text(0, 14));
    if (record.text(0, 5) != "failed") return;
    json.field("error", agent::run_error).field("failedCorrelationId", to_dashed_string(record.id(0, 13)));
}

void write_session_runs(http::json_writer& json, pg::rows const& runs) {
    json.key("runs").open_array();
    for (int row = runs.size() - 1; row >= 0; --row) {
        json.open_object()
            .field("correlationId", to_dashed_string(runs.id(row, 0)))
            .field("status", runs.text(row, 1))
            .field("model", runs.text(row, 2))
            .field("startedAt", runs.time(row, 3))
            .field("finishedAt", runs.optional_time(row, 4))
            .field("toolCallCount", runs.integer(row, 5));
        write_usage(json, runs, row, 6);
        json.field("credentialId", runs.id(row, 8)).close_object();
    }
    json.close_array();
}

void write_session_messages(http::json_writer& json, pg::rows const& messages, int shown) {
    json.key("messages").open_array();
    for (int row = shown - 1; row >= 0; --row) write_message(json, messages, row);
    json.close_array();
}

} // namespace recruiting::auth_api
