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

} // namespace search_test
