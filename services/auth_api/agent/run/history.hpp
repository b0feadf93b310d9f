// A session's stored messages as the history a model is given. Pure.
#pragma once
#include "auth_api/agent/chat.hpp"
#include "auth_api/agent/run/run_record.hpp"

#include <span>
#include <vector>

namespace recruiting::auth_api::agent {

struct stored_message {
    message said;
    run_status of_run{run_status::completed};
};

/// In the order of the conversation. A run that failed may have stopped anywhere: of it only the prompt is kept, with a
/// note in the place of an answer. What stands before the first prompt (the reading was cut there) is left out.
[[nodiscard]] std::vector<message> history_of(std::span<stored_message const> stored);

/// Tool calls as they are stored and shown: [{"id","name","arguments"}]. "" for none.
[[nodiscard]] std::string tool_calls_json(std::span<tool_call const> calls);
/// Text of ours; what can't be read is no call.
[[nodiscard]] std::vector<tool_call> read_tool_calls(std::string_view json);

} // namespace recruiting::auth_api::agent
