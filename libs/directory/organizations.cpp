#include "directory/organizations.hpp"

#include "directory/change_store.hpp"
#include "directory/organization_store.hpp"
#include "directory/rules.hpp"
#include "mail/meeting_url.hpp"

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
    if (!found) return absent("there is no organization with the slug " + std::string(slug));
    return std::move(*found);
}

result<organization> set_room_url(pg::client& database, std::string_view slug, std::optional<std::string> const& url,
                                  actor const& by) {
    problems wrong;
    if (url) wrong.check("roomUrl", mail::room_template_problem(*url));
    if (!wrong.empty()) return wrong.error();
    pg::transaction transaction(database);
    auto const id = store::lock_organization(database, slug);
    if (!id) return absent("there is no organization with the slug " + std::string(slug));
    auto const before = store::select_organization(database, slug).value();
    if (before.room_url == url) return before;
    store::update_room_url(database, *id, url);
    record_change(database, {*id, "organization.room_url_changed", "organization", *id}, by);
    auto now = store::select_organization(database, slug).value();
    transaction.commit();
    return now;
}

std::vector<organization> list_organizations(pg::client& database) { return store::select_organizations(database); }

} // namespace recruiting::directory
