// Where interviews meet: what may be set, and the rooms made of a template.
#include "mail/meeting_url.hpp"
#include "support/catch.hpp"

namespace meeting_url_test {
using namespace recruiting;
using namespace recruiting::mail;

TEST_CASE("a meeting's address is https with a host, and nothing that ends it elsewhere", "[mail][meeting]") {
    for (auto const* good : {"https://meet.example", "https://meet.example/priya?pwd=a%20b&x=1#room",
                             "https://[2001:db8::1]/a", "https://meet.example:8443/{room}"})
        CHECK_FALSE(meeting_url_problem(good));
    for (auto const* bad :
         {"", "meet.example", "http://meet.example", "HTTPS://meet.example", "javascript:alert(1)", "https://",
          "https:///x", "https://:443/", "https://user@meet.example/", "//meet.example", "https://meet.example/a b",
          "https://meet.example/\r\nSet-Cookie: a=b", "https://m.example/\"x", "https://m.example/<x>",
          "https://m.example\\@evil.example/", "https://m\xc3\xa9.example/"})
        CHECK(meeting_url_problem(bad));
    CHECK(meeting_url_problem("https://meet.example/" + std::string(2'000, 'x')));
}

TEST_CASE("a template of rooms is a secure address with one place for the room", "[mail][meeting]") {
    for (auto const* good :
         {"https://meet.example/{room}", "https://m.example/a?r={room}&x=1", "https://m.example/#{room}"})
        CHECK_FALSE(room_template_problem(good));
    for (auto const* bad :
         {"", "http://meet.example/{room}", "https://", "https://meet.example/", "{room}",
          "https://{room}.meet.example/", "https://meet.example/{room}{room}", "https://meet.example/{room}\r\nX: y",
          "https://meet.example/{room} x", "https://meet.example/<{room}>", "https://meet.example/\xc3\xa9{room}"})
        CHECK(room_template_problem(bad));
    CHECK(room_template_problem("https://meet.example/{room}" + std::string(1'000, 'x')));
}

TEST_CASE("each room has its own address", "[mail][meeting]") {
    uuid room;
    room.bytes.fill(0xab);
    CHECK(room_url("https://meet.example/{room}?a=1", room) ==
          "https://meet.example/abababababababababababababababab?a=1");
    CHECK_FALSE(room_url("", room));
}

} // namespace meeting_url_test
