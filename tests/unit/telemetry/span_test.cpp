// Spans: parents, what is recorded, what is not.
#include "support/catch.hpp"
#include "support/span_store.hpp"

namespace span_test {
using namespace recruiting;
using namespace recruiting::tracing;

namespace {

context const remote = *parse_traceparent("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01");

} // namespace

TEST_CASE("a caller's decision counts, whatever the share is", "[tracing]") {
    tracer const all(1, nullptr);
    tracer const none(0, nullptr);
    auto unsampled = remote;
    unsampled.sampled = false;
    CHECK(none.enter(remote).sampled);
    CHECK_FALSE(all.enter(unsampled).sampled);
    CHECK(all.enter(std::nullopt).sampled);
    CHECK_FALSE(none.enter(std::nullopt).sampled);
    CHECK(none.enter(remote).trace == remote.trace);
    CHECK(none.enter(remote).span != remote.span);
}

TEST_CASE("a span under another belongs to its trace", "[tracing]") {
    span_store store;
    tracer const by(1, &store);
    parent const own{&by, by.enter(remote)};
    {
        span request(own, remote, span_kind::server, "GET");
        span part(request.or_parent({}), span_kind::client, "part");
        part.set("text", "a").set("number", 5).set("flag", true).set("unsigned", 7U).fail("timeout").fail("again");
    }
    REQUIRE(store.spans.size() == 2);
    auto const& part = *store.spans[0];
    auto const& request = *store.spans[1];
    CHECK(request.own == own.at);
    CHECK(request.parent == remote.span);
    CHECK(request.parent_remote);
    CHECK(part.own.trace == remote.trace);
    CHECK(part.parent == request.own.span);
    CHECK_FALSE(part.parent_remote);
    CHECK(part.failed);
    CHECK(part.attributes.size() == 5); // error.type once
    CHECK(request.start <= part.start);
    CHECK(part.end <= request.end);
    CHECK(part.start <= part.end);
}

TEST_CASE("what is not sampled, or goes nowhere, records nothing", "[tracing]") {
    span_store store;
    tracer const by(0, &store);
    tracer const nowhere(1, nullptr);
    for (parent const& under :
         {parent{}, parent{&by, by.enter(std::nullopt)}, parent{&nowhere, nowhere.enter(std::nullopt)}}) {
        span one(under, span_kind::client, "x");
        CHECK_FALSE(one);
        one.set("a", "b").fail("c").rename("d");
        CHECK(one.or_parent(under).at == under.at);
    }
    CHECK(store.spans.empty());
}

TEST_CASE("a span ends once, or when it is moved over", "[tracing]") {
    span_store store;
    tracer const by(1, &store);
    auto one = root_span(&by, span_kind::internal, "first");
    one = root_span(&by, span_kind::internal, "second");
    REQUIRE(store.spans.size() == 1);
    CHECK(store.spans[0]->name == "first");
    CHECK(store.spans[0]->parent == span_id{});
    one.end();
    one.end();
    CHECK(store.spans.size() == 2);
}

} // namespace span_test
