// How jobs are searched in memory: keys as the database makes them, filters, pages.
#include "public_api/catalogue/catalogue_builder.hpp"
#include "public_api/catalogue/endpoints.hpp"
#include "public_api/catalogue/job_index.hpp"
#include "support/catch.hpp"
#include "support/search_samples.hpp"

namespace search_test {
using namespace recruiting;
using namespace recruiting::public_api;

namespace {

timestamp const noon = *parse_time("2026-06-01T12:00:00Z");

published_job job(std::uint8_t number, std::string title) {
    published_job made;
    made.id.bytes.back() = number;
    made.title = std::move(title);
    made.published_at = noon;
    return made;
}

// Job n was published as the n-th but for ties: its place in the list is counted from the end.
catalogue sample() {
    auto engineer = job(4, "Backend Engineer, C++");
    engineer.department = "Engineering";
    engineer.location_name = "Zürich HQ";
    engineer.location_city = "Zürich";
    engineer.location_region = "ZH";
    engineer.workplace_type = "hybrid";
    engineer.employment_type = "full_time";
    auto closed = job(5, "Café Manager");
    closed.closes_at = noon;
    published_organization acme;
    acme.slug = "acme";
    catalogue const nothing;
    return catalogue_builder(nothing, "")
        .put(acme, {job(1, "Café Manager"), job(2, "Clerk"), job(3, "CAFE\xCC\x81 owner"), engineer, closed})
        .build();
}

std::vector<int> found(job_query const& wanted) {
    auto const held = sample();
    std::vector<int> numbers;
    for (auto const* one : find_jobs(*held.find_organization("acme"), wanted, noon).jobs)
        numbers.push_back(one->id.bytes.back());
    return numbers;
}

job_query with(void (*set)(job_filters&)) {
    job_query wanted;
    set(wanted.filters);
    return wanted;
}

using numbers = std::vector<int>;

} // namespace

TEST_CASE("each of several places is found", "[search]") {
    auto clerk = job(1, "Clerk");
    clerk.location_name = "Berlin; Munich";
    published_organization acme;
    acme.slug = "acme";
    catalogue const nothing;
    auto const held = catalogue_builder(nothing, "").put(acme, {clerk, job(2, "Nowhere")}).build();
    for (auto const* place : {"munich", "berlin", "Berlin; Munich"}) {
        job_query wanted;
        wanted.filters.location = place;
        auto const shown = find_jobs(*held.find_organization("acme"), wanted, noon).jobs;
        INFO(place);
        REQUIRE(shown.size() == 1);
        CHECK(shown.front()->id == clerk.id);
    }
}

TEST_CASE("no filter: all that are open, as they are listed", "[search]") { REQUIRE(found({}) == numbers{4, 3, 2, 1}); }

TEST_CASE("each filter by its own rule", "[search]") {
    REQUIRE(found(with([](auto& f) { f.department = "Engineering"; })) == numbers{4});
    REQUIRE(found(with([](auto& f) { f.department = "engineeríng"; })) == numbers{4});
    REQUIRE(found(with([](auto& f) { f.department = "Engineer"; })).empty());
    REQUIRE(found(with([](auto& f) { f.location = "zÜRICH"; })) == numbers{4});
    REQUIRE(found(with([](auto& f) { f.location = "zh"; })) == numbers{4});
    REQUIRE(found(with([](auto& f) { f.location = "Zurich hq"; })) == numbers{4});
    REQUIRE(found(with([](auto& f) { f.location = "rich"; })) == numbers{4});
    REQUIRE(found(with([](auto& f) { f.location = "Zürich West"; })).empty());
    REQUIRE(found(with([](auto& f) { f.workplace_types = {"hybrid"}; })) == numbers{4});
    REQUIRE(found(with([](auto& f) { f.workplace_types = {"remote"}; })).empty());
    REQUIRE(found(with([](auto& f) { f.workplace_types = {"remote", "hybrid"}; })) == numbers{4});
    REQUIRE(found(with([](auto& f) { f.employment_types = {"full_time"}; })) == numbers{4});
    REQUIRE(found(with([](auto& f) { f.employment_types = {"hybrid"}; })).empty());
}

TEST_CASE("every word of q, in any order, in the title, the department, the place or the kind of workplace",
          "[search]") {
    for (auto const* q :
         {"engineering", "zurich", "hq ENGINEER", "hybrid", "hybride", "Híbrido", "ハイブリッド", "zh back"}) {
        job_query wanted;
        wanted.filters.q = q;
        CAPTURE(q);
        CHECK(found(wanted) == numbers{4});
    }
    REQUIRE(found(with([](auto& f) { f.q = "hybrid clerk"; })).empty());
    REQUIRE(found(with([](auto& f) { f.q = "remote"; })).empty());
    REQUIRE(found(with([](auto& f) { f.q = "full"; })).empty()); // kinds of employment are not searched

    REQUIRE(found(with([](auto& f) { f.q = "cafe"; })) == numbers{3, 1});
    REQUIRE(found(with([](auto& f) { f.q = "  MANAG\t\xC3\xA9 "; })) == numbers{1}); // é
    REQUIRE(found(with([](auto& f) { f.q = "c++"; })) == numbers{4});
    REQUIRE(found(with([](auto& f) { f.q = "%"; })).empty());
    REQUIRE(found(with([](auto& f) { f.q = "  "; })).size() == 4);
}

TEST_CASE("q finds jobs by the letters that people type", "[search]") {
    std::vector<packed_job> jobs;
    for (auto const& sample : test::search_samples)
        jobs.emplace_back(job(static_cast<std::uint8_t>(jobs.size()), sample.text));
    published_organization acme;
    acme.slug = "acme";
    catalogue const nothing;
    auto const held = catalogue_builder(nothing, "").put(acme, std::move(jobs)).build();
    auto const titles = [&](std::string const& words) {
        job_query wanted;
        wanted.filters.q = words;
        std::vector<std::string> out;
        for (auto const* one : find_jobs(*held.find_organization("acme"), wanted, noon).jobs)
            out.push_back(test::search_samples.at(one->id.bytes.back()).text);
        return out;
    };
    for (auto const& [text, queries] : test::search_samples)
        for (auto const& query : queries) {
            CAPTURE(text, query);
            CHECK(titles(query) == std::vector{text});
        }
    for (auto const& word : test::unfound_words) CHECK(titles(word).empty());
}

TEST_CASE("a page ends at its limit and tells whether there is more that fits", "[search]") {
    auto const held = sample();
    auto const& acme = *held.find_organization("acme");
    job_query wanted;
    wanted.limit = 3;
    auto page = find_jobs(acme, wanted, noon);
    REQUIRE(page.jobs.size() == 3);
    REQUIRE(page.has_more);
    wanted.after = job_position{page.jobs.back()->published_at, page.jobs.back()->id};
    page = find_jobs(acme, wanted, noon);
    REQUIRE(page.jobs.size() == 1);
    REQUIRE_FALSE(page.has_more);
    wanted.after.reset();
    wanted.limit = 2;
    wanted.filters.q = "cafe";
    REQUIRE_FALSE(find_jobs(acme, wanted, noon).has_more);
}

TEST_CASE("each choice counts what it leaves given the other filters", "[search]") {
    // A choice leaves as many jobs as the list with this choice has: for every pair of filters.
    auto const jobs = [] {
        std::vector<packed_job> made;
        for (std::uint8_t n = 0; n < 120; ++n) {
            auto one = job(n, n % 3 == 0 ? "Engineer" : "Clerk");
            if (n % 2 == 0) one.department = n % 4 == 0 ? "Café" : "CAFE\xCC\x81"; // one department, spelled twice
            else if (n % 5 != 0) one.department = "Sales";
            if (n % 7 != 0) one.location_city = std::vector{"Berlin", "Berlin Mitte", "Oslo"}[n % 3];
            if (n % 11 == 0) one.location_name = "Oslo";
            if (n % 3 != 1) one.workplace_type = n % 2 == 0 ? "remote" : "on_site";
            if (n % 4 != 1) one.employment_type = n % 3 == 0 ? "contract" : "full_time";
            made.emplace_back(one);
        }
        return made;
    }();
    catalogue const nothing;
    published_organization of;
    of.slug = "acme";
    auto const held = catalogue_builder(nothing, "").put(of, jobs).build();
    auto const& acme = *held.find_organization("acme");
    auto const count = [&](job_filters const& filters) {
        auto const wanted = acme.index.compile(filters);
        std::size_t found = 0;
        for (std::size_t i = 0; i < acme.jobs.size(); ++i) found += acme.index.fits(wanted, i) ? 1U : 0U;
        return found;
    };
    std::vector<job_filters> asked(1);
    for (auto const* department : {"Sales", "cafe", "none"}) asked.emplace_back().department = department;
    for (auto const* location : {"Berlin", "Oslo", "none"}) asked.emplace_back().location = location;
    for (auto const* word : {"engineer", "oslo", "none"}) asked.emplace_back().q = word;
    asked.emplace_back().workplace_types = {"remote"};
    asked.emplace_back().employment_types = {"contract"};
    auto const singles = asked;
    for (auto const& one : singles)
        for (auto both : singles) {
            if (one.department) both.department = one.department;
            if (one.location) both.location = one.location;
            if (one.q) both.q = one.q;
            if (!one.workplace_types.empty()) both.workplace_types = one.workplace_types;
            if (!one.employment_types.empty()) both.employment_types = one.employment_types;
            asked.push_back(both);
        }
    for (auto const& filters : asked) {
        auto const wanted = acme.index.compile(filters);
        job_index::counter counter(acme.index, wanted);
        for (std::size_t i = 0; i < acme.jobs.size(); ++i) REQUIRE(counter.add(i) == acme.index.fits(wanted, i));
        auto const counts = counter.counts();
        REQUIRE(counts.matching == count(filters));
        auto const check = [&](field_counts const& found, auto const& choices, auto const& choose) {
            auto without = filters;
            choose(without, std::nullopt);
            CHECK(found.all == count(without));
            REQUIRE(found.choices.size() == choices.size());
            auto counted = found.choices.begin();
            for (auto const& choice : choices) {
                choose(without, std::optional<std::string>(choice));
                CHECK(*counted++ == count(without));
            }
        };
        auto const list = [](std::optional<std::string> const& one) {
            return one ? std::vector{*one} : std::vector<std::string>();
        };
        std::vector<std::string> places;
        for (auto const& place : acme.choices.locations) places.push_back(place.value);
        check(counts.departments, acme.choices.departments, [](job_filters& to, auto one) { to.department = one; });
        check(counts.locations, places, [](job_filters& to, auto one) { to.location = one; });
        check(counts.workplace_types, workplace_types,
              [&](job_filters& to, auto one) { to.workplace_types = list(one); });
        check(counts.employment_types, employment_types,
              [&](job_filters& to, auto one) { to.employment_types = list(one); });
    }
}

} // namespace search_test
