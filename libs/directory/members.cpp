#include "directory/members.hpp"

#include "directory/change_store.hpp"
#include "directory/member_store.hpp"
#include "directory/organization_store.hpp"
#include "directory/rules.hpp"
#include "mail/meeting_url.hpp"

namespace recruiting::directory {
namespace {

constexpr std::size_t longest_member_name = 200;
constexpr std::size_t most_title = 200;

// The organization locked, and the member if there is one.
struct subject {
    uuid organization_id;
    std::optional<member> found;
};

result<subject> lock_subject(pg::client& database, std::string_view slug, std::string_view email) {
    auto const organization_id = store::lock_organization(database, slug);
    if (!organization_id) return absent("there is no organization with the slug " + std::string(slug));
    return subject{*organization_id, store::select_member(database, *organization_id, email)};
}

api_error no_member(std::string_view slug, std::string_view email) {
    return absent(std::string(email) + " is not a member of " + std::string(slug));
}

bool is_last_admin(pg::client& database, uuid const& organization_id, member const& who) {
    return who.held == role::admin && who.status == "active" &&
           store::count_other_admins(database, organization_id, who.id) == 0;
}

api_error was_removed(std::string_view email) {
    return refusal("email", "removed", std::string(email) + " was removed: restore or add them first");
}

api_error last_admin(std::string_view what) {
    return refusal("email", "last_admin", "the last admin of an organization can't be " + std::string(what));
}

// Records the change and commits it. The member is read again: triggers stamp it.
member_change finish(pg::client& database, pg::transaction& transaction, uuid const& organization_id,
                     std::string_view email, std::string_view action, actor const& by) {
    auto now = store::select_member(database, organization_id, email).value();
    record_change(database, {organization_id, action, "member", now.id}, by);
    transaction.commit();
    return {std::move(now), std::string(action)};
}

} // namespace

result<member_change> add_member(pg::client& database, std::string_view slug, new_member const& wanted,
                                 actor const& by) {
    problems wrong;
    wrong.check("email", wrong_email(wanted.email));
    if (wanted.name) wrong.check("name", wrong_text(*wanted.name, longest_member_name));
    if (wanted.title) wrong.check("title", wrong_text(*wanted.title, most_title));
    if (!wrong.empty()) return wrong.error();

    pg::transaction transaction(database);
    auto const locked = lock_subject(database, slug, wanted.email);
    if (!locked) return locked.error();
    auto const& [organization_id, found] = *locked;
    if (found && found->status != "removed")
        return refusal("email", "taken", wanted.email + " is a member of " + std::string(slug) + " already");
    if (found) {
        store::revive_member(database, found->id, wanted.held, wanted.title);
        return finish(database, transaction, organization_id, wanted.email, "member.restored", by);
    }
    auto const user_id = store::find_or_insert_user(database, wanted.email, wanted.name);
    if (!user_id) return refusal("name", "missing", wanted.email + " is not known yet: a name is needed");
    store::insert_member(database, organization_id, *user_id, wanted.held, wanted.title);
    return finish(database, transaction, organization_id, wanted.email, "member.added", by);
}

result<member_change> set_member_role(pg::client& database, std::string_view slug, std::string_view email, role wanted,
                                      actor const& by) {
    pg::transaction transaction(database);
    auto const locked = lock_subject(database, slug, email);
    if (!locked) return locked.error();
    auto const& [organization_id, found] = *locked;
    if (!found) return no_member(slug, email);
    if (found->status == "removed") return was_removed(email);
    if (found->held == wanted) return member_change{*found, {}};
    if (is_last_admin(database, organization_id, *found)) return last_admin("demoted");
    store::update_role(database, found->id, wanted);
    return finish(database, transaction, organization_id, email, "member.role_changed", by);
}

result<member_change> set_member_join_url(pg::client& database, std::string_view slug, std::string_view email,
                                          std::optional<std::string> const& url, actor const& by) {
    problems wrong;
    if (url) wrong.check("joinUrl", mail::meeting_url_problem(*url));
    if (!wrong.empty()) return wrong.error();
    pg::transaction transaction(database);
    auto const locked = lock_subject(database, slug, email);
    if (!locked) return locked.error();
    auto const& [organization_id, found] = *locked;
    if (!found) return no_member(slug, email);
    if (found->status == "removed") return was_removed(email);
    if (found->join_url == url) return member_change{*found, {}};
    store::update_join_url(database, found->id, url);
    return finish(database, transaction, organization_id, email, "member.join_url_changed", by);
}

result<member_change> remove_member(pg::client& database, std::string_view slug, std::string_view email,
                                    actor const& by) {
    pg::transaction transaction(database);
    auto const locked = lock_subject(database, slug, email);
    if (!locked) return locked.error();
    auto const& [organization_id, found] = *locked;
    if (!found) return no_member(slug, email);
    if (found->status == "removed") return member_change{*found, {}};
    if (is_last_admin(database, organization_id, *found)) return last_admin("removed");
    store::remove_member(database, found->id);
    return finish(database, transaction, organization_id, email, "member.removed", by);
}

result<member_change> restore_member(pg::client& database, std::string_view slug, std::string_view email,
                                     actor const& by) {
    pg::transaction transaction(database);
    auto const locked = lock_subject(database, slug, email);
    if (!locked) return locked.error();
    auto const& [organization_id, found] = *locked;
    if (!found) return no_member(slug, email);
    if (found->status != "removed") return member_change{*found, {}};
    store::revive_member(database, found->id, found->held, std::nullopt);
    return finish(database, transaction, organization_id, email, "member.restored", by);
}

result<std::vector<member>> list_members(pg::client& database, std::string_view slug, bool with_removed) {
    auto const organization = store::select_organization(database, slug);
    if (!organization) return absent("there is no organization with the slug " + std::string(slug));
    return store::select_members(database, organization->id, with_removed);
}

} // namespace recruiting::directory
