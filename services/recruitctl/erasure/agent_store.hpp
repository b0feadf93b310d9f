// The agent's sessions that name a person: what was asked, found and answered in them is kept as text.
#pragma once
#include "pg/client.hpp"
#include "recruitctl/erasure/person_store.hpp"

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace recruiting::recruitctl::erasure {

struct agent_text {
    uuid session_id;
    std::string_view kind; // title, idempotencyKey, reply; of messages user, assistant, tool
    timestamp written_at;
    std::string_view text;
};
/// Reads the texts of all sessions of the organization, some sessions at a time, those of one after the other.
void read_agent_texts(pg::client& database, uuid const& organization_id,
                      std::function<void(agent_text const&)> const& take);

struct named_session {
    uuid id;
    named_by how{named_by::nothing};
    std::string title;
};
/// In the order in which they were begun.
[[nodiscard]] std::vector<named_session> find_sessions(pg::client& database, person const& of);

/// Waits until the runs of the organization that are in progress now have ended, or their processes have. What they
/// have read of a record by now is written down then. note: called once when there are any, with their number.
void await_runs(pg::client& database, uuid const& organization_id, std::function<void(std::size_t)> const& note);

/// Deletes a session with its runs and messages, as soon as no run of it is in progress.
void delete_session(pg::client& database, uuid const& session_id);

} // namespace recruiting::recruitctl::erasure
