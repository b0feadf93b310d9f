#include "directory/organizations.hpp"

#include "directory/rules.hpp"
#include "directory/store.hpp"
#include "mail/address.hpp"

namespace recruiting::directory {
namespace {

constexpr std::size_t longest_organization_name = 200;

problems check(pg::client& database, organization const& wanted) {
    problems found;
    found.check("slug", wrong_slug(wanted.slug));
    found.check("name", wrong_text(wanted.name, longest_organization_name));
    if (wanted.website_url) found.check("websiteUrl", wrong_url(*wanted.website_url));
    if (wanted.logo_url) found.check("logoUrl", wrong_url(*wanted.logo_url));
    if (wanted.careers_page_url) found.check("careersPageUrl", wrong_url(*wanted.careers_page_url));
    if (wanted.country_code) found.check("countryCode", wrong_country_code(*wanted.country_code));
    // The server reads every zone's file for its list: a tenth of a second that the default need not cost.
    if (wanted.time_zone != "UTC" && !store::is_time_zone(database, wanted.time_zone))
        found.check("timeZone", "must be an IANA time zone such as Europe/Berlin");
    return found;
}

} // namespace

result<organization> create_organization(pg::client& database, organization const& wanted, actor const& by) {
    if (auto const found = check(database, wanted); !found.empty()) return found.error();
    pg::transaction transaction(database);
    auto const id = new_record_id();
    if (!store::insert_organization(database, id, wanted))
        return refusal("slug", "taken", "another organization has the slug " + wanted.slug);
    store::insert_trial(database, id);
    record_change(database, {id, "organization.created", "organization", id}, by);
    auto created = store::select_organization(database, wanted.slug);
    transaction.commit();
    return std::move(created.value());
}

result<organization> find_organization(pg::client& database, std::string_view slug) {
    auto found = store::select_organization(database, slug);
    if (!found) return no_organization(slug);
    return std::move(*found);
}

result<organization> set_room_url(pg::client& database, std::string_view slug, std::optional<std::string> const& url,
                                  actor const& by) {
    problems wrong;
    if (url) wrong.check("roomUrl", mail::room_template_problem(*url));
    if (!wrong.empty()) return wrong.error();
    pg::transaction transaction(database);
    auto const id = store::lock_organization(database, slug);
    if (!id) return no_organization(slug);
    auto const before = store::select_organization(database, slug).value();
    if (before.room_url == url) return before;
    store::update_room_url(database, *id, url);
    record_change(database, {*id, "organization.room_url_changed", "organization", *id}, by);
    auto now = store::select_organization(database, slug).value();
    transaction.commit();
    return now;
}

std::vector<organization> list_organizations(pg::client& database) { return store::select_organizations(database); }

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
    if (!organization_id) return no_organization(slug);
    return subject{*organization_id, store::select_member(database, *organization_id, email)};
}

bool is_last_admin(pg::client& database, uuid const& organization_id, member const& found) {
    return found.held == role::admin && found.status == "active" &&
           store::count_other_admins(database, organization_id, found.id) == 0;
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

// Changes the member under the organization's lock. change returns whether it changed anything, or why it may not.
template <class Change>
result<member_change> change_member(pg::client& database, std::string_view slug, std::string_view email,
                                    std::string_view action, actor const& by, Change const& change) {
    pg::transaction transaction(database);
    auto const locked = lock_subject(database, slug, email);
    if (!locked) return locked.error();
    auto const& [organization_id, found] = *locked;
    if (!found) return absent(std::string(email) + " is not a member of " + std::string(slug));
    result<bool> const changed = change(organization_id, *found);
    if (!changed) return changed.error();
    if (!*changed) return member_change{*found, {}};
    return finish(database, transaction, organization_id, email, action, by);
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
    auto const change = [&](uuid const& organization_id, member const& found) -> result<bool> {
        if (found.status == "removed") return was_removed(email);
        if (found.held == wanted) return false;
        if (is_last_admin(database, organization_id, found)) return last_admin("demoted");
        store::update_role(database, found.id, wanted);
        return true;
    };
    return change_member(database, slug, email, "member.role_changed", by, change);
}

result<member_change> set_member_join_url(pg::client& database, std::string_view slug, std::string_view email,
                                          std::optional<std::string> const& url, actor const& by) {
    problems wrong;
    if (url) wrong.check("joinUrl", mail::meeting_url_problem(*url));
    if (!wrong.empty()) return wrong.error();
    auto const change = [&](uuid const&, member const& found) -> result<bool> {
        if (found.status == "removed") return was_removed(email);
        if (found.join_url == url) return false;
        store::update_join_url(database, found.id, url);
        return true;
    };
    return change_member(database, slug, email, "member.join_url_changed", by, change);
}

result<member_change> remove_member(pg::client& database, std::string_view slug, std::string_view email,
                                    actor const& by) {
    auto const change = [&](uuid const& organization_id, member const& found) -> result<bool> {
        if (found.status == "removed") return false;
        if (is_last_admin(database, organization_id, found)) return last_admin("removed");
        store::remove_member(database, found.id);
        return true;
    };
    return change_member(database, slug, email, "member.removed", by, change);
}

result<member_change> restore_member(pg::client& database, std::string_view slug, std::string_view email,
                                     actor const& by) {
    auto const change = [&](uuid const&, member const& found) -> result<bool> {
        if (found.status != "removed") return false;
        store::revive_member(database, found.id, found.held, std::nullopt);
        return true;
    };
    return change_member(database, slug, email, "member.restored", by, change);
}

result<std::vector<member>> list_members(pg::client& database, std::string_view slug, bool with_removed) {
    auto const organization = store::select_organization(database, slug);
    if (!organization) return no_organization(slug);
    return store::select_members(database, organization->id, with_removed);
}

} // namespace recruiting::directory
