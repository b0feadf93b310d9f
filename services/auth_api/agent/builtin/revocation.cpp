// Revoking one API key by its exact name: the only thing the responder changes. The name is the prompt's: the list of
// keys only tells which of the prompt's readings is a key.
#include "auth_api/agent/builtin/intents.hpp"
#include "auth_api/agent/builtin/key_lines.hpp"
#include "auth_api/agent/builtin/names.hpp"
#include "auth_api/agent/builtin/revocation_prompt.hpp"
#include "auth_api/agent/builtin/wording.hpp"

#include <algorithm>

namespace recruiting::auth_api::agent::responder {
namespace {

using kind = revocation_prompt::kind;
using names = std::vector<std::string>;

constexpr auto how_to = "I revoke one API key at a time, when you tell me its exact name. For example: revoke the key "
                        "“warehouse-sync”.";

constexpr std::size_t most_listed_keys = 200; // the tool lists no more: the rest is for it to find
constexpr std::size_t longest_message = 300;

std::string choose_from(std::vector<record> const& keys) {
    if (keys.empty()) return "";
    return " Keys you can see:" + bulleted(key_choices(keys));
}

std::vector<record> similar_to(std::vector<record> keys, std::string const& name) {
    std::erase_if(keys, [&name](record const& key) {
        return !names_match(key.text("name"), name) && !names_match(name, key.text("name"));
    });
    return keys;
}

std::string not_found(std::vector<record> const& keys, std::string const& name) {
    auto text =
        "There is no active key named exactly " + in_quotes(name) + " that you may revoke. Nothing was revoked.";
    auto const similar = similar_to(keys, name);
    if (similar.empty()) return text + choose_from(keys);
    return text + " Did you mean one of these? Ask again with its exact name:" + bulleted(key_choices(similar));
}

std::string outcome_of(record const& result, std::string const& name) {
    if (result.is_true("revoked"))
        return "Revoked the API key " + in_quotes(result.text("name")) + " (id " + shown(result.text("id")) +
               "). It is refused from its next request on." +
               (result.is_true("inUse") ? " It is the key you are using: this is the last answer it gets." : "");
    auto const reason = result.text("reason");
    auto const candidates = result["candidates"].items();
    if (reason == "not_found") return not_found(candidates, name);
    if (reason == "ambiguous")
        return "Several keys are named " + in_quotes(name) +
               ", so nothing was revoked:" + bulleted(key_choices(candidates)) +
               "\nRevoke the one you mean in the settings.";
    if (reason == "already_revoked") return "The API key " + in_quotes(name) + " is revoked already.";
    return "Nothing was revoked. " + shown(result.text("message"), longest_message);
}

void revoke_named(desk& work, std::string const& name) {
    auto const result = work.ask("revoke_api_key", {{"name", name}})["data"];
    if (result) work.say(outcome_of(result, name));
}

void revoke_one(desk& work, names const& readings) {
    auto const page = work.ask("list_api_keys");
    if (!page) return;
    auto const keys = page["data"].items();
    names found;
    for (auto const& reading : readings)
        if (std::ranges::any_of(keys, [&](record const& key) { return key.text("name") == reading; }))
            found.push_back(reading);
    if (found.size() == 1) return revoke_named(work, found.front());
    if (found.size() > 1)
        return work.say("There are keys named " + in_quotes(found[0]) + " and " + in_quotes(found[1]) +
                        ". Nothing was revoked: put the name of the one you mean in quotes.");
    bool const partial = page.is_true("truncated") || keys.size() >= most_listed_keys;
    if (partial) return revoke_named(work, readings.back());
    work.say(not_found(keys, readings.back()));
}

void explain(desk& work, std::string const& first) {
    auto const page = work.ask("list_api_keys");
    if (page) work.say(first + choose_from(page["data"].items()));
}

} // namespace

plan match_revocation(question const& about) {
    auto const read = read_revocation(about.asked);
    switch (read.what) {
    case kind::none: return nullptr;
    case kind::question: return [](desk& work) { work.say(how_to); };
    case kind::unnamed: return [](desk& work) { explain(work, "Which key? " + std::string(how_to)); };
    case kind::several: return [](desk& work) { explain(work, "Nothing was revoked. " + std::string(how_to)); };
    case kind::one: return [readings = read.names](desk& work) { revoke_one(work, readings); };
    }
    return nullptr;
}

} // namespace recruiting::auth_api::agent::responder
