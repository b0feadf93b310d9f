// Organizations as operations.
#include "directory/organizations.hpp"
#include "support/catch.hpp"
#include "support/database.hpp"
#include "support/directory.hpp"

namespace organizations_test {
using namespace recruiting;
using namespace recruiting::directory;
using recruiting::test::new_slug;
using recruiting::test::shared_database;

TEST_CASE("an organization is created with everything given, and a trial", "[directory]") {
    auto& database = shared_database().owner();
    organization wanted;
    wanted.slug = new_slug();
    wanted.name = "Ünïcode GmbH";
    wanted.website_url = "https://unicode.example";
    wanted.careers_page_url = "https://unicode.example/jobs";
    wanted.logo_url = "https://unicode.example/logo.svg";
    wanted.accent_color = "#0b5fff";
    wanted.share_image_url = "https://unicode.example/share.png";
    wanted.apply_url = "mailto:jobs@unicode.example";
    wanted.time_zone = "Europe/Berlin";
    wanted.country_code = "DE";
    auto const made = create_organization(database, wanted);
    REQUIRE(made.has_value());
    auto const found = find_organization(database, wanted.slug);
    REQUIRE(found.has_value());
    REQUIRE(found->id == made->id);
    REQUIRE(found->name == wanted.name);
    REQUIRE(found->website_url == wanted.website_url);
    REQUIRE(found->careers_page_url == wanted.careers_page_url);
    REQUIRE(found->logo_url == wanted.logo_url);
    REQUIRE(found->accent_color == wanted.accent_color);
    REQUIRE(found->share_image_url == wanted.share_image_url);
    REQUIRE(found->apply_url == wanted.apply_url);
    REQUIRE(found->time_zone == "Europe/Berlin");
    REQUIRE(found->country_code == "DE");
    REQUIRE(found->member_count == 0);
    auto const trial = database.run("SELECT status, current_period_end > now() FROM recruiting.subscriptions "
                                    "WHERE organization_id = $1",
                                    pg::params{}.id(made->id));
    REQUIRE(trial.size() == 1);
    REQUIRE(trial.text(0, 0) == "trialing");
    REQUIRE(trial.boolean(0, 1));
    auto const audited =
        database.run("SELECT action, actor_type FROM audit_rows WHERE organization_id = $1", pg::params{}.id(made->id));
    REQUIRE(audited.size() == 1);
    REQUIRE(audited.text(0, 0) == "organization.created");
    REQUIRE(audited.text(0, 1) == "system");
}

TEST_CASE("a taken slug is refused, and leaves nothing behind", "[directory]") {
    auto& database = shared_database().owner();
    organization wanted;
    wanted.slug = new_slug();
    wanted.name = "One";
    REQUIRE(create_organization(database, wanted).has_value());
    wanted.name = "Two";
    auto const again = create_organization(database, wanted);
    REQUIRE(again.has_error());
    REQUIRE(again.error().details.front().reason == "taken");
    REQUIRE(find_organization(database, wanted.slug)->name == "One");
}

TEST_CASE("everything wrong with an organization is told at once", "[directory]") {
    organization wanted;
    wanted.slug = "No Slug";
    wanted.website_url = "ftp://x";
    wanted.logo_url = "x";
    wanted.accent_color = "red";
    wanted.share_image_url = "mailto:jobs@acme.example";
    wanted.apply_url = "javascript:alert(1)";
    wanted.careers_page_url = "";
    wanted.time_zone = "Mars/Olympus";
    wanted.country_code = "de";
    auto const refused = create_organization(shared_database().owner(), wanted);
    REQUIRE(refused.has_error());
    REQUIRE(refused.error().code == error_code::invalid_request);
    std::vector<std::string> fields;
    for (auto const& detail : refused.error().details) fields.push_back(detail.field);
    REQUIRE(fields == std::vector<std::string>{"slug", "name", "websiteUrl", "logoUrl", "accentColor", "shareImageUrl",
                                               "applyUrl", "careersPageUrl", "countryCode", "timeZone"});
}

TEST_CASE("an organization's looks are changed alone, removed with an empty value, and logged", "[directory]") {
    auto& database = shared_database().owner();
    auto const slug = new_slug();
    auto const made = test::make_organization(database, slug);
    auto const logged = [&] {
        return database
            .run("SELECT FROM audit_rows WHERE organization_id = $1 AND action = 'organization.branding_changed'",
                 pg::params{}.id(made.id))
            .size();
    };
    branding_change wanted;
    wanted.accent_color = "#ffd400";
    wanted.apply_url = "https://acme.example/apply";
    REQUIRE(set_branding(database, slug, wanted)->accent_color == "#ffd400");
    REQUIRE(logged() == 1);
    REQUIRE(set_branding(database, slug, wanted)->apply_url == "https://acme.example/apply");
    REQUIRE(logged() == 1); // nothing changed
    branding_change removal;
    removal.accent_color = "";
    removal.logo_url = "";
    auto const now = set_branding(database, slug, removal);
    REQUIRE(now->accent_color == std::nullopt);
    REQUIRE(now->logo_url == std::nullopt);
    REQUIRE(now->apply_url == "https://acme.example/apply");
    REQUIRE(logged() == 2);

    branding_change introduced;
    introduced.introduction_html = "<script>x</script><h1>Robots</h1><p onclick=y>We build <b>robots</b></p>";
    std::string const kept = "<h2>Robots</h2><p>We build <strong>robots</strong></p>";
    REQUIRE(set_branding(database, slug, introduced)->introduction_html == kept);
    REQUIRE(set_branding(database, slug, introduced)->introduction_html == kept);
    REQUIRE(logged() == 3); // the second time nothing changed
    introduced.introduction_html = "<p>" + std::string(9'994, 'x') + "</p>";
    REQUIRE(set_branding(database, slug, introduced).error().details.front().field == "introductionHtml");
    introduced.introduction_html = "<p>" + std::string(9'993, 'x') + "</p>";
    REQUIRE(set_branding(database, slug, introduced)->introduction_html == introduced.introduction_html);
    introduced.introduction_html = "<script>nothing is kept</script>";
    REQUIRE(set_branding(database, slug, introduced)->introduction_html == std::nullopt);

    branding_change bad;
    bad.logo_url = "x";
    bad.accent_color = "blue";
    bad.share_image_url = "ftp://x";
    bad.apply_url = "tel:1";
    auto const refused = set_branding(database, slug, bad);
    REQUIRE(refused.has_error());
    REQUIRE(refused.error().details.size() == 4);
    REQUIRE(find_organization(database, slug)->apply_url == "https://acme.example/apply");
    REQUIRE(set_branding(database, "no-such-slug", wanted).error().code == error_code::not_found);
}

TEST_CASE("time zones are IANA names", "[directory]") {
    for (auto const* zone : {"UTC", "America/Argentina/Buenos_Aires"}) {
        organization wanted;
        wanted.slug = new_slug();
        wanted.name = "x";
        wanted.time_zone = zone;
        REQUIRE(create_organization(shared_database().owner(), wanted).has_value());
    }
    for (auto const* zone : {"", "posix/UTC", "localtime", "UTC+3", "europe/berlin '"}) {
        organization wanted;
        wanted.slug = new_slug();
        wanted.name = "x";
        wanted.time_zone = zone;
        CAPTURE(zone);
        REQUIRE(create_organization(shared_database().owner(), wanted).has_error());
    }
}

TEST_CASE("organizations are listed by slug", "[directory]") {
    auto& database = shared_database().owner();
    auto const slug = new_slug();
    test::make_organization(database, slug);
    auto const listed = list_organizations(database);
    auto const mine = std::find_if(listed.begin(), listed.end(), [&](auto const& o) { return o.slug == slug; });
    REQUIRE(mine != listed.end());
    REQUIRE(mine->member_count == 1);
    REQUIRE(std::is_sorted(listed.begin(), listed.end(), [](auto const& a, auto const& b) { return a.slug < b.slug; }));
    REQUIRE(find_organization(database, "no-such-slug").error().code == error_code::not_found);
}

} // namespace organizations_test
