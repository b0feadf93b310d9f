#include "core/ids.hpp"
#include "core/ip.hpp"
#include "core/text.hpp"
#include "crypto/digest.hpp"
#include "support/catch.hpp"
#include "telemetry/trace_context.hpp"

#include <set>

namespace text_test {
using namespace recruiting;

TEST_CASE("UTF-8 is what RFC 3629 says", "[core][text]") {
    for (auto const* good :
         {"", "abc", "\xc3\xbc", "\xe2\x82\xac", "\xf0\x9f\x98\x80", "\xf4\x8f\xbf\xbf", "\xed\x9f\xbf"})
        REQUIRE(is_utf8(good));
    for (auto const* bad : {"\x80", "\xc0\xaf", "\xc1\xbf", "\xe0\x80\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80",
                            "\xf5\x80\x80\x80", "\xc3", "\xe2\x82", "\xff", "a\xfe"})
        REQUIRE_FALSE(is_utf8(bad));
}

TEST_CASE("JSON strings escape what RFC 8259 section 7 asks", "[core][text]") {
    std::string out;
    append_json_string(out, std::string_view("\"\\/\b\f\n\r\t\x01\x1f\x7f \xc3\xbc\0", 15));
    REQUIRE(out == "\"\\\"\\\\/\\b\\f\\n\\r\\t\\u0001\\u001f\x7f \xc3\xbc\\u0000\"");
}

TEST_CASE("base64url and hex come back as they went, and nothing else is read", "[core][text]") {
    for (auto const* text : {"", "f", "fo", "foo", "foob", "fooba", "foobar", "\xff\xfe\xfd"}) {
        REQUIRE(from_base64url(to_base64url(text)) == std::string(text));
        REQUIRE(from_hex(to_hex(text)) == std::string(text));
    }
    REQUIRE(to_base64url("foobar") == "Zm9vYmFy");                                          // RFC 4648 section 10
    for (auto const* bad : {"Z", "Zh", "Zm9=", "Zm+v"}) REQUIRE_FALSE(from_base64url(bad)); // Zh: bits left over
    for (auto const* bad : {"0", "0g", " 0"}) REQUIRE_FALSE(from_hex(bad));
}

TEST_CASE("percent-decoding refuses broken escapes", "[core][text]") {
    REQUIRE(percent_decode("a%2Fb%c3%bc+") == "a/b\xc3\xbc+");
    REQUIRE(percent_decode("a+b", true) == "a b");
    for (auto const* bad : {"%", "%2", "%zz", "a%4"}) REQUIRE_FALSE(percent_decode(bad));
    REQUIRE(percent_encode("a b/\xc3\xbc~") == "a%20b%2F%C3%BC~");
}

TEST_CASE("upper case and the dashed UUID form mean the same id, and answers give 32 lower-case hex characters",
          "[core][ids]") {
    std::string const canonical = "0190f5b0c0de70008000000000abcdef";
    for (auto const* text : {"0190f5b0c0de70008000000000abcdef", "0190F5B0C0DE70008000000000ABCDEF",
                             "0190f5b0-c0de-7000-8000-000000abcdef", "0190F5B0-C0DE-7000-8000-000000aBcDeF"}) {
        INFO(text);
        auto const id = parse_id(text);
        REQUIRE(id);
        REQUIRE(to_string(*id) == canonical);
    }
    for (auto const* bad : {"0190f5b0-c0de70008000-000000abcdef", "0190f5b0c0de-7000-8000-000000abcdef1",
                            "{0190f5b0-c0de-7000-8000-000000abcdef}", "urn:uuid:0190f5b0-c0de-7000-8000-000000abcdef",
                            "0190f5b0-c0de-7000-8000-000000abcde", "0190f5b0-c0de-7000-8000-000000abcdef-",
                            "------------------------------------", "0190f5b0_c0de_7000_8000_000000abcdef",
                            "0190f5b0-c0de-7000-8000-000000abcde\xC3", " 190f5b0c0de70008000000000abcdef"})
        REQUIRE_FALSE(parse_id(bad));
}

TEST_CASE("record ids rise with time", "[core][ids]") {
    auto const id = new_record_id();
    REQUIRE(parse_id(to_string(id)) == id);
    REQUIRE(to_string(id)[12] == '7');
    auto const early = timestamp{std::chrono::milliseconds{1000}};
    REQUIRE(new_record_id(early) < new_record_id(early + std::chrono::milliseconds{1}));
    for (auto const* bad : {"", "0190f5b0c0de70008000000000000001x", "g190f5b0c0de70008000000000000001"})
        REQUIRE_FALSE(parse_id(bad));
    std::set<std::string> seen;
    for (int i = 0; i < 1000; ++i) REQUIRE(seen.insert(to_string(random_id())).second);
}

TEST_CASE("request ids are kept only in their form", "[core][ids]") {
    REQUIRE(is_request_id("abc-DEF_1"));
    REQUIRE(is_request_id(std::string(64, 'a')));
    REQUIRE(is_request_id(new_request_id()));
    for (auto const& bad :
         {std::string("1234567"), std::string(65, 'a'), std::string("12345678 "), std::string("1234\n678")})
        REQUIRE_FALSE(is_request_id(bad));
}

TEST_CASE("networks contain addresses by prefix, IPv4 in any writing", "[core][ip]") {
    auto const network = parse_network("192.0.2.128/25");
    REQUIRE(network);
    REQUIRE(network->contains(*parse_ip("192.0.2.200")));
    REQUIRE(network->contains(*parse_ip("::ffff:192.0.2.200")));
    REQUIRE_FALSE(network->contains(*parse_ip("192.0.2.100")));
    REQUIRE(parse_network("0.0.0.0/0")->contains(*parse_ip("203.0.113.9")));
    REQUIRE_FALSE(parse_network("0.0.0.0/0")->contains(*parse_ip("2001:db8::1")));
    REQUIRE(parse_network("2001:db8::/33")->contains(*parse_ip("2001:db8:7fff::1")));
    REQUIRE_FALSE(parse_network("2001:db8::/33")->contains(*parse_ip("2001:db8:8000::1")));
    for (auto const* bad : {"", "1.2.3", "1.2.3.4/33", "::1/129", "1.2.3.4/", "1.2.3.4/x", "01.2.3.4"})
        REQUIRE_FALSE(parse_network(bad));
    REQUIRE(to_string(*parse_network("10.0.0.0/8")) == "10.0.0.0/8");
}

TEST_CASE("digests agree with their RFCs' vectors", "[crypto]") {
    REQUIRE(to_hex(bytes_of(sha256("abc"))) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    REQUIRE(to_hex(bytes_of(hmac_sha256("Jefe", "what do ya want for nothing?"))) == // RFC 4231, test case 2
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
    REQUIRE(to_hex(bytes_of(
                hmac_sha256(std::string(131, '\xaa'), "Test Using Larger Than Block-Size Key - Hash Key First"))) ==
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"); // test case 6
    REQUIRE(crc32("123456789") == 0xCBF43926U);
}

TEST_CASE("the first character has a value and a size, or none", "[core]") {
    struct {
        std::string_view text;
        char32_t value;
        std::size_t size;
    } const cases[] = {{"a", 'a', 1},
                       {"\x7f", 0x7F, 1},
                       {"ä…", 0xE4, 2},
                       {"…", 0x2026, 3},
                       {"\U0001F600x", 0x1F600, 4},
                       {"\xC0\xAF", 0xFFFD, 0},
                       {"\xED\xA0\x80", 0xFFFD, 0},
                       {"\xE2\x80", 0xFFFD, 0},
                       {"\x80", 0xFFFD, 0},
                       {"\xF4\x90\x80\x80", 0xFFFD, 0}};
    for (auto const& one : cases) {
        INFO(to_hex(one.text));
        CHECK(first_character(one.text).value == one.value);
        CHECK(first_character(one.text).size == one.size);
    }
}

TEST_CASE("text is truncated between characters", "[core]") {
    CHECK(truncate_utf8("aä…", 9) == "aä…");
    CHECK(truncate_utf8("aä…", 6) == "aä…");
    for (std::size_t const longest : {3U, 4U, 5U}) CHECK(truncate_utf8("aä…", longest) == "aä");
    for (std::size_t const longest : {1U, 2U}) CHECK(truncate_utf8("aä…", longest) == "a");
    CHECK(truncate_utf8("ä", 1).empty());
    CHECK(count_characters("aä…\U0001F600") == 4);
    CHECK(count_characters("") == 0);
}

} // namespace text_test
