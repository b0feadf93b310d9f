#include "recruitctl/erasure/agent_store.hpp"

#include <algorithm>
#include <chrono>
#include <thread>

namespace recruiting::recruitctl::erasure {
namespace {

constexpr std::size_t sessions_at_once = 20;
constexpr std::chrono::milliseconds between_polls{200};

constexpr std::string_view select_session_ids =
    "SELECT id FROM recruiting.agent_sessions WHERE organization_id = $1 ORDER BY created_at, id";

constexpr std::string_view select_texts = R"(
SELECT session_id, kind, written_at, text FROM (
    SELECT id AS session_id, 'title' AS kind, created_at AS written_at, title AS text
      FROM recruiting.agent_sessions WHERE id = ANY ($1::uuid[])
    UNION ALL
    SELECT session_id, 'idempotencyKey', started_at, idempotency_key
      FROM recruiting.agent_runs WHERE session_id = ANY ($1::uuid[]) AND idempotency_key IS NOT NULL
    UNION ALL
    SELECT session_id, 'reply', finished_at, reply
      FROM recruiting.agent_runs WHERE session_id = ANY ($1::uuid[]) AND reply IS NOT NULL
    UNION ALL
    SELECT session_id, role, created_at, concat_ws(E'\n', content, tool_calls)
      FROM recruiting.agent_messages WHERE session_id = ANY ($1::uuid[])) AS t
 ORDER BY array_position($1::uuid[], session_id), written_at)";

// A run whose lease has expired belongs to a process that has ended: it writes nothing more.
constexpr std::string_view select_live_runs = R"(
SELECT id FROM recruiting.agent_runs
 WHERE organization_id = $1 AND status = 'in_progress' AND lease_expires_at > clock_timestamp())";

constexpr std::string_view any_is_live = R"(
SELECT EXISTS (SELECT FROM recruiting.agent_runs
                WHERE id = ANY ($1::uuid[]) AND status = 'in_progress' AND lease_expires_at > clock_timestamp()))";

// No run begins in it from now on: its row would refer to this one.
constexpr std::string_view lock_idle_session = R"(
SELECT NOT EXISTS (SELECT FROM recruiting.agent_runs r
                    WHERE r.session_id = s.id AND r.status = 'in_progress' AND r.lease_expires_at > clock_timestamp())
  FROM recruiting.agent_sessions s WHERE s.id = $1 FOR UPDATE)";

} // namespace

void read_agent_texts(pg::client& database, uuid const& organization_id,
                      std::function<void(agent_text const&)> const& take) {
    std::vector<uuid> ids;
    auto const sessions = database.run(select_session_ids, pg::params{}.id(organization_id));
    for (auto row : sessions) ids.push_back(row.id());
    std::span<uuid const> left(ids);
    while (!left.empty()) {
        auto const some = left.first(std::min(left.size(), sessions_at_once));
        left = left.subspan(some.size());
        auto const texts = database.run(select_texts, pg::params{}.id_array(some));
        for (auto row : texts) {
            agent_text one{};
            row.read(one.session_id, one.kind, one.written_at, one.text);
            take(one);
        }
    }
}

std::vector<named_session> find_sessions(pg::client& database, person const& of) {
    std::vector<named_session> found;
    named_session current;
    read_agent_texts(database, of.organization_id, [&](agent_text const& one) {
        if (one.session_id != current.id) {
            if (current.how != named_by::nothing) found.push_back(current);
            current = {one.session_id, named_by::nothing, {}};
        }
        if (one.kind == "title") current.title = one.text;
        if (current.how != named_by::id) current.how = std::max(current.how, of.named.find(one.text));
    });
    if (current.how != named_by::nothing) found.push_back(current);
    return found;
}

void await_runs(pg::client& database, uuid const& organization_id, std::function<void(std::size_t)> const& note) {
    std::vector<uuid> runs;
    auto const live = database.run(select_live_runs, pg::params{}.id(organization_id));
    for (auto row : live) runs.push_back(row.id());
    if (runs.empty()) return;
    note(runs.size());
    while (database.run(any_is_live, pg::params{}.id_array(runs)).boolean(0, 0))
        std::this_thread::sleep_for(between_polls);
}

void delete_session(pg::client& database, uuid const& session_id) {
    auto const id = pg::params{}.id(session_id);
    for (;; std::this_thread::sleep_for(between_polls)) {
        pg::transaction transaction(database);
        auto const idle = database.run(lock_idle_session, id);
        if (idle.empty()) return; // retention was faster
        if (!idle.boolean(0, 0)) continue;
        database.run("DELETE FROM recruiting.agent_messages WHERE session_id = $1", id);
        database.run("DELETE FROM recruiting.agent_runs WHERE session_id = $1", id);
        database.run("DELETE FROM recruiting.agent_sessions WHERE id = $1", id);
        return transaction.commit();
    }
}

} // namespace recruiting::recruitctl::erasure
