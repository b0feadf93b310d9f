#include "public_api/catalogue/catalogue_keeper.hpp"
#include "support/catch.hpp"

namespace listening_test {
using namespace recruiting::public_api;
using namespace std::chrono_literals;

namespace {

listening::clock::time_point const start{};

}

TEST_CASE("a connection is believed to listen once its own notification came back", "[catalogue]") {
    listening one("a");
    CHECK_FALSE(one.is_due(start));
    one.begin(start);
    CHECK(one.is_due(start));
    CHECK_FALSE(one.is_receiving(start));
    one.sent(start);
    CHECK_FALSE(one.is_receiving(start));
    CHECK(one.take(one.payload()));
    CHECK(one.is_receiving(start + 1h));
}

TEST_CASE("a connection whose notification does not come back is deaf, until one does", "[catalogue]") {
    listening one("a");
    one.begin(start);
    one.sent(start);
    CHECK(one.take(one.payload()));
    REQUIRE(one.is_due(start + 5s));
    one.sent(start + 5s);
    CHECK(one.is_receiving(start + 7s));
    CHECK_FALSE(one.is_receiving(start + 8s));
    one.sent(start + 10s); // the next one makes nothing of the silence good
    CHECK_FALSE(one.is_receiving(start + 11s));
    CHECK(one.take(one.payload()));
    CHECK(one.is_receiving(start + 11s));
    one.begin(start + 12s);
    CHECK_FALSE(one.is_receiving(start + 12s));
}

TEST_CASE("other processes' notifications to themselves are neither changes nor an own one", "[catalogue]") {
    listening one("a");
    listening other("b");
    one.begin(start);
    one.sent(start);
    CHECK(one.take(other.payload()));
    CHECK_FALSE(one.is_receiving(start));
    CHECK_FALSE(one.take("0123456789abcdef0123456789abcdef"));
    CHECK_FALSE(one.take(""));
}

} // namespace listening_test
