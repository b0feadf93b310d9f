#include "auth_api/agent/model/chat_completion.hpp"
#include "core/text.hpp"

#include <algorithm>
#include <string>

namespace recruiting::auth_api::agent {
namespace {

constexpr std::size_t bytes_per_token = 3;
// Role, separators, and the fence around a tool's result.
constexpr std::int64_t message_tokens = 8;
constexpr std::int64_t fence_tokens = 34;
constexpr std::string_view truncation_note = "\n[The rest was left out: the conversation is too long. Ask for less.]";

std::int64_t total(std::span<message const> messages) {
    std::int64_t sum = 0;
    for (auto const& one : messages) sum += estimate_tokens(one);
    return sum;
}

// Where the newest turns begin that fit into so many tokens.
std::size_t first_kept(std::span<message const> history, std::int64_t tokens) {
    auto kept = history.size();
    std::int64_t sum = 0;
    for (auto at = history.size(); at-- > 0;) {
        sum += estimate_tokens(history[at]);
        if (sum > tokens) break;
        if (history[at].from == message_role::user) kept = at;
    }
    return kept;
}

void cut(message& result, std::size_t bytes) {
    auto const whole = result.content.size();
    if (whole <= truncation_note.size()) return;
    auto const left = whole - std::min(whole, bytes + truncation_note.size());
    result.content.resize(truncate_utf8(result.content, left).size());
    result.content += truncation_note;
}

bool answers(message const& result, std::vector<tool_call> const& calls) {
    return std::any_of(calls.begin(), calls.end(), [&](auto const& call) { return call.id == result.tool_call_id; });
}

// The assistant's message at `at`, and the results that follow it.
std::size_t copy_with_results(std::span<message const> all, std::size_t at, std::vector<message>& out) {
    auto end = at + 1;
    while (end < all.size() && all[end].from == message_role::tool) ++end;
    auto const results = all.subspan(at + 1, end - at - 1);
    auto message = all[at];
    std::erase_if(message.tool_calls, [&](tool_call const& call) {
        return std::none_of(results.begin(), results.end(),
                            [&](auto const& one) { return one.tool_call_id == call.id; });
    });
    if (message.tool_calls.empty() && message.content.empty()) return end;
    auto const calls = message.tool_calls;
    out.push_back(std::move(message));
    std::copy_if(results.begin(), results.end(), std::back_inserter(out),
                 [&](auto const& one) { return answers(one, calls); });
    return end;
}

std::vector<message> well_formed(std::span<message const> all) {
    std::vector<message> out;
    out.reserve(all.size());
    for (std::size_t at = 0; at < all.size();) {
        if (all[at].from == message_role::assistant) {
            at = copy_with_results(all, at, out);
            continue;
        }
        if (all[at].from == message_role::user) out.push_back(all[at]);
        ++at;
    }
    return out;
}

} // namespace

std::int64_t estimate_tokens(std::size_t bytes) noexcept {
    return static_cast<std::int64_t>((bytes + bytes_per_token - 1) / bytes_per_token);
}

std::int64_t estimate_tokens(message const& message) noexcept {
    auto bytes = message.content.size() + message.tool_call_id.size();
    for (auto const& call : message.tool_calls) bytes += call.id.size() + call.name.size() + call.arguments.size();
    auto const around = message.from == message_role::tool ? fence_tokens : 0;
    auto const per_call = static_cast<std::int64_t>(message.tool_calls.size()) * message_tokens;
    return estimate_tokens(bytes) + message_tokens + around + per_call;
}

std::vector<message> fit_context(std::span<message const> messages, std::size_t history, std::int64_t tokens) {
    auto const before = messages.first(history);
    auto current = well_formed(messages.subspan(history));
    auto left = tokens - total(current);
    for (auto& one : current) {
        if (left >= 0) break;
        if (one.from != message_role::tool) continue;
        auto const was = estimate_tokens(one);
        cut(one, static_cast<std::size_t>(-left) * bytes_per_token);
        left += was - estimate_tokens(one);
    }
    auto kept = well_formed(before.subspan(first_kept(before, left)));
    kept.insert(kept.end(), std::make_move_iterator(current.begin()), std::make_move_iterator(current.end()));
    return kept;
}

} // namespace recruiting::auth_api::agent
