// What values the directory accepts.
#include "directory/rules.hpp"
#include "support/catch.hpp"

namespace rules_test {
using namespace recruiting::directory;

TEST_CASE("slugs are lower-case letters and digits with single hyphens between", "[directory]") {
    for (auto const* slug : {"a", "acme", "acme-gmbh", "1-2-3", "a1"}) REQUIRE_FALSE(wrong_slug(slug).has_value());
    REQUIRE_FALSE(wrong_slug(std::string(63, 'a')).has_value());
    for (auto const* slug : {"", "-a", "a-", "a--b", "A", "a b", "a_b", "ä", "a.b"}) {
        CAPTURE(slug);
        REQUIRE(wrong_slug(slug).has_value());
    }
    REQUIRE(wrong_slug(std::string(64, 'a')).has_value());
}

TEST_CASE("texts are counted in characters, not bytes", "[directory]") {
    REQUIRE_FALSE(wrong_text("äöü", 3).has_value());
    REQUIRE(wrong_text("äöü", 2).has_value());
    for (std::string const text : {"", " a", "a ", "a\nb", "a\x7f", "\xff"}) REQUIRE(wrong_text(text, 10).has_value());
}

TEST_CASE("e-mail addresses are those that mail can be sent to", "[directory]") {
    for (auto const* email : {"a@b", "Ann.O'Neil+x@example.com", "ü@example.com"})
        REQUIRE_FALSE(wrong_email(email).has_value());
    for (auto const* email :
         {"", "a", "@b", "a@", "a@b@c", "a b@c", "a@b\n", "a..b@c", "a@-b", "a@b_c.example", "a@192.0.2.1"}) {
        CAPTURE(email);
        REQUIRE(wrong_email(email).has_value());
    }
    auto const labels = std::string(63, 'b') + '.' + std::string(63, 'b') + '.';
    auto const longest = std::string(64, 'a') + '@' + labels + std::string(61, 'b');
    REQUIRE_FALSE(wrong_email(longest).has_value());
    REQUIRE(wrong_email(longest + 'b') == "must have at most 254 bytes, its domain in ASCII");
    REQUIRE(wrong_email(std::string(65, 'a') + "@b") == "must be an e-mail address");
}

TEST_CASE("URLs are http or https with a host", "[directory]") {
    for (auto const* url : {"https://acme.example", "http://acme.example:8080/a?b#c"})
        REQUIRE_FALSE(wrong_url(url).has_value());
    for (auto const* url : {"", "acme.example", "ftp://a", "javascript:alert(1)", "https://", "https:///a",
                            "https://:1", "https://user@host", "https://a b", "https://a/\"><script>"}) {
        CAPTURE(url);
        REQUIRE(wrong_url(url).has_value());
    }
    REQUIRE(wrong_url("https://a/" + std::string(2048, 'x')).has_value());
}

TEST_CASE("people apply at a web address, or at one e-mail address", "[directory]") {
    for (auto const* url :
         {"https://acme.example/apply?job=1#form", "http://acme.example", "mailto:jobs@acme.example"}) {
        CAPTURE(url);
        REQUIRE_FALSE(wrong_apply_url(url).has_value());
    }
    for (auto const* url :
         {"", "javascript:alert(1)", "HTTPS://a", "mailto:", "mailto:jobs", "mailto:a@b.example,c@d.example",
          "mailto:a@b.example?subject=x", "mailto:a%40b.example", "mailto: a@b.example",
          "mailto:a@b.example\r\nBcc: c@d.example", "https://a b", "https://a/\t", "//a", "jobs@acme.example"}) {
        CAPTURE(url);
        REQUIRE(wrong_apply_url(url).has_value());
    }
    REQUIRE(wrong_apply_url("https://a/" + std::string(2048, 'x')).has_value());
    REQUIRE(wrong_apply_url("mailto:" + std::string(2048, 'x') + "@b.example").has_value());
}

TEST_CASE("accent colors are six lower-case hexadecimal digits", "[directory]") {
    REQUIRE_FALSE(wrong_accent_color("#0b5fff").has_value());
    for (auto const* color : {"", "#fff", "0b5fff", "#0B5FFF", "red", "#0b5fff80"}) {
        CAPTURE(color);
        REQUIRE(wrong_accent_color(color).has_value());
    }
}

TEST_CASE("address blocks are what PostgreSQL's cidr takes", "[directory]") {
    for (auto const* block :
         {"10.0.0.0/8", "203.0.113.7", "203.0.113.7/32", "0.0.0.0/0", "2001:db8::/32", "::1", "::/0"})
        REQUIRE_FALSE(wrong_address_block(block).has_value());
    for (auto const* block : {"", "10.0.0.1/8", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/", "10.0.0/8", "2001:db8::1/32",
                              "::/129", "example.com", "10.0.0.0/8/8", "fe80::1%eth0"}) {
        CAPTURE(block);
        REQUIRE(wrong_address_block(block).has_value());
    }
}

} // namespace rules_test
