#include "directory/organizations.hpp"

#include "core/text.hpp"
#include "directory/rules.hpp"
#include "directory/store.hpp"
#include "html/text.hpp"
#include "mail/address.hpp"
#include "mail/meeting_url.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace recruiting::directory {
namespace {

constexpr std::size_t longest_organization_name = 200;
constexpr std::size_t longest_introduction = 10'000;      // characters, as the schema has it
constexpr std::int64_t shortest_candidate_retention = 30; // days, as the schema has them
constexpr std::int64_t longest_candidate_retention = 3650;

void check_branding(problems& found, organization const& wanted) {
    if (wanted.logo_url) found.check("logoUrl", wrong_url(*wanted.logo_url));
    if (wanted.accent_color) found.check("accentColor", wrong_accent_color(*wanted.accent_color));
    if (wanted.share_image_url) found.check("shareImageUrl", wrong_url(*wanted.share_image_url));
    if (wanted.apply_url) found.check("applyUrl", wrong_apply_url(*wanted.apply_url));
    if (wanted.introduction_html && count_characters(*wanted.introduction_html) > longest_introduction)
        found.add("introductionHtml", "too_long",
                  "must have at most " + std::to_string(longest_introduction) + " characters of HTML");
}

// nullopt where nothing of the text is kept.
std::optional<std::string> introduction_of(std::optional<std::string> const& given) {
    auto kept = given ? html::sanitize(*given) : std::string();
    return kept.empty() ? std::nullopt : std::optional(std::move(kept));
}

problems check(pg::client& database, organization const& wanted) {
    problems found;
    found.check("slug", wrong_slug(wanted.slug));
    found.check("name", wrong_text(wanted.name, longest_organization_name));
    if (wanted.website_url) found.check("websiteUrl", wrong_url(*wanted.website_url));
    check_branding(found, wanted);
    if (wanted.careers_page_url) found.check("careersPageUrl", wrong_url(*wanted.careers_page_url));
    if (wanted.country_code) found.check("countryCode", wrong_country_code(*wanted.country_code));
    // The server reads every zone's file for its list: a tenth of a second that the default need not cost.
    if (wanted.time_zone != "UTC" && !store::is_time_zone(database, wanted.time_zone))
        found.check("timeZone", "must be an IANA time zone such as Europe/Berlin");
    return found;
}

} // namespace

result<organization> create_organization(pg::client& database, organization wanted, actor const& by) {
    wanted.introduction_html = introduction_of(wanted.introduction_html);
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

namespace {

// Is it a change? given: the value to set, nullopt keeps the one before.
bool replace(std::optional<std::string>& value, std::optional<std::string> const& given) {
    if (!given) return false;
    auto const wanted = given->empty() ? std::nullopt : given;
    return std::exchange(value, wanted) != wanted;
}

// Changes the organization under its lock. change returns whether it changed anything, or why it may not.
template <class Change>
result<organization> change_organization(pg::client& database, std::string_view slug, std::string_view action,
                                         actor const& by, Change const& change) {
    pg::transaction transaction(database);
    if (!store::lock_organization(database, slug)) return no_organization(slug);
    auto wanted = store::select_organization(database, slug).value();
    result<bool> const changed = change(wanted);
    if (!changed) return changed.error();
    if (!*changed) return wanted;
    store::update_organization(database, wanted);
    record_change(database, {wanted.id, action, "organization", wanted.id}, by);
    auto now = store::select_organization(database, slug).value();
    transaction.commit();
    return now;
}

} // namespace

result<organization> set_branding(pg::client& database, std::string_view slug, branding_change const& wanted,
                                  actor const& by) {
    auto const introduction =
        wanted.introduction_html ? std::optional(introduction_of(wanted.introduction_html).value_or("")) : std::nullopt;
    auto const change = [&](organization& of) -> result<bool> {
        std::array const changes = {
            replace(of.logo_url, wanted.logo_url), replace(of.accent_color, wanted.accent_color),
            replace(of.share_image_url, wanted.share_image_url), replace(of.apply_url, wanted.apply_url),
            replace(of.introduction_html, introduction)};
        problems wrong;
        check_branding(wrong, of);
        if (!wrong.empty()) return wrong.error();
        return std::ranges::find(changes, true) != changes.end();
    };
    return change_organization(database, slug, "organization.branding_changed", by, change);
}

result<organization> set_room_url(pg::client& database, std::string_view slug, std::optional<std::string> const& url,
                                  actor const& by) {
    problems wrong;
    if (url) wrong.check("roomUrl", mail::room_template_problem(*url));
    if (!wrong.empty()) return wrong.error();
    auto const change = [&](organization& of) -> result<bool> { return std::exchange(of.room_url, url) != url; };
    return change_organization(database, slug, "organization.room_url_changed", by, change);
}

namespace {

std::optional<std::string> wrong_candidate_retention(std::int64_t days) {
    if (days >= shortest_candidate_retention && days <= longest_candidate_retention) return std::nullopt;
    return "must be " + std::to_string(shortest_candidate_retention) + " to " +
           std::to_string(longest_candidate_retention) + " days";
}

} // namespace

result<organization> set_candidate_retention(pg::client& database, std::string_view slug,
                                             std::optional<std::int64_t> days, actor const& by) {
    problems wrong;
    if (days) wrong.check("candidateRetentionDays", wrong_candidate_retention(*days));
    if (!wrong.empty()) return wrong.error();
    auto const change = [&](organization& of) -> result<bool> {
        return std::exchange(of.candidate_retention_days, days) != days;
    };
    return change_organization(database, slug, "organization.candidate_retention_changed", by, change);
}

result<retention_preview> preview_candidate_retention(pg::client& database, std::string_view slug, std::int64_t days,
                                                      std::int64_t most) {
    problems wrong;
    wrong.check("candidateRetentionDays", wrong_candidate_retention(days));
    if (!wrong.empty()) return wrong.error();
    auto const of = store::select_organization(database, slug);
    if (!of) return no_organization(slug);
    return store::select_retention_preview(database, of->id, days, most);
}

std::vector<organization> list_organizations(pg::client& database) { return store::select_organizations(database); }

namespace {

constexpr std::size_t longest_member_name = 200;
constexpr std::size_t most_title = 200;

// How a member comes in: at once, or when they sign in.
struct entry {
    std::string_view status;
    std::string_view action;
    std::string_view action_of_removed;
};
constexpr entry at_once{"active", "member.added", "member.restored"};
constexpr entry by_invitation{"invited", "member.invited", "member.invited"};

// The organization locked, and the member if there is one.
struct subject {
    uuid organization_id;
    std::optional<member> found;
};

// Another admin may have demoted or removed the actor while they waited for the lock.
result<subject> lock_subject(pg::client& database, std::string_view slug, member_selector const& which,
                             actor const& by) {
    auto const organization_id = store::lock_organization(database, slug);
    if (!organization_id) return no_organization(slug);
    if (by.member_id && !store::acts_as_admin(database, *organization_id)) return role_needed({role::admin});
    return subject{*organization_id, store::select_member(database, *organization_id, which)};
}

bool is_last_admin(pg::client& database, uuid const& organization_id, member const& found) {
    return found.held == role::admin && found.status == "active" &&
           store::count_other_admins(database, organization_id, found.id) == 0;
}

api_error no_member(std::string_view slug, member_selector const& which) {
    auto const* const email = std::get_if<std::string_view>(&which);
    auto const named = email != nullptr ? std::string(*email) : to_string(std::get<uuid>(which));
    return absent(named + " is not a member of " + std::string(slug));
}

api_error was_removed(member const& found) {
    return refusal("email", "removed", found.email + " was removed: restore or add them first");
}

api_error last_admin(std::string_view field, std::string_view what) {
    return refusal(field, "last_admin", "the last admin of an organization can't be " + std::string(what));
}

api_error too_many_invitations(std::int64_t seconds) {
    return rate_limited(
        "invitations", seconds,
        "This organization has sent too many invitations, in total or to this address. Try again later.");
}

// What a change of a member leaves behind.
struct trace {
    std::string_view action;
    actor const& by;
    std::optional<invitation_limits> limits;    // nullopt: none
    std::optional<std::string> mail_language{}; // of an invitation
};

// Records the change and commits it. The member is read again: triggers stamp it. A person who is invited gets a mail.
result<member_change> finish(pg::client& database, pg::transaction& transaction, uuid const& organization_id,
                             member_selector const& which, trace const& left) {
    auto now = store::select_member(database, organization_id, which).value();
    record_change(database, {organization_id, left.action, "member", now.id}, left.by);
    bool const invites = left.action == by_invitation.action || left.action == at_once.action_of_removed;
    if (invites && now.status == "invited") {
        auto const key = mail::canonical_address(now.email).value();
        auto const counted = left.limits ? store::count_invitation(database, organization_id, key, *left.limits)
                                         : store::invitation_count{};
        if (counted.refused_for) return too_many_invitations(*counted.refused_for);
        if (counted.is_mailed) store::insert_invitation(database, now.id, left.mail_language);
    }
    transaction.commit();
    return member_change{std::move(now), std::string(left.action)};
}

// Changes the member under the organization's lock. change returns whether it changed anything, or why it may not.
template <class Change>
result<member_change> change_member(pg::client& database, std::string_view slug, member_selector const& which,
                                    trace const& left, Change const& change) {
    if (auto refused = refuse_unless_admin(left.by)) return *refused;
    pg::transaction transaction(database);
    auto const locked = lock_subject(database, slug, which, left.by);
    if (!locked) return locked.error();
    auto const& [organization_id, found] = *locked;
    if (!found) return no_member(slug, which);
    result<bool> const changed = change(organization_id, *found);
    if (!changed) return changed.error();
    if (!*changed) return member_change{*found, {}};
    return finish(database, transaction, organization_id, found->id, left);
}

result<member_change> take_in(pg::client& database, std::string_view slug, new_member const& wanted, entry const& how,
                              actor const& by, std::optional<invitation_limits> const& limits) {
    if (auto refused = refuse_unless_admin(by)) return *refused;
    problems wrong;
    wrong.check("email", wrong_email(wanted.email));
    if (wanted.name) wrong.check("name", wrong_text(*wanted.name, longest_member_name));
    if (wanted.title) wrong.check("title", wrong_text(*wanted.title, most_title));
    if (!wrong.empty()) return wrong.error();

    pg::transaction transaction(database);
    auto const locked = lock_subject(database, slug, wanted.email, by);
    if (!locked) return locked.error();
    auto const& [organization_id, found] = *locked;
    if (found && found->status != "removed")
        return refusal("email", "taken", wanted.email + " is a member of " + std::string(slug) + " already");
    store::membership const made{wanted.held, wanted.title, wanted.name, std::string(how.status), wanted.email};
    if (found) {
        store::revive_member(database, found->id, made);
        return finish(database, transaction, organization_id, wanted.email,
                      {how.action_of_removed, by, limits, wanted.language});
    }
    auto const user_id =
        store::find_or_insert_user(database, mail::canonical_address(wanted.email).value(), wanted.name);
    if (!user_id) return refusal("name", "missing", wanted.email + " is a new person: a name is required");
    store::insert_member(database, organization_id, *user_id, made);
    return finish(database, transaction, organization_id, wanted.email, {how.action, by, limits, wanted.language});
}

} // namespace

result<member_change> add_member(pg::client& database, std::string_view slug, new_member const& wanted,
                                 actor const& by) {
    return take_in(database, slug, wanted, at_once, by, {});
}

result<member_change> invite_member(pg::client& database, std::string_view slug, new_member const& wanted,
                                    actor const& by, std::optional<invitation_limits> const& limits) {
    return take_in(database, slug, wanted, by_invitation, by, limits);
}

result<member_change> set_member_role(pg::client& database, std::string_view slug, member_selector const& which,
                                      role wanted, actor const& by) {
    auto const change = [&](uuid const& organization_id, member const& found) -> result<bool> {
        if (found.status == "removed") return was_removed(found);
        if (found.held == wanted) return false;
        if (is_last_admin(database, organization_id, found)) return last_admin("role", "demoted");
        store::update_role(database, found.id, wanted);
        return true;
    };
    return change_member(database, slug, which, {"member.role_changed", by, {}}, change);
}

result<member_change> set_member_name(pg::client& database, std::string_view slug, member_selector const& which,
                                      std::string const& name, actor const& by) {
    problems wrong;
    wrong.check("name", wrong_text(name, longest_member_name));
    if (!wrong.empty()) return wrong.error();
    auto const change = [&](uuid const&, member const& found) -> result<bool> {
        if (found.status == "removed") return was_removed(found);
        if (found.name == name) return false;
        store::update_member_name(database, found.id, name);
        return true;
    };
    return change_member(database, slug, which, {"member.name_changed", by, {}}, change);
}

result<member_change> set_member_join_url(pg::client& database, std::string_view slug, std::string_view email,
                                          std::optional<std::string> const& url, actor const& by) {
    problems wrong;
    if (url) wrong.check("joinUrl", mail::meeting_url_problem(*url));
    if (!wrong.empty()) return wrong.error();
    auto const change = [&](uuid const&, member const& found) -> result<bool> {
        if (found.status == "removed") return was_removed(found);
        if (found.join_url == url) return false;
        store::update_join_url(database, found.id, url);
        return true;
    };
    return change_member(database, slug, email, {"member.join_url_changed", by, {}}, change);
}

result<member_change> remove_member(pg::client& database, std::string_view slug, member_selector const& which,
                                    actor const& by) {
    auto const change = [&](uuid const& organization_id, member const& found) -> result<bool> {
        if (found.status == "removed") return false;
        if (is_last_admin(database, organization_id, found)) return last_admin("email", "removed");
        store::remove_member(database, found.id);
        return true;
    };
    return change_member(database, slug, which, {"member.removed", by, {}}, change);
}

result<member_change> restore_member(pg::client& database, std::string_view slug, member_selector const& which,
                                     actor const& by, std::optional<invitation_limits> const& limits) {
    auto const change = [&](uuid const&, member const& found) -> result<bool> {
        if (found.status != "removed") return false;
        store::revive_member(database, found.id, {.held = found.held});
        return true;
    };
    return change_member(database, slug, which, {at_once.action_of_removed, by, limits}, change);
}

result<member_change> renew_invitation(pg::client& database, std::string_view slug, member_selector const& which,
                                       actor const& by, std::optional<invitation_limits> const& limits) {
    auto const change = [&](uuid const&, member const& found) -> result<bool> {
        if (found.status == "invited") return true;
        return refusal("email", "not_invited", found.email + " is " + found.status + ", not invited");
    };
    return change_member(database, slug, which, {by_invitation.action, by, limits}, change);
}

result<std::vector<member>> list_members(pg::client& database, std::string_view slug, bool with_removed) {
    auto const organization = store::select_organization(database, slug);
    if (!organization) return no_organization(slug);
    return store::select_members(database, organization->id, with_removed);
}

} // namespace recruiting::directory
