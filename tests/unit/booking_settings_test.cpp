// The booking worker's settings and the rooms made from them.
#include "auth_api/booking/booking_settings.hpp"
#include "auth_api/booking/room_url.hpp"
#include "support/catch.hpp"

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
    CHECK(problems({{"RECRUITING_BOOKING_INTERVAL", "250ms"},
                    {"RECRUITING_BOOKING_BATCH", "7"},
                    {"RECRUITING_BOOKING_ROOM_URL", "https://meet.example/{room}"}},
                   settings)
              .empty());
    CHECK(settings.interval == std::chrono::milliseconds{250});
    CHECK(settings.batch == 7);
    CHECK(settings.room_url == "https://meet.example/{room}");
    CHECK(problems({{"RECRUITING_BOOKING_INTERVALL", "250ms"}}, settings).size() == 1);
    CHECK(problems({{"RECRUITING_BOOKING_BATCH", "0"}}, settings).size() == 1);
}

TEST_CASE("a template of rooms is a secure address with one place for the room", "[booking]") {
    for (auto const* good :
         {"", "https://meet.example/{room}", "https://m.example/a?r={room}&x=1", "https://m.example/#{room}"})
        CHECK_FALSE(room_template_problem(good));
    for (auto const* bad :
         {"http://meet.example/{room}", "https://", "https://meet.example/", "{room}", "https://{room}.meet.example/",
          "https://meet.example/{room}{room}", "https://meet.example/{room}\r\nX: y", "https://meet.example/{room} x",
          "https://meet.example/<{room}>", "https://meet.example/\xc3\xa9{room}"})
        CHECK(room_template_problem(bad));
    CHECK(room_template_problem("https://meet.example/{room}" + std::string(1'000, 'x')));
}

TEST_CASE("each room has its own address", "[booking]") {
    uuid room;
    room.bytes.fill(0xab);
    CHECK(room_url("https://meet.example/{room}?a=1", room) ==
          "https://meet.example/abababababababababababababababab?a=1");
    CHECK_FALSE(room_url("", room));
}
