// The booking worker's settings.
#include "auth_api/background/settings.hpp"
#include "support/catch.hpp"

namespace booking_settings_test {
using namespace recruiting;
using namespace recruiting::auth_api::booking;

namespace {

std::vector<std::string> problems(std::map<std::string, std::string> const& values, booking_settings& target) {
    settings_reader reader("test", "a test", "RECRUITING_TEST_");
    declare(reader, target);
    return reader.apply(values);
}

} // namespace

TEST_CASE("the worker's settings are read, and a mistyped one is refused", "[booking]") {
    booking_settings settings;
    CHECK(problems({{"RECRUITING_BOOKING_LEASE", "5s"},
                    {"RECRUITING_BOOKING_UNMATCHED_RETENTION", "7d"},
                    {"RECRUITING_BOOKING_ROOM_URL", "https://meet.example/{room}"}},
                   settings)
              .empty());
    CHECK(settings.lease == std::chrono::seconds{5});
    CHECK(settings.unmatched_retention == std::chrono::hours{7 * 24});
    CHECK(settings.room_url == "https://meet.example/{room}");
    CHECK(problems({{"RECRUITING_BOOKING_ROOM_URL", "http://meet.example/{room}"}}, settings).size() == 1);
    CHECK(problems({{"RECRUITING_BOOKING_ROOM_URL", ""}}, settings).empty());
    CHECK(problems({{"RECRUITING_BOOKING_LEASSE", "5s"}}, settings).size() == 1);
    CHECK(problems({{"RECRUITING_BOOKING_LEASE", "0s"}}, settings).size() == 1);
    CHECK(problems({{"RECRUITING_BOOKING_UNMATCHED_RETENTION", "1m"}}, settings).size() == 1);
}

} // namespace booking_settings_test
