// The API keys the caller may see: names, owners, states, when they expire and were last used.
#include "auth_api/agent/builtin/intents.hpp"
#include "auth_api/agent/builtin/key_lines.hpp"
#include "auth_api/agent/builtin/lines.hpp"
#include "auth_api/agent/builtin/names.hpp"
#include "auth_api/agent/builtin/wording.hpp"

#include <algorithm>

namespace recruiting::auth_api::agent::responder {
namespace {

struct wanted_keys {
    std::string state; // empty: every one that is not revoked
    std::string name;  // of the key or of its owner
    bool quoted_name{false};
    bool count{false};
    bool by_expiry{false};
};

bool has_state(record const& key, std::string const& state) {
    if (state == "never_used") return key.text("lastUsedAt").empty();
    return state.empty() || key.text("state") == state;
}

bool has_name(record const& key, std::string const& name) {
    return name.empty() || names_match(key.text("name"), name) || names_match(key.text("ownerName"), name) ||
           same_name(key.text("ownerEmail"), name);
}

std::string answer(record const& page, wanted_keys const& wanted) {
    auto keys = page["data"].items();
    std::erase_if(
        keys, [&wanted](record const& key) { return !has_state(key, wanted.state) || !has_name(key, wanted.name); });
    auto const adjective = wanted.state.empty() ? std::string() : spaced(wanted.state) + ' ';
    auto const named = wanted.name.empty() ? std::string() : " matching " + in_quotes(wanted.name);
    bool const complete = !page.is_true("truncated");
    if (keys.empty()) return "There is no " + adjective + "API key" + named + " that you can see.";
    auto const size = static_cast<std::int64_t>(keys.size());
    auto text = (size == 1 ? "There is " : "There are ") +
                counted(size, adjective + "API key", adjective + "API keys", complete) + named;
    if (wanted.count) return text + ".";
    if (wanted.by_expiry)
        std::ranges::stable_sort(keys, std::less<>{}, [](record const& key) { return key.text("expiresAt"); });
    return text + ":" + bulleted(lines_of(keys, key_line), complete);
}

// A word that names neither a key nor an owner says nothing about keys, unless it is quoted.
std::string answer_to(record const& page, wanted_keys wanted) {
    auto const keys = page["data"].items();
    bool const known = std::ranges::any_of(keys, [&](record const& key) { return has_name(key, wanted.name); });
    if (known || keys.empty() || wanted.quoted_name) return answer(page, wanted);
    auto const text = not_understood(wanted.name);
    wanted.name.clear();
    return text + answer(page, wanted);
}

// Of what happened, not of what the keys are now.
bool asks_for_deeds(prompt const& asked) {
    using enum sense;
    if (asked.has_any({audit, failure, change})) return true;
    if (asked.has(what) && asked.has(auxiliary) && asked.has_any({day, time_unit, last})) return true;
    if (!asked.has(deed)) return false;
    return asked.first(deed)->value != "key.revoked" || asked.has_any({who, when, day, time_unit});
}

} // namespace

plan match_keys(question const& about) {
    auto const& asked = about.asked;
    using enum sense;
    if (!asked.has(key) || asks_for_deeds(asked) || asked.has_any({candidate, job, salary, revoke})) return nullptr;
    wanted_keys wanted;
    if (auto const* const state = asked.first(key_state)) wanted.state = state->value;
    else if (asked.has(deed) && asked.first(deed)->value == "key.revoked") wanted.state = "revoked";
    else if (auto const* const status = asked.first(candidate_status); status && status->value == "active")
        wanted.state = "active";
    wanted.name = person_name(asked);
    wanted.quoted_name = asked.has(quoted) || is_address(wanted.name);
    wanted.count = asked.has(count);
    wanted.by_expiry = asked.has(expiry);
    return [wanted](desk& work) {
        boost::json::object arguments;
        if (wanted.state == "revoked") arguments["includeRevoked"] = true;
        auto const page = work.ask("list_api_keys", arguments);
        if (page) work.say(answer_to(page, wanted));
    };
}

} // namespace recruiting::auth_api::agent::responder
