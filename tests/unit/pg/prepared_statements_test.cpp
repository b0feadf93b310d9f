// One caller's choice of filters costs no other caller a plan.
#include "pg/segment.hpp"
#include "support/catch.hpp"

namespace prepared_statements_test {
using namespace recruiting;
using pg::prepared_statements;

namespace {

pg::statement fixed(std::string text) { return {std::move(text), {}}; }
pg::statement composed(std::string text) { return {std::move(text), {}, true}; }

// Sends the statement in a segment of its own, whose Parse the server takes.
prepared_statements::slot send(prepared_statements& all, pg::statement const& what, std::uint64_t owner = 7) {
    all.begin_segment();
    auto place = all.find(what, owner);
    if (place.is_new) all.parsed(place.name);
    return place;
}

} // namespace

TEST_CASE("a statement is prepared once", "[pg]") {
    prepared_statements all;
    auto const first = send(all, fixed("SELECT 1"));
    CHECK(first.is_new);
    auto const again = send(all, fixed("SELECT 1"), 8); // on anybody's behalf
    CHECK(!again.is_new);
    CHECK(again.name == first.name);
    CHECK(send(all, fixed("SELECT 2")).name != first.name);
}

TEST_CASE("one tenant's choice of filters can't push other tenants' statements out", "[pg]") {
    prepared_statements all({4, 6, 3});
    CHECK(send(all, fixed("by id")).is_new);
    CHECK(send(all, composed("a list"), 1).is_new);
    for (int i = 0; i < 100; ++i) CHECK(send(all, composed("filters " + std::to_string(i)), 2).is_new);
    CHECK(!send(all, fixed("by id")).is_new);
    CHECK(!send(all, composed("a list"), 1).is_new);
    CHECK(!send(all, composed("filters 99"), 2).is_new); // its own three latest are kept
    CHECK(!send(all, composed("filters 97"), 2).is_new);
    CHECK(send(all, composed("filters 96"), 2).is_new);
    CHECK(all.size() == 5);
}

TEST_CASE("a text that several tenants use is prepared once for all of them", "[pg]") {
    prepared_statements all({4, 6, 3});
    for (std::uint64_t tenant = 10; tenant < 1'000; ++tenant)
        CHECK(send(all, composed("changed since"), tenant).is_new == (tenant == 10));
    CHECK(all.size() == 1);
    for (int i = 0; i < 100; ++i) CHECK(send(all, composed("filters " + std::to_string(i)), 10).is_new);
    CHECK(all.size() == 4);
    CHECK(!send(all, composed("changed since"), 10).is_new);
}

TEST_CASE("tenants who choose the same filters push out nothing that others use", "[pg]") {
    prepared_statements all({4, 6, 3, 2});
    for (auto const tenant : {10U, 11U}) send(all, composed("changed since"), tenant);
    for (int i = 0; i < 100; ++i) {
        auto const odd = composed("filters " + std::to_string(i));
        CHECK(send(all, odd, 12).is_new);
        auto const shared = send(all, odd, 13);
        CHECK(!shared.is_new);
        CHECK(shared.replaced.empty() == (i == 0)); // the one before
        CHECK(!send(all, composed("changed since"), 14).is_new);
    }
    CHECK(all.size() == 2);
}

TEST_CASE("a Parse of another tenant is not relied on before its answer", "[pg]") {
    prepared_statements all;
    all.begin_segment();
    auto const first = all.find(composed("a"), 10);
    CHECK(first.is_new);
    all.begin_segment();
    auto const second = all.find(composed("a"), 11);
    CHECK(second.name.empty());
    CHECK_FALSE(second.is_new);
    all.parsed(first.name);
    CHECK(all.find(composed("a"), 11).name == first.name);
}

TEST_CASE("a Parse is relied on only within its own segment before its answer", "[pg]") {
    prepared_statements all;
    for (auto const& what : {fixed("a"), composed("a")}) {
        CAPTURE(what.composed);
        all.begin_segment();
        auto const first = all.find(what, 10);
        CHECK(first.is_new);
        CHECK(all.find(what, 10).name == first.name);
        all.begin_segment();
        CHECK(all.find(what, 10).name.empty()); // the first segment may fail before its Parse
        CHECK(all.find(what, 10).name.empty());
        all.parsed(first.name);
        CHECK(all.find(what, 10).name == first.name);
    }
}

TEST_CASE("where all places are taken, who has most gives one up", "[pg]") {
    prepared_statements all({4, 4, 3});
    for (char const* text : {"a", "b", "c"}) send(all, composed(text), 1);
    send(all, composed("d"), 2);
    auto const third = send(all, composed("e"), 3);
    CHECK(third.is_new);
    CHECK(third.replaced == "s1"); // the one its owner used least lately
    CHECK(!send(all, composed("d"), 2).is_new);
}

TEST_CASE("nothing is replaced that the same segment needs, or that may not be there", "[pg]") {
    prepared_statements all({4, 2, 2});
    auto const first = send(all, composed("a"), 1);
    all.begin_segment();
    CHECK(all.find(composed("a"), 1).name == first.name);
    CHECK(all.find(composed("b"), 1).is_new); // its Parse is under way
    auto const unprepared = all.find(composed("c"), 1);
    CHECK(unprepared.name.empty());
    CHECK(unprepared.replaced.empty());
    all.begin_segment();
    CHECK(all.find(composed("c"), 1).replaced == first.name);
}

TEST_CASE("a Parse that failed is made again", "[pg]") {
    prepared_statements all;
    auto const place = all.find(fixed("SELEC 1"), 0);
    all.failed(place.name);
    CHECK(all.find(fixed("SELEC 1"), 0).is_new);
    all.clear();
    CHECK(all.size() == 0);
}

TEST_CASE("fixed texts beyond their number are sent unprepared", "[pg]") {
    prepared_statements all({2, 2, 2});
    send(all, fixed("a"));
    send(all, fixed("b"));
    CHECK(send(all, fixed("c")).name.empty());
}

} // namespace prepared_statements_test
