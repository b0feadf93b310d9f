// The API keys the caller may see: names, owners, states, when they expire and were last used.
#include "auth_api/agent/responder/intents.hpp"
#include "auth_api/agent/responder/key_lines.hpp"
#include "auth_api/agent/responder/lines.hpp"
#include "auth_api/agent/responder/names.hpp"
#include "auth_api/agent/responder/wording.hpp"

#include <algorithm>

namespace recruiting::auth_api::agent::responder {
namespace {

struct wanted_keys {
    std::string state; // empty: every one that is not revoked
    std::string name;
    bool count{false};
    bool by_expiry{false};
};

bool fits(record const& key, wanted_keys const& wanted) {
    if (!wanted.state.empty() && key.text("state") != wanted.state) return false;
    return wanted.name.empty() || names_match(key.text("name"), wanted.name);
}

std::string answer(record const& page, wanted_keys const& wanted) {
    auto keys = page["data"].items();
    std::erase_if(keys, [&wanted](record const& key) { return !fits(key, wanted); });
    auto const adjective = wanted.state.empty() ? std::string() : wanted.state + ' ';
    auto const named = wanted.name.empty() ? std::string() : " matching " + quoted(wanted.name);
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
    wanted.count = asked.has(count);
    wanted.by_expiry = asked.has(expiry);
    return [wanted](desk& work) {
        boost::json::object arguments;
        if (wanted.state == "revoked") arguments["includeRevoked"] = true;
        auto const page = work.ask("list_api_keys", arguments);
        if (page) work.say(answer(page, wanted));
    };
}

} // namespace recruiting::auth_api::agent::responder
