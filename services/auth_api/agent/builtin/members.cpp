// The organization's members: who they are, by role, how many.
#include "auth_api/agent/builtin/intents.hpp"
#include "auth_api/agent/builtin/lines.hpp"
#include "auth_api/agent/builtin/names.hpp"
#include "auth_api/agent/builtin/wording.hpp"

#include <algorithm>
#include <array>
#include <functional>

namespace recruiting::auth_api::agent::responder {
namespace {

constexpr auto roles =
    std::to_array<std::string_view>({"admin", "recruiter", "hiring_manager", "interviewer", "viewer"});

struct wanted_members {
    std::string role; // empty: every one
    std::string name; // or e-mail address, or part of a name
    bool quoted_name{false};
    std::string role_beside; // the role a prompt with a name has too
    bool count{false};
    bool by_role{false};
};

std::string noun(wanted_members const& wanted, bool one) {
    auto const text = wanted.role.empty() ? std::string("member") : spaced(wanted.role);
    return one ? text : text + 's';
}

bool fits(record const& member, std::string const& name) {
    return name.empty() || names_match(member.text("name"), name) || same_name(member.text("email"), name);
}

std::string line_of(record const& member) {
    auto line = shown(member.text("name")) + " <" + shown(member.text("email")) + ">, " + spaced(member.text("role"));
    if (!member.text("title").empty()) line += ", " + shown(member.text("title"));
    if (member.text("status") != "active") line += " (" + spaced(member.text("status")) + ")";
    return line;
}

std::string by_role(listing const& members) {
    std::vector<std::string> lines;
    for (auto const role : roles) {
        auto const count =
            std::ranges::count_if(members.items, [role](record const& one) { return one.text("role") == role; });
        if (count > 0) lines.push_back(spaced(role) + ": " + number(count));
    }
    return bulleted(lines);
}

std::string answer(listing const& members, wanted_members const& wanted) {
    auto const size = static_cast<std::int64_t>(members.items.size());
    auto const named = wanted.name.empty() ? std::string() : " matching " + in_quotes(wanted.name);
    if (size == 0) return "The organization has no " + noun(wanted, false) + named + ".";
    auto text =
        "The organization has " + counted(size, noun(wanted, true), noun(wanted, false), members.complete) + named;
    if (wanted.by_role) return text + ":" + by_role(members);
    if (wanted.count) return text + ".";
    return text + ":" + bulleted(lines_of(members.items, line_of), members.complete);
}

// Takes a word that names nobody for one that was not understood, unless it is quoted.
std::string answer_to(listing members, wanted_members wanted) {
    auto const named = [&wanted](record const& one) { return fits(one, wanted.name); };
    bool const known = members.items.empty() || wanted.quoted_name || std::ranges::any_of(members.items, named);
    std::string text;
    if (known) std::erase_if(members.items, std::not_fn(named));
    else {
        text = not_understood(wanted.name);
        wanted.name.clear();
        wanted.role = wanted.role_beside;
        std::erase_if(members.items,
                      [&wanted](record const& one) { return !wanted.role.empty() && one.text("role") != wanted.role; });
    }
    return text + answer(members, wanted);
}

plan listing_members(wanted_members const& wanted) {
    return [wanted](desk& work) {
        boost::json::object arguments;
        if (!wanted.role.empty()) arguments["role"] = wanted.role;
        auto const members = work.ask_all("list_members", std::move(arguments), member_pages);
        if (members) work.say(answer_to(*members, wanted));
    };
}

} // namespace

plan match_members(question const& about) {
    auto const& asked = about.asked;
    using enum sense;
    if (asked.has_any({candidate, pipeline, stage, key, audit, deed, failure, revoke, salary})) return nullptr;
    bool const of_roles = asked.says("role");
    if ((asked.has(job) && !of_roles) || asked.has(job_status)) return nullptr;
    auto const* const named_role = asked.first(role);
    if (named_role == nullptr && !asked.has(member) && !(of_roles && asked.has(unknown))) return nullptr;
    bool const asks = asked.has_any({who, what, which, where, list, find, describe, be, auxiliary, count, role});
    if (asked.has(unknown) && !asks) return nullptr;
    wanted_members wanted;
    wanted.name = person_name(asked);
    wanted.by_role = asked.has(per);
    wanted.quoted_name = asked.has(quoted) || is_address(wanted.name);
    if (named_role != nullptr && !wanted.by_role)
        (wanted.name.empty() ? wanted.role : wanted.role_beside) = named_role->value;
    wanted.count = asked.has(count);
    return listing_members(wanted);
}

} // namespace recruiting::auth_api::agent::responder
