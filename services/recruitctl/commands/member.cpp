// member add, invite, set-role, remove, restore, list. sign_in_link.cpp has sign-in-link.
#include "directory/organizations.hpp"
#include "recruitctl/command.hpp"
#include "recruitctl/commands/sign_in_link.hpp"
#include "recruitctl/commands/slot_options.hpp"
#include "recruitctl/output.hpp"

#include <ostream>

namespace recruiting::recruitctl {
namespace {

boost::json::object to_json(directory::member const& m) {
    return {{"id", to_string(m.id)},
            {"email", m.email},
            {"name", m.name},
            {"title", json_text(m.title)},
            {"role", to_string(m.held)},
            {"status", m.status},
            {"joinUrl", json_text(m.join_url)},
            {"createdAt", format_time(m.created_at)},
            {"updatedAt", format_time(m.updated_at)},
            {"deletedAt", json_time(m.removed_at)}};
}

role role_of(std::string const& text) {
    auto const parsed = parse_role(text);
    if (!parsed) throw usage_error("--role must be admin, recruiter, hiring_manager, interviewer or viewer");
    return *parsed;
}

// One sentence for people, the member for programs.
int report(invocation& call, directory::member_change const& change, std::string_view sentence) {
    if (call.json()) {
        auto document = to_json(change.now);
        document["changed"] = !change.action.empty();
        print_json(call.out, document);
    } else if (change.action.empty()) {
        call.out << change.now.email << " is so already: " << change.now.status << ", " << to_string(change.now.held)
                 << '\n';
    } else {
        call.out << change.now.email << ' ' << sentence << ", " << to_string(change.now.held) << ", member "
                 << to_string(change.now.id) << '\n';
    }
    return done;
}

directory::new_member wanted_member(invocation const& call) {
    directory::new_member wanted;
    wanted.email = call.get("--email");
    wanted.name = call.find("--name");
    wanted.held = role_of(call.find("--role").value_or("viewer"));
    wanted.title = call.find("--title");
    return wanted;
}

int add_member(invocation& call) {
    auto const change =
        or_fail(directory::add_member(call.database(), call.get("--organization"), wanted_member(call)));
    return report(call, change, change.action == "member.restored" ? "added again" : "added");
}

int invite_member(invocation& call) {
    auto const change =
        or_fail(directory::invite_member(call.database(), call.get("--organization"), wanted_member(call)));
    return report(call, change, "invited");
}

int set_role(invocation& call) {
    auto const wanted = role_of(call.get("--role"));
    return report(
        call,
        or_fail(directory::set_member_role(call.database(), call.get("--organization"), call.get("--email"), wanted)),
        "has a new role");
}

int set_join_url(invocation& call) {
    auto const change = or_fail(directory::set_member_join_url(call.database(), call.get("--organization"),
                                                               call.get("--email"), url_or_clear(call)));
    if (call.json()) return report(call, change, "");
    call.out << change.now.email << " meets at " << shown(change.now.join_url) << '\n';
    return done;
}

int remove_member(invocation& call) {
    return report(call,
                  or_fail(directory::remove_member(call.database(), call.get("--organization"), call.get("--email"))),
                  "removed");
}

int restore(invocation& call) {
    return report(call,
                  or_fail(directory::restore_member(call.database(), call.get("--organization"), call.get("--email"))),
                  "restored");
}

int list_member(invocation& call) {
    auto const members =
        or_fail(directory::list_members(call.database(), call.get("--organization"), call.has("--all")));
    auto const cells = [](directory::member const& m) -> std::vector<std::string> {
        return {m.email, m.name, std::string(to_string(m.held)), m.status, shown(m.title), to_string(m.id)};
    };
    return print_list(
        call, {"email", "name", "role", "status", "title", "id"}, members, [](auto const& m) { return to_json(m); },
        cells);
}

} // namespace

std::vector<command> member_commands() {
    option const organization{"--organization", "SLUG", "of which organization", true};
    option const email{"--email", "E-MAIL", "who; upper and lower case are the same", true};
    std::string const roles = "admin, recruiter, hiring_manager, interviewer or viewer";
    std::vector<option> const of_new_member{
        organization,
        email,
        {"--name", "NAME", "needed for a person not known yet; a known person keeps theirs"},
        {"--role", "ROLE", roles + " (viewer)"},
        {"--title", "TITLE", "what they do there"}};
    return {
        {"member add", "Add a member, or one who was removed again.", of_new_member, add_member},
        {"member invite", "Invite a member, or one who was removed again, by an e-mail with a sign-in link.",
         of_new_member, invite_member,
         "The member is active from the first sign-in to the console on; until then the status is invited. auth-api "
         "sends "
         "the e-mail."},
        {"member set-role",
         "Give a member another role. Their API keys follow at the next request.",
         {organization, email, {"--role", "ROLE", roles, true}},
         set_role,
         "The last admin of an organization can't be demoted."},
        {"member set-join-url",
         "Set where an interviewer meets candidates, for slots that have no address of their own.",
         {organization,
          email,
          {"--url", "URL", "an https:// address; join links lead there at the time of an interview"},
          {"--clear", "", "remove the address"}},
         set_join_url,
         "Applies at once, also to interviews that are booked already. If neither the slot nor the interviewer has an "
         "address, join links lead to a room of the organization (organization set-room-url)."},
        {"member remove",
         "Remove a member. Their API keys stop working at the next request, and are kept.",
         {organization, email},
         remove_member,
         "The last admin of an organization can't be removed."},
        {"member restore",
         "Take a removed member back, with the role they had. Their API keys work again.",
         {organization, email},
         restore},
        sign_in_link_command(organization, email),
        {"member list", "List the members.", {organization, {"--all", "", "removed ones too"}}, list_member, ""},
    };
}

} // namespace recruiting::recruitctl
