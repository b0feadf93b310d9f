// Who did what and when: the audit log, by person, action, time and outcome.
#include "auth_api/agent/builtin/deeds.hpp"
#include "auth_api/agent/builtin/find_member.hpp"
#include "auth_api/agent/builtin/intents.hpp"
#include "auth_api/agent/builtin/lines.hpp"
#include "auth_api/agent/builtin/names.hpp"
#include "auth_api/agent/builtin/time_range.hpp"
#include "auth_api/agent/builtin/wording.hpp"

#include <algorithm>

namespace recruiting::auth_api::agent::responder {
namespace {

constexpr page_limits shown_rows{20, 1};
constexpr page_limits counted_rows{50, 6};

struct wanted_deeds {
    std::vector<std::string> actions; // empty: every one
    std::string person;
    std::string key;        // by name
    bool acted_upon{false}; // what was done to the person or the key, not by them
    time_range when;
    bool failures{false};
    bool count{false};
};

// Whose entries: found by the names the prompt gives.
struct found_subject {
    std::string name;
    std::string member_id;
    std::string key_id;
};

boost::json::object filters(wanted_deeds const& wanted, found_subject const& of) {
    boost::json::object arguments;
    if (!of.member_id.empty() && !wanted.acted_upon) arguments["memberId"] = of.member_id;
    if (!of.key_id.empty() && !wanted.acted_upon) arguments["credentialId"] = of.key_id;
    if (wanted.failures) arguments["success"] = false;
    if (wanted.when.from) arguments["occurredAfter"] = format_time(*wanted.when.from);
    if (wanted.when.before) arguments["occurredBefore"] = format_time(*wanted.when.before);
    return arguments;
}

std::string described(wanted_deeds const& wanted, found_subject const& of) {
    std::string text;
    if (!of.name.empty()) text = (wanted.acted_upon ? " on " : " by ") + of.name;
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
    if (wanted.acted_upon)
        std::erase_if(out.items, [&of](record const& row) {
            auto const target = row["target"].text("id");
            return target != of.key_id && target != of.member_id;
        });
    std::ranges::stable_sort(out.items, std::greater<>{}, [](record const& row) { return row.text("occurredAt"); });
    return out;
}

std::string answer(listing const& found, wanted_deeds const& wanted, std::string const& about) {
    auto const size = static_cast<std::int64_t>(found.items.size());
    auto const one = std::string(wanted.failures ? "refused or failed request" : "entry");
    auto const many = std::string(wanted.failures ? "refused or failed requests" : "entries");
    if (size == 0) return "The audit log has no such " + many + about + ".";
    if (wanted.count) return "The audit log has " + counted(size, one, many, found.complete) + about + ".";
    auto const lines = lines_of(found.items, deed_line);
    return "From the audit log" + about + ", the newest first (times are UTC):" + bulleted(lines, found.complete);
}

std::optional<std::string> find_key(desk& work, std::string const& name) {
    auto const page = work.ask("list_api_keys", {{"includeRevoked", true}});
    if (!page) return std::nullopt;
    for (auto const& key : page["data"].items())
        if (key.text("name") == name) return std::string(key.text("id"));
    work.say("I found no key named exactly " + in_quotes(name) + ".");
    return std::nullopt;
}

std::optional<found_subject> find_subject(desk& work, wanted_deeds const& wanted) {
    if (!wanted.person.empty()) {
        auto const member = find_member(work, wanted.person);
        if (!member) return std::nullopt;
        return found_subject{shown(member->name), member->id, {}};
    }
    if (wanted.key.empty()) return found_subject{};
    auto const key = find_key(work, wanted.key);
    if (!key) return std::nullopt;
    return found_subject{"the key " + in_quotes(wanted.key), {}, *key};
}

void tell(desk& work, wanted_deeds const& wanted) {
    auto const of = find_subject(work, wanted);
    if (!of) return;
    auto const found = entries(work, wanted, *of);
    if (found) work.say(answer(*found, wanted, described(wanted, *of)));
}

// "which keys did Ada create": the name is the doer's.
bool name_is_doer(prompt const& asked) {
    auto const& words = asked.words();
    for (std::size_t at = 1; at < words.size(); ++at)
        if (words[at].is == sense::unknown) return words[at - 1].is == sense::auxiliary;
    return false;
}

bool asks_for_deeds(prompt const& asked) {
    using enum sense;
    if (asked.has_any({audit, failure})) return true;
    if (asked.has(deed) && asked.has_any({who, when, what, which, list, count, last, day, time_unit})) return true;
    if (asked.has(change) && asked.has_any({last, list, what, who, which, day, time_unit, count})) return true;
    if (!asked.has(auxiliary)) return false;
    bool const of_person = !person_name(asked).empty();
    bool const of_time = asked.has_any({day, last, time_unit});
    if (asked.has(what)) return asked.has(who) || of_time || (of_person && asked.words().back().text == "do");
    return of_person && of_time;
}

} // namespace

plan match_audit(question const& about) {
    auto const& asked = about.asked;
    using enum sense;
    if (!asks_for_deeds(asked)) return nullptr;
    bool const of_job = asked.has(job) && !asked.says("role");
    bool const elsewhere = of_job || asked.has_any({candidate, candidate_status, salary, billing, revoke});
    if (elsewhere && !asked.has(audit)) return nullptr;
    wanted_deeds wanted;
    wanted.actions = actions_in(asked);
    auto const subject = person_name(asked);
    bool const by_key = asked.has(key) && !is_address(subject) && !name_is_doer(asked);
    (by_key ? wanted.key : wanted.person) = subject;
    wanted.acted_upon =
        !subject.empty() && !wanted.actions.empty() && !name_is_doer(asked) && asked.has_any({who, when});
    wanted.failures = asked.has(failure);
    wanted.count = asked.has(count);
    return [wanted, &asked](desk& work) mutable {
        wanted.when = time_range_in(asked, work.now());
        tell(work, wanted);
    };
}

} // namespace recruiting::auth_api::agent::responder
