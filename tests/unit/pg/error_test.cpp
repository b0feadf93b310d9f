#include "pg/error.hpp"
#include "support/catch.hpp"

#include <stdexcept>

namespace severity_test {
using namespace recruiting;

TEST_CASE("a worker's failure that goes away by itself is a warning, every other an error", "[pg]") {
    // A statement timeout, a deadlock, too many connections.
    for (char const* const passing : {"57014", "40P01", "53300"})
        CHECK(pg::severity(pg::query_error(passing, "…")) == log::level::warning);
    for (char const* const lasting : {"42P01", "42501", "23505"})
        CHECK(pg::severity(pg::query_error(lasting, "…")) == log::level::error);
    CHECK(pg::severity(std::runtime_error("…")) == log::level::error);
}

} // namespace severity_test
