// Who did what and when: the audit log, by person, action, time and outcome.
#include "auth_api/agent/responder/deeds.hpp"
#include "auth_api/agent/responder/find_member.hpp"
#include "auth_api/agent/responder/intents.hpp"
#include "auth_api/agent/responder/names.hpp"
#include "auth_api/agent/responder/time_range.hpp"
#include "auth_api/agent/responder/wording.hpp"

#include <algorithm>

namespace recruiting::auth_api::agent::responder {
namespace {

constexpr page_limits shown_rows{20, 1};
constexpr page_limits counted_rows{50, 6};

struct wanted_deeds {
    std::vector<std::string> actions; // empty: every one
    std::string person;
    std::string key; // by name: what was done to it, or with it where no action is asked for
    time_range when;
    bool failures{false};
    bool count{false};
};

// Whose entries: found by the names the prompt gives.
struct found_subject {
    found_member member;
    std::string key_id;
    bool key_acted{false}; // else: it was acted upon
};

boost::json::object filters(wanted_deeds const& wanted, found_subject const& of) {
    boost::json::object arguments;
    if (!of.member.id.empty()) arguments["memberId"] = of.member.id;
    if (of.key_acted) arguments["credentialId"] = of.key_id;
    if (wanted.failures) arguments["success"] = false;
    if (wanted.when.from) arguments["occurredAfter"] = format_time(*wanted.when.from);
    if (wanted.when.before) arguments["occurredBefore"] = format_time(*wanted.when.before);
    return arguments;
}

std::string described(wanted_deeds const& wanted, found_subject const& of) {
    std::string text = of.member.id.empty() ? "" : " by " + shown(of.member.name);
    if (!of.key_id.empty()) text += (of.key_acted ? " by the key " : " on the key ") + quoted(wanted.key);
    if (!wanted.when.words.empty()) text += ' ' + wanted.when.words;
    return text;
}

// The entries of each action, together: the log is asked for one action at a time.
std::optional<listing> entries(desk& work, wanted_deeds const& wanted, found_subject const& of) {
    listing out;
    bool waiting = false;
    auto actions = wanted.actions;
    if (actions.empty()) actions.emplace_back();
    for (auto const& action : actions) {
        auto arguments = filters(wanted, of);
        if (!action.empty()) arguments["action"] = action;
        auto const page = work.ask_all("search_audit", std::move(arguments), wanted.count ? counted_rows : shown_rows);
        waiting = waiting || !page;
        if (!page) continue;
        out.items.insert(out.items.end(), page->items.begin(), page->items.end());
        out.complete = out.complete && page->complete;
    }
    if (waiting) return std::nullopt;
    if (!of.key_id.empty() && !of.key_acted)
        std::erase_if(out.items, [&of](record const& row) { return row["target"].text("id") != of.key_id; });
    std::ranges::stable_sort(out.items, std::greater<>{}, [](record const& row) { return row.text("occurredAt"); });
    return out;
}

std::string answer(listing const& found, wanted_deeds const& wanted, std::string const& about) {
    auto const size = static_cast<std::int64_t>(found.items.size());
    auto const one = std::string(wanted.failures ? "refused or failed request" : "entry");
    auto const many = std::string(wanted.failures ? "refused or failed requests" : "entries");
    if (size == 0) return "The audit log has no such " + many + about + ".";
    if (wanted.count) return "The audit log has " + counted(size, one, many, found.complete) + about + ".";
    std::vector<std::string> lines;
    for (auto const& row : found.items) lines.push_back(deed_line(row));
    return "From the audit log" + about + ", the newest first (times are UTC):" + bulleted(lines, found.complete);
}

std::optional<std::string> find_key(desk& work, std::string const& name) {
    auto const page = work.ask("list_api_keys", {{"includeRevoked", true}});
    if (!page) return std::nullopt;
    for (auto const& key : page["data"].items())
        if (key.text("name") == name) return std::string(key.text("id"));
    work.say("I found no key named exactly " + quoted(name) + ".");
    return std::nullopt;
}

void tell(desk& work, wanted_deeds const& wanted) {
    found_subject of;
    if (!wanted.person.empty()) {
        auto member = find_member(work, wanted.person);
        if (!member) return;
        of.member = std::move(*member);
    }
    if (!wanted.key.empty()) {
        auto id = find_key(work, wanted.key);
        if (!id) return;
        of.key_id = std::move(*id);
        of.key_acted = wanted.actions.empty();
    }
    auto const found = entries(work, wanted, of);
    if (found) work.say(answer(*found, wanted, described(wanted, of)));
}

} // namespace

plan match_audit(question const& about) {
    auto const& asked = about.asked;
    using enum sense;
    bool const deed_asked =
        asked.has(deed) && asked.has_any({who, when, what, which, list, count, last, day, time_unit});
    bool const did = (asked.has(what) || !person_name(asked).empty()) && asked.has(auxiliary) &&
                     asked.has_any({day, last, time_unit});
    bool const changes = asked.has(change) && asked.has_any({last, list, what, who, which, day, time_unit, count});
    bool const who_did = asked.has(who) && asked.has_any({what, which}) && asked.has(auxiliary);
    if (!asked.has_any({audit, failure}) && !who_did && !deed_asked && !did && !changes) return nullptr;
    if (asked.has_any({candidate, candidate_status, salary, billing, job, revoke}) && !asked.has(audit)) return nullptr;
    wanted_deeds wanted;
    wanted.actions = actions_in(asked);
    auto const subject = person_name(asked);
    (asked.has(key) && !is_address(subject) ? wanted.key : wanted.person) = subject;
    wanted.failures = asked.has(failure);
    wanted.count = asked.has(count);
    return [wanted, &asked](desk& work) mutable {
        wanted.when = time_range_in(asked, work.now());
        tell(work, wanted);
    };
}

} // namespace recruiting::auth_api::agent::responder
