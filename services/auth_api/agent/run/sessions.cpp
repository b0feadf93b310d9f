#include "auth_api/agent/run/sessions.hpp"

#include "auth_api/agent/run/sessions_json.hpp"
#include "auth_api/agent/run/sessions_store.hpp"

#include <algorithm>

namespace recruiting::auth_api {
namespace {

constexpr std::int64_t most_messages = 1000;
constexpr std::int64_t default_messages = 500;

// Whether a session has failed is told by its last run's lease: asked only where a failed one may be meant.
std::string_view session_has_status(http::value_list const& statuses) {
    bool const completed = std::ranges::find(statuses, "completed") != statuses.end();
    if (!completed) return session_is_not_completed;
    return statuses.size() == 1 ? session_is_completed : session_is_completed_or;
}

void write_session(http::json_writer& json, pg::rows const& rows, int row) {
    json.open_object();
    write_session_members(json, rows, row);
    json.close_object();
}

// results: record, runs, messages, and where the message of messagesBefore stands when it was given.
result<void> render_session(std::span<pg::rows const> results, std::int64_t limit, http::response& answer) {
    auto const& record = results[0];
    auto const& messages = results[2];
    if (record.empty()) return make_error(error_code::not_found);
    if (record.is_null(0, 13))
        return invalid_request({{"query", "correlationId", "unknown", "This session has no such run."}});
    if (results.size() > 3 && results[3].empty())
        return invalid_request({{"query", "messagesBefore", "invalid", "This session has no such message."}});
    http::json_writer json(answer.body);
    json.open_object().key("data").open_object();
    write_session_members(json, record, 0);
    write_session_outcome(json, record);
    write_session_runs(json, results[1]);
    int const shown = std::min(messages.size(), static_cast<int>(limit));
    bool const more = shown > 0 && messages.integer(0, 6) > shown;
    write_session_messages(json, messages, shown);
    json.field("hasMoreMessages", more).close_object().close_object();
    return {};
}

} // namespace

result<prepared_read> list_sessions(bind_input& in) {
    list_query list(in, session_list);
    if (auto const statuses = http::read_choices(in.query, "status", {"in_progress", "completed", "failed"}))
        list.where_any({"status", session_has_status(*statuses)}, *statuses);
    if (auto const members = http::read_ids(in.query, "memberId")) list.where_any(session_of_member, *members);
    auto statements = list.statements();
    statements.push_back(own_sessions(statements.front()));
    if (auto const checked = finish_query(in); !checked) return checked.error();
    return list.prepared(std::move(statements), [list](std::span<pg::rows const> results, render_context const& context,
                                                       http::response& answer) {
        bool const of_all = context.who.role == role::admin;
        return list.render(of_all ? results.first(1) : results.last(1), context, answer, write_session);
    });
}

result<prepared_read> get_session(bind_input& in) {
    auto const limit = in.query.integer("messagesLimit", 1, most_messages).value_or(default_messages);
    auto const before = in.query.id("messagesBefore");
    auto const run = in.query.id("correlationId");
    if (auto const checked = finish_query(in); !checked) return checked.error();
    auto const id = path_id(in);
    if (!id) return id.error();
    std::vector<pg::statement> statements{session_record(*id, run), session_runs(*id),
                                          session_messages(*id, before, limit)};
    if (before) statements.push_back(message_position(*id, *before));
    return prepared_read{std::move(statements),
                         [limit](std::span<pg::rows const> results, render_context const&, http::response& answer) {
                             return render_session(results, limit, answer);
                         },
                         nullptr};
}

} // namespace recruiting::auth_api
