// How a run is played from its messages, and what the responder answers: one function per kind of question.
#include "auth_api/agent/builtin/builtin_model.hpp"
#include "auth_api/agent/tools/api_keys.hpp"
#include "auth_api/agent/tools/catalogue.hpp"
#include "core/ids.hpp"
#include "core/redact.hpp"
#include "core/text.hpp"

#include <algorithm>
#include <boost/json.hpp>

namespace recruiting::auth_api::agent::builtin {
namespace {

constexpr std::string_view no_rounds = "too_many_steps";

std::string refusal_text(std::string_view tool, std::string const& code) {
    std::string const scope(find_tool(tool)->scope);
    if (code.starts_with("insufficient_")) return "Your role or API key does not allow that: it needs " + scope + ".";
    return "I could not read that (" + code + "). Ask again later.";
}

std::string in_quotes(std::string_view name) { return "“" + std::string(name) + "”"; }

std::string there_are(std::int64_t value, std::string const& noun, bool exact = true) {
    return (value == 1 ? "There is " : "There are ") + std::string(exact ? "" : "at least ") + std::to_string(value) +
           ' ' + noun + (value == 1 ? "" : "s");
}

std::string join(std::string const& a, std::string const& b) { return a.empty() || b.empty() ? a + b : a + ", " + b; }

// "There are 2 open jobs in X:" and a line for each.
std::string list_text(listing const& found, std::string const& noun, std::string const& which,
                      std::string (*line)(json::value const&)) {
    constexpr std::size_t most = 20;
    auto out = there_are(std::ssize(found.items), noun, found.complete) + which + (found.items.empty() ? "." : ":");
    for (std::size_t i = 0; i < std::min(found.items.size(), most); ++i) out += "\n- " + line(found.items[i]);
    return found.items.size() > most ? out + "\nThese are the first " + std::to_string(most) + "." : out;
}

std::string job_line(json::value const& job) {
    auto const city = job.at("location").is_null() ? "" : text(job.at("location"), "city");
    return join(join(text(job, "title"), text(job, "department")), city) +
           ", candidates: " + std::to_string(job.at("candidateCount").as_int64());
}

std::string person_line(json::value const& one) { return join(text(one, "name"), text(one, "email")); }

std::string key_line(json::value const& key) {
    auto const expires = text(key, "expiresAt").substr(0, 10);
    return in_quotes(text(key, "name")) + " (" + join(text(key, "displayedPrefix") + "…", text(key, "ownerName")) +
           "): " + join(text(key, "state"), expires.empty() ? "" : "expires " + expires);
}

// The id of the job that is named by it or by its title; nullopt: the caller returns.
std::optional<std::string> find_job(dialogue& with, std::string_view name) {
    if (parse_id(name)) return std::string(name);
    auto found = with.read_list("list_jobs", {{"q", name}});
    if (!found) return std::nullopt;
    auto const is_other = [name](json::value const& job) { return !iequals(text(job, "title"), name); };
    if (!std::ranges::all_of(found->items, is_other)) std::erase_if(found->items, is_other);
    if (found->items.size() == 1) return text(found->items.front(), "id");
    with.answer(list_text(*found, "job", " with " + in_quotes(name) + " in title or department", job_line));
    return std::nullopt;
}

} // namespace

std::string text(json::value const& of, std::string_view name) {
    auto const& found = of.at(name);
    return found.is_string() ? printable(found.get_string(), 160) : "";
}

dialogue::dialogue(std::span<message const> run, std::span<tool_description const> tools) : tools_(tools) {
    for (auto const& one : run) {
        for (auto const& call : one.tool_calls) past_.emplace_back(call, json::object());
        if (one.from == message_role::tool && !past_.empty()) past_.back().second = json::parse(one.content);
    }
}

json::object const* dialogue::try_call(std::string_view tool, json::object const& arguments, std::string& refusal) {
    auto wanted = json::serialize(arguments);
    for (auto const& [call, result] : past_) {
        if (call.name != tool || call.arguments != wanted) continue;
        auto const& root = result.as_object();
        if (auto const* const data = root.if_contains("data"); data != nullptr && !data->is_null()) return &root;
        refusal = root.contains("error") ? text(root.at("error"), "code") : "no_result";
        return nullptr;
    }
    if (tools_.empty()) refusal = no_rounds;
    else reply_.tool_calls = {{"call_" + std::to_string(past_.size() + 1), std::string(tool), std::move(wanted)}};
    return nullptr;
}

json::value const* dialogue::call(std::string_view tool, json::object const& arguments) {
    std::string refusal;
    auto const* const found = try_call(tool, arguments, refusal);
    if (!refusal.empty()) answer(refusal_text(tool, refusal));
    return found == nullptr ? nullptr : &found->at("data");
}

std::optional<listing> dialogue::read_list(std::string_view tool, json::object arguments) {
    listing all;
    for (std::string refusal;;) {
        auto const* const page = try_call(tool, arguments, refusal);
        all.complete = refusal.empty();
        if (refusal == no_rounds && !all.items.empty()) return all;
        if (!refusal.empty()) answer(refusal_text(tool, refusal));
        if (page == nullptr) return std::nullopt;
        std::ranges::copy(page->at("data").as_array(), std::back_inserter(all.items));
        auto const& cursor = page->at("page").at("nextCursor");
        if (cursor.is_null()) return all;
        arguments["cursor"] = cursor;
    }
}

void count_jobs(dialogue& with, question const&) {
    if (auto const* const found = with.call("get_organization"))
        with.answer(there_are(found->at("openJobCount").as_int64(), "open job") + ".");
}

void list_jobs(dialogue& with, question const& asked) {
    auto found = with.read_list("list_jobs", {{"status", "open"}});
    if (!found) return;
    std::erase_if(found->items, [name = to_lower(asked.name)](json::value const& job) {
        return to_lower(job_line(job)).find(name) == std::string::npos;
    });
    auto const named = asked.name.empty() ? "" : " with " + in_quotes(asked.name) + " in title, department or city";
    with.answer(list_text(*found, "open job", named, job_line));
}

void count_candidates(dialogue& with, question const&) {
    if (auto const* const found = with.call("count_candidates"))
        with.answer(there_are(found->at("count").as_int64(), "candidate") + ".");
}

void find_candidate(dialogue& with, question const& asked) {
    auto const found = with.read_list("search_candidates", {{"q", asked.name}});
    if (found) with.answer(list_text(*found, "candidate", " for " + in_quotes(asked.name), person_line));
}

void show_pipeline(dialogue& with, question const& asked) {
    auto const job = find_job(with, asked.name);
    auto const* const found = job ? with.call("get_pipeline", {{"jobId", *job}}) : nullptr;
    if (found == nullptr) return;
    std::int64_t shown = 0;
    std::string lines;
    for (auto const& stage : found->at("stages").as_array()) {
        auto const count = stage.at("activeCount").as_int64();
        shown += count;
        lines += "\n- " + text(stage, "name") + ": " + std::to_string(count);
        // Without candidates:read the names are null.
        for (auto const& one : stage.at("applications").as_array()) lines = join(lines, text(one, "candidateName"));
        if (stage.at("hasMore").as_bool()) lines += ", …";
    }
    auto const active = found->at("totals").at("active").as_int64();
    if (shown < active) lines += "\n- …"; // the result was too long for all stages
    with.answer(there_are(active, "active candidate") + " in the pipeline of " + in_quotes(text(*found, "jobTitle")) +
                ":" + lines);
}

void list_admins(dialogue& with, question const&) {
    auto const found = with.read_list("list_members", {{"role", "admin"}});
    if (found) with.answer(list_text(*found, "admin", "", person_line));
}

void list_keys(dialogue& with, question const&) {
    if (auto const found = with.read_list("list_api_keys")) with.answer(list_text(*found, "API key", "", key_line));
}

void list_expiring_keys(dialogue& with, question const& asked) {
    auto found = with.read_list("list_api_keys");
    if (!found) return;
    std::erase_if(found->items, [month = format_time(asked.now).substr(0, 7)](json::value const& key) {
        return !text(key, "expiresAt").starts_with(month);
    });
    with.answer(list_text(*found, "API key", " with an expiry date in this month (UTC)", key_line));
}

void revoke_key(dialogue& with, question const& asked) {
    auto const how = "Nothing was revoked. I revoke one API key when your message is just: revoke \"NAME\"";
    if (asked.name.empty() || !is_only_command(asked.prompt, asked.name)) return with.answer(how);
    auto const* const found = with.call("revoke_api_key", {{"name", asked.name}});
    if (found == nullptr) return;
    auto const name = "The API key " + in_quotes(asked.name);
    bool const revoked = found->at("revoked").as_bool();
    auto const reason = revoked ? "" : text(*found, "reason");
    if (revoked)
        with.answer(name + " (id " + text(*found, "id") + ") is revoked: it is rejected from its next request on.");
    else if (reason == "unconfirmed") with.answer(how);
    else with.answer(name + " was not revoked (" + reason + ").");
}

} // namespace recruiting::auth_api::agent::builtin
