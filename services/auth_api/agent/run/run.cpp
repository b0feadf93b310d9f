#include "auth_api/agent/run/run.hpp"

#include "core/text.hpp"
#include "http/json_writer.hpp"

#include <array>
#include <boost/json.hpp>
#include <stdexcept>
#include <utility>

namespace recruiting::auth_api::agent {
namespace {

namespace json = boost::json;

constexpr auto failed_note = "(This run did not complete; it may have had effects.)";

constexpr auto too_many_calls =
    R"({"error":{"code":"rate_limited","message":"This run has used up its tool calls. Answer with what is known."}})";
constexpr std::array<std::string_view, 3> status_names = {"in_progress", "completed", "failed"};

std::string text_of(json::object const& from, std::string_view name) {
    auto const* const found = from.if_contains(name);
    auto const* const text = found == nullptr ? nullptr : found->if_string();
    return text == nullptr ? std::string() : std::string(*text);
}

} // namespace

std::vector<message> history_of(std::span<stored_message const> stored) {
    std::vector<message> history;
    for (auto const& entry : stored) {
        bool const prompt = entry.message.from == message_role::user;
        if (history.empty() && !prompt) continue;
        if (entry.of_run == run_status::completed) {
            history.push_back(entry.message);
        } else if (prompt) {
            history.push_back(entry.message);
            history.push_back({message_role::assistant, failed_note, {}, {}, {}});
        }
    }
    return history;
}

std::string tool_calls_json(std::span<tool_call const> calls) {
    std::string out;
    if (calls.empty()) return out;
    http::json_writer json(out);
    json.open_array();
    for (auto const& call : calls) {
        json.open_object();
        json.field("id", call.id).field("name", call.name);
        json.field("arguments", call.arguments).close_object();
    }
    json.close_array();
    return out;
}

std::vector<tool_call> read_tool_calls(std::string_view text) {
    std::vector<tool_call> calls;
    boost::system::error_code error;
    auto const parsed = json::parse(text, error);
    if (error || !parsed.is_array()) return calls;
    for (auto const& entry : parsed.get_array())
        if (auto const* const call = entry.if_object())
            calls.push_back({text_of(*call, "id"), text_of(*call, "name"), text_of(*call, "arguments")});
    return calls;
}

run_status parse_run_status(std::string_view text) {
    for (std::size_t i = 0; i < status_names.size(); ++i)
        if (status_names[i] == text) return static_cast<run_status>(i);
    throw std::logic_error("no status of a run: " + std::string(text));
}

std::string_view to_string(run_status status) noexcept { return status_names[static_cast<std::size_t>(status)]; }

run_status effective_status(run_record const& run) noexcept {
    return run.status == run_status::in_progress && run.lease_expired ? run_status::failed : run.status;
}

invoke_action decide(bool names_session, found_state const& found, auth::access const& allowed) noexcept {
    if (names_session && !found.session_known) return invoke_action::not_found;
    bool const shows_records = names_session || (found.run && found.run->status == run_status::completed);
    if (shows_records && !allowed.covers(found.used)) return invoke_action::beyond_access;
    if (!found.run) return invoke_action::begin;
    if (found.run->status == run_status::in_progress && found.run->lease_expired) return invoke_action::fail_expired;
    return names_session ? invoke_action::busy : invoke_action::answer;
}

run_loop::run_loop(std::vector<message> history, std::string prompt, loop_limits limits)
    : messages_(std::move(history)), history_(messages_.size()), limits_(limits) {
    messages_.push_back({message_role::user, std::move(prompt), {}, {}, {}});
}

next_step run_loop::start() {
    rounds_ = 1;
    return ask_model{limits_.rounds > 1};
}

next_step run_loop::take_reply(model_reply reply) {
    usage_ += reply.usage;
    bool const last_round = rounds_ >= limits_.rounds;
    if (reply.calls_in_text) return run_failed{failure::tool_parser_missing};
    if (reply.tool_calls.empty()) {
        if (trim(reply.content).empty()) return run_failed{failure::empty_answer};
        messages_.push_back({message_role::assistant, reply.content, {}, {}, {}});
        return run_completed{std::move(reply.content)};
    }
    if (last_round) return run_failed{failure::round_limit};
    pending_ = reply.tool_calls;
    next_pending_ = 0;
    messages_.push_back({message_role::assistant, std::move(reply.content), std::move(reply.tool_calls), {}, {}});
    return next_call_or_round();
}

next_step run_loop::take_result(std::string content, auth::access const& used) {
    used_ |= used;
    add_result(pending_[next_pending_ - 1], std::move(content));
    return next_call_or_round();
}

// Every call of a reply gets a result, as the protocol asks, past the limit a refusal.
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
    messages_.push_back({message_role::tool, std::move(content), {}, answered.id, answered.name});
}

std::span<message const> run_loop::messages_from(std::size_t index) const noexcept {
    return std::span(messages_).subspan(index);
}

} // namespace recruiting::auth_api::agent
