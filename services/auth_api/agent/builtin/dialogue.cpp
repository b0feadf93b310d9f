#include "auth_api/agent/builtin/dialogue.hpp"

#include "auth_api/agent/tools/catalogue.hpp"

#include <algorithm>
#include <array>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

namespace recruiting::auth_api::agent::builtin {
namespace json = boost::json;
namespace {

struct subject {
    std::string_view tool;
    std::string_view noun;
};
constexpr auto subjects = std::to_array<subject>({
    {"get_organization", "the organization's record"},
    {"list_members", "the members"},
    {"list_jobs", "the jobs"},
    {"get_job", "the jobs"},
    {"search_candidates", "the candidates"},
    {"get_candidate", "the candidates"},
    {"get_pipeline", "the pipelines"},
    {"get_billing", "the billing data"},
    {"search_audit", "the audit log"},
    {"list_api_keys", "the API keys"},
    {"revoke_api_key", "the API keys"},
});

std::optional<json::value> read_result(std::string_view text) {
    boost::system::error_code error;
    auto value = json::parse(text, error);
    if (error) return std::nullopt;
    return value;
}

std::string missing_permission(std::string_view tool, std::string const& noun, bool of_role) {
    auto const* const known = find_tool(tool);
    std::string const scope(known == nullptr ? "" : known->scope);
    auto text = (of_role ? "Your role does not reach " : "Your key does not reach ") + noun;
    text += scope.empty() ? "." : " (" + scope + ").";
    bool const admins_only = scope == "billing:read" || scope == "audit:read";
    if (of_role && admins_only) text += " Only admins of the organization may see this.";
    return text;
}

} // namespace

record record::operator[](std::string_view name) const noexcept {
    if (value_ == nullptr || !value_->is_object()) return {};
    return record(value_->get_object().if_contains(name));
}

std::vector<record> record::items() const {
    std::vector<record> out;
    if (value_ == nullptr || !value_->is_array()) return out;
    for (auto const& item : value_->get_array()) out.emplace_back(&item);
    return out;
}

std::string_view record::text() const noexcept {
    if (value_ == nullptr || !value_->is_string()) return {};
    return value_->get_string();
}

std::optional<std::int64_t> record::integer(std::string_view name) const noexcept {
    auto const* const found = (*this)[name].value_;
    if (found == nullptr || !found->is_int64()) return std::nullopt;
    return found->get_int64();
}

bool record::is_true(std::string_view name) const noexcept {
    auto const* const found = (*this)[name].value_;
    return found != nullptr && found->is_bool() && found->get_bool();
}

dialogue::dialogue(std::span<message const> run, std::span<tool_description const> tools, timestamp now)
    : tools_(tools), now_(now) {
    for (auto const& one : run) {
        for (auto const& call : one.tool_calls) past_.push_back({call, std::nullopt});
        if (one.from != message_role::tool) continue;
        auto const made =
            std::ranges::find(past_, one.tool_call_id, [](past_call const& past) { return past.call.id; });
        if (made != past_.end()) made->result = read_result(one.content);
    }
}

dialogue::past_call const* dialogue::find(std::string_view tool, std::string_view arguments) const {
    auto const found = std::ranges::find_if(
        past_, [&](past_call const& past) { return past.call.name == tool && past.call.arguments == arguments; });
    return found == past_.end() ? nullptr : &*found;
}

void dialogue::note(std::string_view tool, std::string arguments) {
    auto const noted = std::ranges::find_if(
        wanted_, [&](tool_call const& known) { return known.name == tool && known.arguments == arguments; });
    if (noted != wanted_.end()) return;
    auto const number = past_.size() + wanted_.size() + 1;
    wanted_.push_back({"call_" + std::to_string(number), std::string(tool), std::move(arguments)});
}

dialogue::result dialogue::try_call(std::string_view tool, json::object const& arguments) {
    auto text = json::serialize(arguments);
    if (auto const* const known = find(tool, text)) {
        if (!known->result) return {{}, std::string(no_result)};
        record const root(&*known->result);
        if (root["data"]) return {root, {}};
        auto const code = root["error"].text("code");
        return {{}, std::string(code.empty() ? no_result : code)};
    }
    bool const offered = std::ranges::find(tools_, tool, &tool_description::name) != tools_.end();
    if (!offered) return {{}, std::string(tools_.empty() ? last_round : not_offered)};
    note(tool, std::move(text));
    return {};
}

record dialogue::call(std::string_view tool, json::object const& arguments) {
    auto const [data, code] = try_call(tool, arguments);
    if (!data && !code.empty()) answer(refusal_text(tool, code));
    return data;
}

std::optional<listing> dialogue::read_list(std::string_view tool, json::object arguments, page_limits const& limits) {
    listing all;
    arguments["limit"] = limits.size;
    for (std::size_t pages = 0; pages < limits.most_pages; ++pages) {
        auto const [page, code] = try_call(tool, arguments);
        bool const used_up = code == last_round || code == "rate_limited";
        if (used_up && pages > 0) break;
        if (!code.empty()) answer(refusal_text(tool, code));
        if (!page) return std::nullopt;
        for (auto const& item : page["data"].items()) all.items.push_back(item);
        auto const cursor = page["page"].text("nextCursor");
        if (cursor.empty()) {
            all.complete = static_cast<bool>(page["page"]) && !page["page"].is_true("hasMore");
            return all;
        }
        arguments["cursor"] = cursor;
    }
    all.complete = false;
    return all;
}

void dialogue::answer(std::string text) {
    if (answer_.empty()) answer_ = std::move(text);
}

model_reply dialogue::reply() && {
    if (answer_.empty()) return {{}, std::move(wanted_), {}};
    return {std::move(answer_), {}, {}};
}

std::string refusal_text(std::string_view tool, std::string_view code) {
    auto const found = std::ranges::find(subjects, tool, &subject::tool);
    std::string const noun(found == subjects.end() ? "that data" : found->noun);
    if (code == "insufficient_scope") return missing_permission(tool, noun, false);
    if (code == "insufficient_role") return missing_permission(tool, noun, true);
    if (code == "not_found") return "I found nothing there: it does not exist, or it is out of your reach.";
    if (code == not_offered) return "I have no access to " + noun + " here.";
    if (code == last_round) return "That takes more steps than one answer may have: please ask for less at once.";
    return "I could not read " + noun + " (" + std::string(code) + "): please ask again later.";
}

} // namespace recruiting::auth_api::agent::builtin
