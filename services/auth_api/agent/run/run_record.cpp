#include "auth_api/agent/run/run_record.hpp"

#include "http/json_writer.hpp"

#include <array>
#include <boost/json.hpp>
#include <stdexcept>

namespace recruiting::auth_api::agent {
namespace {

namespace json = boost::json;

constexpr auto failed_note = "(This run did not complete; it may have had effects.)";

std::string text_of(json::object const& from, std::string_view name) {
    auto const* const found = from.if_contains({name.data(), name.size()});
    auto const* const text = found == nullptr ? nullptr : found->if_string();
    return text == nullptr ? std::string() : std::string(text->data(), text->size());
}

} // namespace

std::vector<message> history_of(std::span<stored_message const> stored) {
    std::vector<message> history;
    for (auto const& entry : stored) {
        bool const prompt = entry.said.from == speaker::user;
        if (history.empty() && !prompt) continue;
        if (entry.of_run == run_status::completed) {
            history.push_back(entry.said);
        } else if (prompt) {
            history.push_back(entry.said);
            history.push_back({speaker::assistant, failed_note, {}, {}, {}});
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
        json.field("id", std::string_view(call.id)).field("name", std::string_view(call.name));
        json.field("arguments", std::string_view(call.arguments)).close_object();
    }
    json.close_array();
    return out;
}

std::vector<tool_call> read_tool_calls(std::string_view text) {
    std::vector<tool_call> calls;
    boost::system::error_code error;
    auto const parsed = json::parse({text.data(), text.size()}, error);
    if (error || !parsed.is_array()) return calls;
    for (auto const& entry : parsed.get_array())
        if (auto const* const call = entry.if_object())
            calls.push_back({text_of(*call, "id"), text_of(*call, "name"), text_of(*call, "arguments")});
    return calls;
}

namespace {

constexpr std::array<std::string_view, 3> status_names = {"in_progress", "completed", "failed"};

} // namespace

run_status parse_run_status(std::string_view text) {
    for (std::size_t i = 0; i < status_names.size(); ++i)
        if (status_names[i] == text) return static_cast<run_status>(i);
    throw std::logic_error("no status of a run: " + std::string(text));
}

std::string_view to_string(run_status status) noexcept { return status_names[static_cast<std::size_t>(status)]; }

run_status effective_status(run_record const& run) noexcept {
    return run.status == run_status::in_progress && run.lease_expired ? run_status::failed : run.status;
}

next_move decide(bool names_session, found_state const& found, auth::reach const& allowed) noexcept {
    auto const& in_the_way = names_session ? found.going_on : found.by_key;
    if (names_session && !found.session_known) return next_move::not_found;
    bool const shows_records = names_session || (in_the_way && in_the_way->status == run_status::completed);
    if (shows_records && !allowed.covers(found.used)) return next_move::out_of_reach;
    if (!in_the_way) return next_move::begin;
    if (in_the_way->status == run_status::in_progress && in_the_way->lease_expired) return next_move::fail_expired;
    return names_session ? next_move::busy : next_move::answer;
}

} // namespace recruiting::auth_api::agent
