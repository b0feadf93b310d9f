// The API keys the caller may see, and revoking one by its exact name: the only thing the responder changes.
#include "auth_api/agent/builtin/intents.hpp"
#include "auth_api/agent/builtin/wording.hpp"
#include "auth_api/agent/tools/prompt_guard.hpp"
#include "core/text.hpp"

#include <algorithm>

namespace recruiting::auth_api::agent::builtin {
namespace {

constexpr std::size_t longest_message = 300;

struct wanted_keys {
    std::string state; // empty: every one that is not revoked
    std::string name;  // of the key or of its owner
    bool count{false};
};

constexpr page_limits key_pages{100, 10};

std::string key_line(record const& key) {
    auto line = in_quotes(key.text("name")) + " (" + shown(key.text("displayedPrefix")) + "…, " +
                shown(key.text("ownerName")) + "): " + spaced(key.text("state"));
    if (!key.text("expiresAt").empty()) line += ", expires " + day_of(key.text("expiresAt"));
    auto const used = key.text("lastUsedAt");
    line += used.empty() ? ", never used" : ", last used " + minute_of(used);
    auto const scopes = lines_of(key["scopes"].items(), [](record const& scope) { return shown(scope.text()); });
    return scopes.empty() ? line : line + ", scopes: " + joined(scopes);
}

bool fits(record const& key, wanted_keys const& wanted) {
    if (!wanted.state.empty() && key.text("state") != wanted.state) return false;
    return wanted.name.empty() || holds_words(key.text("name"), wanted.name) ||
           holds_words(key.text("ownerName"), wanted.name) || key.text("ownerEmail") == wanted.name;
}

std::string list_answer(listing found, wanted_keys const& wanted) {
    std::erase_if(found.items, [&wanted](record const& key) { return !fits(key, wanted); });
    auto const noun = (wanted.state.empty() ? "" : wanted.state + ' ') + "API key";
    auto const named = wanted.name.empty() ? "" : " with " + in_quotes(wanted.name) + " in its name or owner";
    auto const text = there_are(found.size(), noun, found.complete) + named;
    return wanted.count || found.items.empty() ? text + "." : text + ":" + bulleted(found, key_line);
}

std::string key_choice(record const& key) {
    auto const email = shown(key.text("ownerEmail"));
    return in_quotes(key.text("name")) + (email.empty() ? "" : " (" + email + ")");
}

std::string how_to_revoke(std::string const& name) {
    return "Nothing was revoked. I revoke one API key when your message is just: revoke \"" +
           (name.empty() ? "NAME" : shown(name)) + "\"";
}

std::string outcome_of(record const& result, std::string const& name) {
    if (result.is_true("revoked"))
        return "Revoked the API key " + in_quotes(result.text("name")) + " (id " + shown(result.text("id")) +
               "). It is refused from its next request on." +
               (result.is_true("inUse") ? " It is the key you are using: this is the last answer it gets." : "");
    auto const reason = result.text("reason");
    auto const choices = lines_of(result["candidates"].items(), key_choice);
    if (reason == "not_found")
        return "There is no active key named exactly " + in_quotes(name) +
               " that you may revoke. Nothing was revoked." +
               (choices.empty() ? "" : " Did you mean one of these?" + bulleted(choices, choices.size()));
    if (reason == "ambiguous")
        return "Several keys are named " + in_quotes(name) +
               ", so nothing was revoked:" + bulleted(choices, choices.size()) +
               "\nRevoke the one you mean in the settings.";
    if (reason == "already_revoked") return "The API key " + in_quotes(name) + " is revoked already.";
    if (reason == "unconfirmed") return how_to_revoke(name);
    return "Nothing was revoked. " + shown(result.text("message"), longest_message);
}

void revoke(dialogue& with, std::string const& name) {
    auto const result = with.call("revoke_api_key", {{"name", name}});
    if (result) with.answer(outcome_of(result["data"], name));
}

// Without quotation marks the list of keys tells which words of the prompt are a name. It adds none to them.
void revoke_unquoted(dialogue& with, std::string const& prompt, std::string const& guess) {
    auto const keys = with.read_list("list_api_keys", {}, key_pages);
    if (!keys) return;
    std::vector<std::string> names;
    for (auto const& key : keys->items) names.emplace_back(key.text("name"));
    for (auto const& name : names)
        if (is_only_command(prompt, name) && consent_to_revoke(prompt, name, names) == consent::given)
            return revoke(with, name);
    with.answer(how_to_revoke(guess));
}

} // namespace

plan match_keys(question const& asked) {
    auto const states = asked.among({"active", "expired", "revoked"});
    bool const known = asked.only(
        {"key", "keys", "called", "what", "when", "count", "all", "active", "expired", "revoked", "expire", "usage"});
    bool const of_one = asked.names().size() == 1;
    if (!asked.has_any({"key", "keys"}) || !known || asked.time() || asked.names().size() > 1) return nullptr;
    if (states.size() > 1 || (asked.has_any({"when", "usage", "expire", "key"}) && !of_one)) return nullptr;
    wanted_keys wanted;
    if (!states.empty()) wanted.state = states.front();
    if (of_one) wanted.name = asked.names().front();
    wanted.count = asked.has("count");
    return [wanted](dialogue& with) {
        boost::json::object arguments;
        if (wanted.state == "revoked") arguments["includeRevoked"] = true;
        auto found = with.read_list("list_api_keys", std::move(arguments), key_pages);
        if (found) with.answer(list_answer(std::move(*found), wanted));
    };
}

plan match_revocation(question const& asked) {
    auto const& names = asked.names();
    auto const name = names.size() == 1 ? names.front() : std::string();
    if (!name.empty() && is_only_command(asked.prompt(), name)) return [name](dialogue& with) { revoke(with, name); };
    // A command begins the prompt, and a question acts on nothing: they need no list of keys.
    auto const words = to_lower(trim(asked.prompt()));
    bool const begins = words.starts_with("revoke") || words.starts_with("please");
    if (!begins || words.find('?') != std::string::npos)
        return [name](dialogue& with) { with.answer(how_to_revoke(name)); };
    return [prompt = asked.prompt(), name](dialogue& with) { revoke_unquoted(with, prompt, name); };
}

} // namespace recruiting::auth_api::agent::builtin
