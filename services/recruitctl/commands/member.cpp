// member add, invite, set-role, set-name, set-join-url, remove, restore, sign-in-link, list.
#include "auth/session.hpp"
#include "core/url.hpp"
#include "directory/organizations.hpp"
#include "mail/address.hpp"
#include "recruitctl/command.hpp"
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
int report(invocation& call, result<directory::member_change> outcome, std::string_view sentence) {
    auto const change = or_fail(std::move(outcome));
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
    return report(call, directory::invite_member(call.database(), call.get("--organization"), wanted_member(call)),
                  "invited");
}

int set_role(invocation& call) {
    auto const wanted = role_of(call.get("--role"));
    auto const change =
        directory::set_member_role(call.database(), call.get("--organization"), call.get("--email"), wanted);
    return report(call, change, "has a new role");
}

int set_name(invocation& call) {
    auto const change = or_fail(directory::set_member_name(call.database(), call.get("--organization"),
                                                           call.get("--email"), call.get("--name")));
    return report(call, change, "is now " + change.now.name);
}

int set_join_url(invocation& call) {
    auto const change = or_fail(directory::set_member_join_url(call.database(), call.get("--organization"),
                                                               call.get("--email"), call.url_or_clear()));
    if (call.json()) return report(call, change, "");
    call.out << change.now.email << " meets at " << shown(change.now.join_url) << '\n';
    return done;
}

int remove_member(invocation& call) {
    return report(call, directory::remove_member(call.database(), call.get("--organization"), call.get("--email")),
                  "removed");
}

int restore(invocation& call) {
    return report(call, directory::restore_member(call.database(), call.get("--organization"), call.get("--email")),
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

// sign-in-link: for a first start and where no mail arrives.

constexpr std::chrono::minutes least_lifetime{1};
constexpr std::chrono::hours most_lifetime{24};

// The link signs in to this organization; an invited member joins with it. The audit log says that an operator made it.
constexpr std::string_view insert_link_sql = R"(
WITH member AS (
    SELECT m.id, m.organization_id, m.user_id, m.email, u.email_key
      FROM recruiting.memberships m
      JOIN recruiting.users u ON u.id = m.user_id
      JOIN recruiting.organizations o ON o.id = m.organization_id
     WHERE o.slug = $1::text AND u.email_key = $2::text AND m.status IN ('active', 'invited')),
link AS (
    INSERT INTO recruiting.sign_in_tokens (hash, user_id, membership_id, email_key, expires_at, by_operator)
    SELECT $3::bytea, user_id, id, email_key, clock_timestamp() + $4::bigint * interval '1 millisecond', true FROM member
    RETURNING expires_at),
written AS (
    INSERT INTO recruiting.audit_log (id, occurred_at, organization_id, actor_type, action, target_type, target_id, success)
    SELECT gen_random_uuid(), clock_timestamp(), organization_id, 'system', 'member.sign_in_link_created', 'member',
           replace(id::text, '-', ''), true
      FROM member)
SELECT member.email, link.expires_at FROM member, link)";

std::string public_url_of(invocation const& call) {
    auto const url = call.find("--url");
    auto const base = url ? *url : call.setting("RECRUITING_PUBLIC_URL").value_or("");
    if (base.empty()) throw usage_error("give --url, or set RECRUITING_PUBLIC_URL: where browsers reach the gateway");
    if (!is_origin(base)) throw usage_error("--url must be http:// or https:// and a host, without a path");
    return base;
}

std::chrono::milliseconds lifetime_of(invocation const& call) {
    auto const lifetime = parse_duration(call.find("--expires-in").value_or("15m"));
    if (!lifetime || *lifetime < least_lifetime || *lifetime > most_lifetime)
        throw usage_error("--expires-in must be a duration from 1m to 24h");
    return *lifetime;
}

int sign_in_link(invocation& call) {
    auto const base = public_url_of(call);
    auto const token = auth::new_session_secret();
    pg::params values;
    auto const email_given = call.get("--email");
    values.text(call.get("--organization")).text(mail::canonical_address(email_given).value_or(email_given));
    values.bytes(bytes_of(auth::hash_sign_in_token(token))).integer(lifetime_of(call).count());
    auto const made = call.database().run(insert_link_sql, values);
    if (made.empty()) throw failure("no one with this address is a member of this organization, or invited");
    auto const link = base + "/console/sign-in#token=" + token;
    std::string const email(made.text(0, 0));
    auto const until = format_time(made.time(0, 1));
    if (call.json()) print_json(call.out, {{"email", email}, {"url", link}, {"expiresAt", until}});
    else call.out << link << '\n';
    call.err << "Signs in " << email << ", once, until " << until << ".\n";
    return done;
}

} // namespace

std::vector<command> member_commands() {
    option const organization{"--organization", "SLUG", "organization slug", true};
    option const email{"--email", "E-MAIL", "e-mail address, in any spelling", true};
    std::string const roles = "admin, recruiter, hiring_manager, interviewer or viewer";
    std::vector<option> const of_new_member{
        organization,
        email,
        {"--name", "NAME", "name in this organization; required for a person who is new to all organizations"},
        {"--role", "ROLE", roles + " (viewer)"},
        {"--title", "TITLE", "job title"}};
    return {
        {"member add", "Add a member, or restore a removed one with a new role.", of_new_member, add_member},
        {"member invite", "Invite a new or removed member by e-mail with a sign-in link.", of_new_member, invite_member,
         "The member's status is invited until the first sign-in to the console, then active. auth-api sends the "
         "e-mail."},
        {"member set-role",
         "Change a member's role. It applies to their API keys at the next request.",
         {organization, email, {"--role", "ROLE", roles, true}},
         set_role,
         "An organization's last admin cannot be demoted."},
        {"member set-name",
         "Change a member's name in this organization.",
         {organization, email, {"--name", "NAME", "new name", true}},
         set_name,
         "Other organizations that the person belongs to keep the name they use."},
        {"member set-join-url",
         "Set an interviewer's meeting address, used for slots without one.",
         {organization,
          email,
          {"--url", "URL", "https:// address that join links open at the time of the interview"},
          {"--clear", "", "remove the address"}},
         set_join_url,
         "Applies at once, also to interviews that are booked already. If neither the slot nor the interviewer has an "
         "address, join links lead to a room of the organization (organization set-room-url)."},
        {"member remove",
         "Remove a member. Their API keys stop working at the next request but are not deleted.",
         {organization, email},
         remove_member,
         "An organization's last admin cannot be removed."},
        {"member restore",
         "Restore a removed member with their former role. Their API keys work again.",
         {organization, email},
         restore},
        {"member sign-in-link",
         "Print a single-use link that signs a member in to the console.",
         {organization,
          email,
          {"--url", "URL", "the gateway's URL for browsers (RECRUITING_PUBLIC_URL)"},
          {"--expires-in", "DURATION", "lifetime of the link, 1m to 24h (15m)"}},
         sign_in_link,
         "Anyone who has the link can sign in as this member, also where members must sign in with OpenID Connect. The "
         "audit log records its creation."},
        {"member list", "List the members.", {organization, {"--all", "", "removed ones too"}}, list_member, ""},
    };
}

} // namespace recruiting::recruitctl
