// Which texts are prepared on a connection, and which are replaced.
#include "pg/segment.hpp"
#include "support/catch.hpp"

namespace prepared_statements_test {
using namespace recruiting;
using pg::prepared_statements;

namespace {

pg::statement fixed(std::string text) { return {std::move(text), {}}; }
pg::statement composed(std::string text) { return {std::move(text), {}, true}; }

// Sends the statement in a segment of its own, whose Parse the server takes.
prepared_statements::slot send(prepared_statements& all, pg::statement const& what) {
    all.begin_segment();
    auto place = all.find(what);
    if (place.is_new) all.parsed(place.name);
    return place;
}

} // namespace

TEST_CASE("a statement is prepared once", "[pg]") {
    prepared_statements all;
    auto const first = send(all, fixed("SELECT 1"));
    CHECK(first.is_new);
    auto const again = send(all, fixed("SELECT 1"));
    CHECK(!again.is_new);
    CHECK(again.name == first.name);
    CHECK(send(all, fixed("SELECT 2")).name != first.name);
}

TEST_CASE("of texts put together for a request the one used least recently is replaced, and never a fixed one",
          "[pg]") {
    prepared_statements all({4, 3});
    CHECK(send(all, fixed("by id")).is_new);
    CHECK(send(all, composed("a list")).is_new);
    for (int i = 0; i < 100; ++i) {
        CHECK(send(all, composed("filters " + std::to_string(i))).is_new);
        CHECK(!send(all, composed("a list")).is_new);
    }
    CHECK(!send(all, fixed("by id")).is_new);
    CHECK(!send(all, composed("filters 98")).is_new);
    CHECK(all.size() == 4);
    CHECK(send(all, composed("filters 97")).replaced == "s102"); // filters 99
}

TEST_CASE("a Parse is relied on only within its own segment before its answer", "[pg]") {
    prepared_statements all;
    for (auto const& what : {fixed("a"), composed("a")}) {
        CAPTURE(what.composed);
        all.begin_segment();
        auto const first = all.find(what);
        CHECK(first.is_new);
        CHECK(all.find(what).name == first.name);
        all.begin_segment();
        CHECK(all.find(what).name.empty()); // the first segment may fail before its Parse
        CHECK(all.find(what).name.empty());
        all.parsed(first.name);
        CHECK(all.find(what).name == first.name);
    }
}

TEST_CASE("nothing is replaced that the same segment needs, or that may not be there", "[pg]") {
    prepared_statements all({4, 2});
    auto const first = send(all, composed("a"));
    all.begin_segment();
    CHECK(all.find(composed("a")).name == first.name);
    CHECK(all.find(composed("b")).is_new); // its Parse is under way
    auto const unprepared = all.find(composed("c"));
    CHECK(unprepared.name.empty());
    CHECK(unprepared.replaced.empty());
    all.begin_segment();
    CHECK(all.find(composed("c")).replaced == first.name);
}

TEST_CASE("a Parse that failed is made again", "[pg]") {
    prepared_statements all;
    auto const place = all.find(fixed("SELEC 1"));
    all.failed(place.name);
    CHECK(all.find(fixed("SELEC 1")).is_new);
    all.clear();
    CHECK(all.size() == 0);
}

TEST_CASE("fixed texts beyond their number are sent unprepared", "[pg]") {
    prepared_statements all({2, 2});
    send(all, fixed("a"));
    send(all, fixed("b"));
    CHECK(send(all, fixed("c")).name.empty());
}

} // namespace prepared_statements_test
