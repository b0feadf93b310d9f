// The catalogue's snapshots: what a builder makes, what a reload asks for, what a thread sees. No I/O.
#include "public_api/catalogue/catalogue.hpp"
#include "public_api/catalogue/catalogue_builder.hpp"
#include "public_api/catalogue/catalogue_keeper.hpp"
#include "public_api/routes.hpp"
#include "support/catch.hpp"
#include "unit/public_api/published_sample.hpp"

namespace catalogue_test {
using namespace recruiting;
using namespace recruiting::public_api;

namespace {

timestamp const noon = *parse_time("2026-06-01T12:00:00Z");
constexpr std::chrono::hours hour{1};

uuid id_of(std::uint8_t first, std::uint8_t last = 0) {
    uuid id;
    id.bytes.front() = first;
    id.bytes.back() = last;
    return id;
}

published_organization organization(std::uint8_t number, std::string slug) {
    published_organization made;
    made.id = id_of(number);
    made.slug = std::move(slug);
    made.name = "Organization";
    made.time_zone = "UTC";
    return made;
}

published_job job(std::uint8_t organization, std::uint8_t number, timestamp published_at = noon) {
    published_job made;
    made.id = id_of(organization, number);
    made.title = "Job " + std::to_string(number);
    made.published_at = published_at;
    made.updated_at = noon;
    return made;
}

catalogue two_organizations() {
    catalogue const nothing;
    return catalogue_builder(nothing, "https://jobs.example")
        .put(organization(1, "acme"), {job(1, 1), job(1, 2, noon + hour), job(1, 3)})
        .put(organization(2, "globex"), {job(2, 1)})
        .build();
}

std::vector<job_version> versions_in(catalogue const& held) {
    std::vector<job_version> versions;
    for (auto const& one : held.organizations())
        for (auto const& its : one->jobs) versions.push_back({one->id, its->id, its->updated_at});
    return versions;
}

published_job shown(catalogue const& in, uuid const& id) {
    auto const found = in.find_job(id, noon);
    return found.organization->whole(*found.job);
}

std::string body_of(catalogue const& in, uuid const& id) {
    return job_body(*in.find_job(id, noon).organization, shown(in, id));
}

std::vector<published_organization> organizations_in(catalogue const& held) {
    std::vector<published_organization> found;
    for (auto const& one : held.organizations()) {
        auto copy = *one;
        copy.jobs.clear();
        found.push_back(std::move(copy));
    }
    return found;
}

// The snapshot after these pages of one reload.
catalogue next_of(catalogue const& base, std::vector<catalogue_reload> pages) {
    catalogue_builder next(base, "");
    for (auto& page : pages) page.put_into(next);
    return next.build();
}

} // namespace

TEST_CASE("before the first load nothing is known, and that is known", "[catalogue]") {
    catalogue const nothing;
    REQUIRE_FALSE(nothing.loaded());
    REQUIRE(nothing.find_organization("acme") == nullptr);
    REQUIRE(nothing.find_job(id_of(1, 1), noon).job == nullptr);
    REQUIRE(catalogue_builder(nothing, "").build().loaded());
}

TEST_CASE("jobs are found by id, organizations by slug, the list is newest first, ties by id", "[catalogue]") {
    auto const held = two_organizations();
    REQUIRE(held.find_job(id_of(2, 1), noon).organization->slug == "globex");
    REQUIRE(held.find_job(id_of(2, 2), noon).job == nullptr);
    REQUIRE(held.find_job(to_string(id_of(2, 1)), noon).job == held.find_job(id_of(2, 1), noon).job);
    REQUIRE(held.find_job("no id", noon).job == nullptr);
    REQUIRE(held.find_organization("acm") == nullptr);
    REQUIRE(held.job_count() == 4);
    std::vector<std::string> titles;
    for (auto const& listed : held.find_organization("acme")->jobs) titles.push_back(facts_of(*listed).title);
    REQUIRE(titles == std::vector<std::string>{"Job 2", "Job 3", "Job 1"});
}

TEST_CASE("the organization of a request is the one whose slug or open job its path names", "[catalogue][public_api]") {
    auto const held = two_organizations();
    auto const slug_of = [&](std::string const& path, char const* method = "GET") -> std::string {
        auto const* const found = organization_of(find_route(method, path), held, noon);
        return found == nullptr ? "" : found->slug;
    };
    auto const job = to_string(id_of(2, 1));
    CHECK(slug_of("/api/public/v1/organizations/acme/jobs") == "acme");
    CHECK(slug_of("/careers/acme/jobs/" + job) == "acme");
    CHECK(slug_of("/api/public/v1/jobs/" + job + "/jsonld") == "globex");
    CHECK(slug_of("/api/public/v1/scheduling/" + job + "/" + job + "/bookings", "POST") == "globex");
    CHECK(slug_of("/api/public/v1/jobs/" + to_string(id_of(2, 2))).empty());
    for (std::string const path : {"/api/public/v1/organizations/unknown", "/api/public/v1/jobs/x", "/interviews/acme",
                                   "/api/public/v1/openapi.json", "/acme"})
        CHECK(slug_of(path).empty());
}

TEST_CASE("a job closes by itself, at its time", "[catalogue]") {
    auto closing = job(1, 1);
    closing.closes_at = noon + hour;
    auto const held = catalogue_builder(catalogue(), "").put(organization(1, "acme"), {closing, job(1, 2)}).build();
    auto const* const acme = held.find_organization("acme");
    REQUIRE(held.find_job(closing.id, noon + hour - std::chrono::microseconds{1}).job != nullptr);
    REQUIRE(held.find_job(closing.id, noon + hour).job == nullptr);
    REQUIRE(acme->open_job_count(noon) == 2);
    REQUIRE(acme->open_job_count(noon + hour) == 1);
}

TEST_CASE("the public address is on the careers page, or ours where there is none", "[catalogue]") {
    auto with_page = organization(1, "acme");
    with_page.careers_page_url = "https://acme.example/careers//";
    auto const held = catalogue_builder(catalogue(), "https://jobs.example")
                          .put(with_page, {job(1, 1)})
                          .put(organization(2, "globex"), {job(2, 1)})
                          .build();
    REQUIRE(held.find_organization(id_of(1))->public_url(id_of(1, 1)) ==
            "https://acme.example/careers/jobs/" + to_string(id_of(1, 1)));
    REQUIRE(held.find_organization(id_of(2))->public_url(id_of(2, 1)) ==
            "https://jobs.example/careers/globex/jobs/" + to_string(id_of(2, 1)));
}

TEST_CASE("a replaced organization leaves all others shared", "[catalogue]") {
    auto const before = two_organizations();
    auto const after = catalogue_builder(before, "").put(organization(1, "acme-new"), {job(1, 9)}).build();
    REQUIRE(after.find_organization("globex") == before.find_organization("globex"));
    REQUIRE(after.find_organization("acme") == nullptr);
    REQUIRE(after.find_organization("acme-new")->jobs.size() == 1);
    REQUIRE(after.find_job(id_of(1, 1), noon).job == nullptr);
    REQUIRE(after.find_job(id_of(1, 9), noon).organization == after.find_organization("acme-new"));
    REQUIRE(before.find_organization("acme")->jobs.size() == 3); // who still reads it sees what was
    auto const without = catalogue_builder(after, "").remove(id_of(2)).build();
    REQUIRE(without.find_organization("globex") == nullptr);
    REQUIRE(without.job_count() == 1);
}

TEST_CASE("a slug that moved from one organization to another names the new one at once", "[catalogue]") {
    auto const before = two_organizations();
    auto const moved = [&](std::uint8_t mover, std::string const& slug, std::uint8_t other) {
        auto const after = catalogue_builder(before, "").put(organization(mover, slug), {job(mover, 7)}).build();
        REQUIRE(after.find_organization(slug)->id == id_of(mover));
        REQUIRE(after.find_job(id_of(other, 1), noon).job != nullptr); // nobody's jobs are lost
    };
    moved(1, "globex", 2);
    moved(2, "acme", 1);
}

TEST_CASE("a reload of what has not changed reads no job and makes no snapshot", "[catalogue]") {
    auto const held = two_organizations();
    catalogue_reload all(held, organization_range{}, organizations_in(held), versions_in(held));
    REQUIRE(all.wanted().empty());
    catalogue_builder next(held, "");
    all.put_into(next);
    REQUIRE(next.is_unchanged());
}

TEST_CASE("a reload reads what is new or changed, and keeps the rest", "[catalogue]") {
    auto const held = two_organizations();
    auto versions = versions_in(held);
    versions[0].updated_at += hour;
    versions.push_back({id_of(2), id_of(2, 5), noon});
    catalogue_reload reload(held, organization_range{}, organizations_in(held), versions);
    auto wanted = reload.wanted();
    REQUIRE(wanted == std::vector<uuid>{versions[0].job_id, id_of(2, 5)});
    auto changed = job(1, 0);
    changed.id = versions[0].job_id;
    changed.title = "Changed";
    reload.add({id_of(1), changed});
    reload.add({id_of(2), job(2, 5)});
    auto const next = next_of(held, {reload});
    REQUIRE(next.job_count() == 5);
    REQUIRE(shown(next, changed.id).title == "Changed");
    REQUIRE(next.find_job(id_of(1, 1), noon).job == held.find_job(id_of(1, 1), noon).job);
}

TEST_CASE("a packed job is the same job again, with every field and with none", "[catalogue]") {
    published_job full = test::full_job();
    full.own_apply_url = "";
    full.bookable_stages.push_back({id_of(8), "", 0});
    full.description_html.append(100'000, 'x').append(test::hostile);
    auto const of = test::sample_organization();
    for (auto const& one : {full, job(1, 1)}) {
        packed_job const packed(one);
        CHECK(packed.description.size() < 1000);
        CHECK(job_body(of, of.whole(packed)) == job_body(of, [&] {
                  auto with = one;
                  with.public_url = of.public_url(one.id);
                  with.apply_url = one.own_apply_url;
                  return with;
              }()));
        CHECK(of.summary(packed).own_apply_url == one.own_apply_url);
        CHECK(of.summary(packed).description_html.empty());
    }
}

TEST_CASE("a job that went while it was read is left out", "[catalogue]") {
    auto const held = two_organizations();
    auto versions = versions_in(held);
    versions.push_back({id_of(2), id_of(2, 5), noon});
    catalogue_reload reload(held, organization_range{}, organizations_in(held), versions);
    REQUIRE(reload.wanted().size() == 1);
    REQUIRE(next_of(held, {reload}).job_count() == 4);
}

TEST_CASE("a description is sanitised whatever the row holds", "[catalogue]") {
    catalogue const nothing;
    auto unsafe = job(1, 1);
    unsafe.description_html = "<p onclick='x()'>Hello<script>x()</script></p>";
    catalogue_reload reload(nothing, organization_range{}, {organization(1, "acme")}, {{id_of(1), unsafe.id, noon}});
    reload.add({id_of(1), unsafe});
    auto const held = next_of(nothing, {reload});
    REQUIRE(shown(held, unsafe.id).description_html == "<p>Hello</p>");
    REQUIRE(body_of(held, unsafe.id).find("<script") == std::string::npos);
}

TEST_CASE("jobs of a renamed organization show its name, and are not read again for that", "[catalogue]") {
    auto const held = two_organizations();
    auto found = organizations_in(held);
    found[0].slug = "acme-new";
    found[1].logo_url = "https://globex.example/logo.png"; // shown by the organization's own record alone
    catalogue_reload reload(held, organization_range{}, found, versions_in(held));
    REQUIRE(reload.wanted().empty());
    auto const next = next_of(held, {reload});
    auto const* const before = held.find_job(id_of(1, 1), noon).job;
    auto const* const renamed = next.find_job(id_of(1, 1), noon).job;
    REQUIRE(body_of(next, id_of(1, 1)).find(R"("slug":"acme-new")") != std::string::npos);
    REQUIRE(shown(next, id_of(1, 1)).public_url.find("/acme-new/") != std::string::npos);
    REQUIRE(renamed->etag != before->etag);
    REQUIRE(next.find_job(id_of(2, 1), noon).job == held.find_job(id_of(2, 1), noon).job);
}

TEST_CASE("a job's apply URL is its own, else its organization's", "[catalogue]") {
    auto acme = organization(1, "acme");
    acme.apply_url = "mailto:jobs@acme.example";
    auto with_own = job(1, 1);
    with_own.own_apply_url = "https://apply.example/1";
    catalogue const nothing;
    auto const held = catalogue_builder(nothing, "")
                          .put(acme, {with_own, job(1, 2)})
                          .put(organization(2, "globex"), {job(2, 1)})
                          .build();
    auto const of = [](catalogue const& in, uuid const& id) { return in.find_job(id, noon).job; };
    CHECK(shown(held, id_of(1, 1)).apply_url == "https://apply.example/1");
    CHECK(shown(held, id_of(1, 2)).apply_url == "mailto:jobs@acme.example");
    CHECK(body_of(held, id_of(1, 2)).find(R"("applyUrl":"mailto:jobs@acme.example")") != std::string::npos);
    CHECK(shown(held, id_of(2, 1)).apply_url == std::nullopt);
    CHECK(body_of(held, id_of(2, 1)).find(R"("applyUrl":null)") != std::string::npos);

    auto found = organizations_in(held);
    found[0].apply_url = "https://acme.example/apply";
    catalogue_reload reload(held, organization_range{}, found, versions_in(held));
    CHECK(reload.wanted().empty()); // the change of an organization reads no job again
    auto const next = next_of(held, {reload});
    CHECK(shown(next, id_of(1, 1)).apply_url == "https://apply.example/1");
    CHECK(shown(next, id_of(1, 2)).apply_url == "https://acme.example/apply");
    CHECK(of(next, id_of(1, 2))->etag != of(held, id_of(1, 2))->etag);
    CHECK(of(next, id_of(2, 1)) == of(held, id_of(2, 1)));
}

TEST_CASE("a change of how an organization looks is a change of the catalogue", "[catalogue]") {
    auto const held = two_organizations();
    auto const is_seen = [&](auto field, std::string const& value) {
        auto found = organizations_in(held);
        found[0].*field = value;
        catalogue_reload reload(held, organization_range{}, found, versions_in(held));
        return next_of(held, {reload}).find_organization("acme")->*field == value;
    };
    CHECK(is_seen(&published_organization::accent_color, "#0b5fff"));
    CHECK(is_seen(&published_organization::share_image_url, "https://acme.example/share.png"));
    CHECK(is_seen(&published_organization::introduction_html, "<p>Robots</p>"));
    CHECK(is_seen(&published_organization::logo_url, "https://acme.example/logo.svg"));
}

TEST_CASE("what was asked for and is not there any more goes, what was not asked for stays", "[catalogue]") {
    auto const held = two_organizations();
    auto const one_gone = next_of(held, {{held, std::vector<uuid>{id_of(2), id_of(3)}, {}, {}}});
    REQUIRE(one_gone.find_organization("globex") == nullptr);
    REQUIRE(one_gone.find_organization("acme") != nullptr);
    REQUIRE(next_of(held, {{held, organization_range{}, {}, {}}}).organizations().empty());
}

TEST_CASE("of a page of organizations, those in its range and no others go", "[catalogue]") {
    auto const held = two_organizations();
    auto const left_by = [&](organization_range const& page) {
        std::vector<std::string> left;
        auto const next = next_of(held, {{held, page, {}, {}}});
        for (auto const& one : next.organizations()) left.push_back(one->slug);
        return left;
    };
    using slugs = std::vector<std::string>;
    CHECK(left_by({id_of(1), id_of(2)}) == slugs{"acme"});
    CHECK(left_by({std::nullopt, id_of(1)}) == slugs{"globex"});
    CHECK(left_by({id_of(2), std::nullopt}) == slugs{"acme", "globex"});
}

TEST_CASE("the pages of a comparison make one snapshot", "[catalogue]") {
    auto const held = two_organizations();
    auto found = organizations_in(held);
    found[0].name = "Acme";
    found.push_back(organization(3, "initech"));
    auto const versions = versions_in(held);
    using jobs = std::vector<job_version>;
    auto const next =
        next_of(held, {{held, organization_range{{}, id_of(1)}, {found[0]}, jobs(versions.begin(), versions.end() - 1)},
                       {held, organization_range{id_of(1), id_of(2)}, {}, {}},
                       {held, organization_range{id_of(2), {}}, {found[2]}, {}}});
    REQUIRE(next.organizations().size() == 2);
    REQUIRE(next.find_organization("acme")->name == "Acme");
    REQUIRE(next.find_organization("acme")->jobs.size() == 3);
    REQUIRE(next.find_organization("globex") == nullptr);
    REQUIRE(next.find_job(id_of(2, 1), noon).job == nullptr);
    REQUIRE(next.find_organization("initech") != nullptr);
}

TEST_CASE("changes are read from the last mark, of the same server and within what PostgreSQL keeps", "[catalogue]") {
    coarse_clock::time_point const read_at{};
    auto const later = read_at + std::chrono::minutes{1};
    auto const moment = [](std::string line, std::int64_t ended_below) {
        pg::server_moment at;
        at.line = std::move(line);
        at.ended_below = ended_below;
        return at;
    };
    read_mark const last{moment("1/5/1", 50'000), read_at};
    for (bool const reconnected : {false, true}) {
        CHECK(continues(last, moment("1/5/1", 50'000), later, reconnected));
        CHECK(continues(last, moment("1/5/1", 60'000), later, reconnected));
        CHECK_FALSE(continues(last, moment("1/5/2", 60'000), later, reconnected)); // promoted
        CHECK_FALSE(continues(last, moment("1/6/1", 60'000), later, reconnected)); // another database
        CHECK_FALSE(continues(last, moment("1/5/1", 49'999), later, reconnected)); // older data
        CHECK_FALSE(continues(last, moment("1/5/1", 60'000), read_at + std::chrono::hours{12}, reconnected));
    }
    read_mark const of_silent{moment("", 50'000), read_at};
    CHECK(continues(of_silent, moment("", 50'001), later, false));
    CHECK_FALSE(continues(of_silent, moment("", 50'001), later, true)); // it may be another server
    CHECK(first_unread(last, false) == 50'000);
    CHECK(first_unread(last, true) == 40'000);
    CHECK(first_unread({moment("1/5/1", 7), read_at}, true) == 0);
}

TEST_CASE("a standby has all changes once it has as many recent ones, and the newest", "[catalogue]") {
    server_changes const primary{"1/5/1", 3, noon};
    CHECK(has_all(primary, primary));
    CHECK(has_all({"1/5/1", 4, noon + hour}, primary));
    CHECK_FALSE(has_all({"1/5/1", 2, noon}, primary));
    CHECK_FALSE(has_all({"1/5/1", 3, noon - hour}, primary)); // days behind, when nothing changed lately
    CHECK_FALSE(has_all({"1/5/1", 0, std::nullopt}, {"1/5/1", 0, noon}));
    CHECK(has_all({"1/5/1", 0, std::nullopt}, {"1/5/1", 0, std::nullopt}));
}

TEST_CASE("each thread sees the newest snapshot, and keeps the one it works with", "[catalogue]") {
    shared_catalogue shared;
    catalogue_view view(shared);
    auto const first = view.get();
    REQUIRE_FALSE(first->loaded());
    shared.publish(std::make_shared<catalogue const>(two_organizations()));
    REQUIRE(view.get()->loaded());
    REQUIRE_FALSE(first->loaded());
    auto const kept = view.get();
    shared.publish(std::make_shared<catalogue const>());
    REQUIRE(kept->find_organization("acme") != nullptr);
    REQUIRE_FALSE(view.get()->loaded());
}

} // namespace catalogue_test
