#include "auth_api/agent/run/run_loop.hpp"

#include "core/text.hpp"

#include <utility>

namespace recruiting::auth_api::agent {
namespace {

constexpr auto too_many_calls =
    R"({"error":{"code":"rate_limited","message":"This run has used up its tool calls. Answer with what is known."}})";

} // namespace

run_loop::run_loop(std::vector<message> history, std::string prompt, loop_limits limits)
    : messages_(std::move(history)), history_(messages_.size()), limits_(limits) {
    messages_.push_back({speaker::user, std::move(prompt), {}, {}, {}});
}

next_step run_loop::start() {
    rounds_ = 1;
    return ask_model{limits_.rounds > 1};
}

next_step run_loop::take_reply(model_reply reply) {
    usage_ += reply.usage;
    bool const last_round = rounds_ >= limits_.rounds;
    if (reply.tool_calls.empty()) {
        if (trim(reply.content).empty()) return run_failed{failure::empty_answer};
        messages_.push_back({speaker::assistant, reply.content, {}, {}, {}});
        return run_completed{std::move(reply.content)};
    }
    if (last_round) return run_failed{failure::round_limit};
    pending_ = reply.tool_calls;
    next_pending_ = 0;
    messages_.push_back({speaker::assistant, std::move(reply.content), std::move(reply.tool_calls), {}, {}});
    return next_call_or_round();
}

next_step run_loop::take_result(std::string content, auth::reach const& used) {
    used_ |= used;
    add_result(pending_[next_pending_ - 1], std::move(content));
    return next_call_or_round();
}

// Every call of a reply gets a result, as the protocol asks, past the limit one that says so.
next_step run_loop::next_call_or_round() {
    while (next_pending_ < pending_.size()) {
        auto const& call = pending_[next_pending_++];
        if (tool_calls_ < limits_.tool_calls) {
            ++tool_calls_;
            return call_tool{call};
        }
        add_result(call, too_many_calls);
    }
    ++rounds_;
    return ask_model{rounds_ < limits_.rounds && tool_calls_ < limits_.tool_calls};
}

void run_loop::add_result(tool_call const& answered, std::string content) {
    messages_.push_back({speaker::tool, std::move(content), {}, answered.id, answered.name});
}

std::span<message const> run_loop::messages_from(std::size_t index) const noexcept {
    return std::span(messages_).subspan(index);
}

} // namespace recruiting::auth_api::agent
