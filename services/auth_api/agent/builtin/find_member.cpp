#include "auth_api/agent/builtin/find_member.hpp"

#include "auth_api/agent/builtin/names.hpp"
#include "auth_api/agent/builtin/wording.hpp"

namespace recruiting::auth_api::agent::responder {

std::optional<found_member> find_member(desk& work, std::string const& named) {
    auto const members = work.ask_all("list_members", {}, member_pages);
    if (!members) return std::nullopt;
    std::vector<record> found;
    std::vector<std::string> lines;
    for (auto const& one : members->items) {
        if (!same_name(one.text("email"), named) && !names_match(one.text("name"), named)) continue;
        found.push_back(one);
        lines.push_back(shown(one.text("name")) + " <" + shown(one.text("email")) + ">");
    }
    if (found.size() == 1)
        return found_member{std::string(found.front().text("id")), std::string(found.front().text("name"))};
    if (found.empty()) work.say("I found no member that matches " + in_quotes(named) + ".");
    else
        work.say("Several members match " + in_quotes(named) +
                 ". Ask again with the e-mail address:" + bulleted(lines));
    return std::nullopt;
}

} // namespace recruiting::auth_api::agent::responder
