// Which e-mail addresses are taken: every address of a public list by its category there, and what tries to be one.
#include "core/text.hpp"
#include "mail/address.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <fstream>
#include <iterator>
#include <map>

namespace address_test {
using namespace recruiting;

namespace {

boost::json::array vectors(std::string const& name) {
    std::ifstream file(RECRUITING_SOURCE_DIR "/tests/vectors/" + name);
    std::string const text{std::istreambuf_iterator<char>(file), {}};
    return boost::json::parse(text).as_array();
}

// Taken: what RFC 5321 lets a server send to. No name is looked up, so a domain without records is taken too.
// Refused: numbers as top-level domains; comments, folding and obsolete forms, which RFC 5322 allows in a header and
// RFC 5321 not in an envelope; too long ones; everything malformed.
bool is_taken(std::string_view category, std::string_view diagnosis) {
    constexpr std::array taken_diagnoses = {"ISEMAIL_RFC5321_ADDRESSLITERAL", "ISEMAIL_RFC5321_QUOTEDSTRING",
                                            "ISEMAIL_RFC5321_TLD", "ISEMAIL_RFC5321_IPV6DEPRECATED"};
    if (category == "ISEMAIL_VALID_CATEGORY" || category == "ISEMAIL_DNSWARN") return true;
    return std::find(taken_diagnoses.begin(), taken_diagnoses.end(), diagnosis) != taken_diagnoses.end();
}

} // namespace

TEST_CASE("every address of the isemail list is taken or refused by its category", "[mail][address]") {
    std::map<std::string, int> seen;
    for (auto const& item : vectors("isemail.json")) {
        auto const text = std::string(item.at("address").as_string());
        auto const category = std::string(item.at("category").as_string());
        auto const diagnosis = std::string(item.at("diagnosis").as_string());
        INFO(diagnosis << ": " << text);
        CHECK(mail::is_address(text) == is_taken(category, diagnosis));
        ++seen[category];
    }
    REQUIRE(seen == std::map<std::string, int>{{"ISEMAIL_CFWS", 10},
                                               {"ISEMAIL_DEPREC", 20},
                                               {"ISEMAIL_DNSWARN", 8},
                                               {"ISEMAIL_ERR", 66},
                                               {"ISEMAIL_RFC5321", 16},
                                               {"ISEMAIL_RFC5322", 30},
                                               {"ISEMAIL_VALID_CATEGORY", 14}});
}

TEST_CASE("addresses beyond ASCII are taken, well-formed ones", "[mail][address]") {
    for (auto const* text :
         {"josé@example.com", "用户@例子.广告", "χρήστης@παράδειγμα.ελ", "a@bücher.example", "\"jo sé\"@example.com"}) {
        INFO(text);
        REQUIRE(mail::is_address(text));
    }
    for (auto const* text : {"jos\xE9@example.com", "a@\xC0\xAF.example", "\"a\\é\"@example.com",
                             "a\xC2\x85@example.com", "a\xE2\x80\xA8@example.com", "a@b\xE2\x80\xA9.example"}) {
        INFO(text);
        REQUIRE_FALSE(mail::is_address(text));
    }
}

TEST_CASE("lengths are those of RFC 5321", "[mail][address]") {
    auto const local = std::string(64, 'l');
    auto const label = std::string(63, 'd');
    REQUIRE(mail::is_address(local + "@example.com"));
    REQUIRE_FALSE(mail::is_address(local + "l@example.com"));
    REQUIRE(mail::is_address("a@" + label + ".com"));
    REQUIRE_FALSE(mail::is_address("a@" + label + "d.com"));
    auto const longest = local + "@" + label + "." + label + "." + std::string(61, 'd');
    REQUIRE(longest.size() == 254);
    REQUIRE(mail::is_address(longest));
    REQUIRE_FALSE(mail::is_address(longest + "d"));
    REQUIRE_FALSE(mail::is_address(std::string(100'000, '@')));
}

TEST_CASE("nothing that could leave its header line is an address", "[mail][address]") {
    for (auto const* text : {"a@example.com\r\nBcc: b@example.com", "a\n@example.com", "\"a\r\n\"@example.com",
                             "a@example.com\t", "\"a\tb\"@example.com", "a@example.com,b@example.com",
                             "<a@example.com>", "A <a@example.com>", "a@b@example.com", "mailto:a@b c"}) {
        INFO(text);
        REQUIRE_FALSE(mail::is_address(text));
    }
    REQUIRE_FALSE(mail::is_address(std::string_view("a\0@example.com", 14)));
    for (auto const& item : vectors("naughty_strings.json")) REQUIRE_FALSE(mail::is_address(item.as_string()));
}

TEST_CASE("limits count a mailbox, whatever tag its address has", "[mail][address]") {
    CHECK(mail::counted_mailbox("kim@mail.example") == "kim@mail.example");
    for (auto const* const tagged : {"kim+a@mail.example", "kim+@mail.example", "kim+a+b@mail.example"})
        CHECK(mail::counted_mailbox(tagged) == "kim@mail.example");
    for (auto const* const other : {"kim@mail+a.example", "+a@mail.example", "\"kim+a\"@mail.example", "kim", ""})
        CHECK(mail::counted_mailbox(other) == other);
    CHECK(mail::counted_mailbox("ki.m+a@mail.example") == "ki.m@mail.example");
}

namespace {

std::string encoded(char32_t c) {
    std::string out;
    auto const add = [&out](char32_t bits) { out += static_cast<char>(bits); };
    if (c < 0x800) return add(0xC0 | c >> 6), add(0x80 | (c & 0x3F)), out;
    if (c >= 0x10000) add(0xF0 | c >> 18), add(0x80 | (c >> 12 & 0x3F));
    else add(0xE0 | c >> 12);
    add(0x80 | (c >> 6 & 0x3F));
    add(0x80 | (c & 0x3F));
    return out;
}

std::string canonical(std::string_view typed) { return mail::canonical_address(typed).value_or("refused"); }
std::string mailbox(std::string_view typed) {
    auto const parsed = mail::parse_address(typed);
    return parsed ? parsed->mailbox : "refused";
}

} // namespace

TEST_CASE("the domain's forms are one: A-labels in lower case", "[mail][address]") {
    for (auto const* typed : {"kim@köln.example", "kim@xn--kln-sna.example", "kim@KÖLN.example",
                              "kim@XN--KLN-SNA.Example", "kim@ko\u0308ln.example", "kim@ｋöｌｎ.example",
                              "kim@köln。example", "kim@köln．ｅｘａｍｐｌｅ", "kim@k\u00ADöln.example"}) {
        INFO(typed);
        CHECK(canonical(typed) == "kim@xn--kln-sna.example");
        CHECK(mailbox(typed) == "kim@xn--kln-sna.example");
    }
    CHECK(canonical("a@faß.example") == "a@xn--fa-hia.example"); // non-transitional: not fass.example
    CHECK(canonical("a@r3---sn.example") == "a@r3---sn.example");
    CHECK(canonical("a@[192.0.2.1]") == "a@[192.0.2.1]");
    CHECK(canonical("a@[ipv6:2001:DB8:0::1]") == canonical("a@[IPv6:2001:db8::1]"));
}

TEST_CASE("the local part is normalized, and only its ASCII letters are folded", "[mail][address]") {
    CHECK(canonical("Kim.O'Neil+Jobs@Example.COM") == "kim.o'neil+jobs@example.com");
    CHECK(canonical("jose\u0301@example.com") == canonical("josé@example.com"));
    CHECK(canonical("JOSÉ@example.com") != canonical("josé@example.com"));
    CHECK(canonical("\"kim\"@example.com") == "kim@example.com");
    CHECK(canonical("\"ki\\m\"@example.com") == "kim@example.com");
    CHECK(canonical("\"k im\"@example.com") == "\"k im\"@example.com");
    CHECK(canonical("\"k\\\"im\"@example.com") == "\"k\\\"im\"@example.com");
    CHECK(mailbox("Jose\u0301@KÖLN.example") ==
          "Jose\u0301@xn--kln-sna.example"); // as typed: a server may tell them apart
}

// The characters that lower() or upper() turn into ASCII: in a domain UTS 46 decides, and mail goes to that domain.
TEST_CASE("no character beyond ASCII makes an address of another domain or mailbox", "[mail][address]") {
    CHECK(canonical("ceo@mİnerva.example") != canonical("ceo@minerva.example"));
    CHECK(canonical("ceo@mınerva.example") != canonical("ceo@minerva.example"));
    CHECK(mailbox("ceo@mineſva.example") == "ceo@minesva.example");
    CHECK(mailbox("ceo@min\u212Aerva.example") == "ceo@minkerva.example");
    for (auto const* typed : {"İvan@example.com", "ıvan@example.com"}) {
        INFO(typed);
        CHECK(mail::is_address(typed));
        CHECK(canonical(typed) != "ivan@example.com");
    }
    for (auto const* typed :
         {"\u212Aim@example.com", "ſam@example.com", "ｋim@example.com", "\u212Bsa@example.com", "ﬁn@example.com",
          "kim\u200D@example.com", "kim\u00AD@example.com", "k\u00B7m@example.com", "kim™@example.com",
          "kim😀@example.com", "kim\u2019s@example.com"}) {
        INFO(typed);
        CHECK_FALSE(mail::is_address(typed));
    }
}

// All of Unicode: whatever its lower or upper case is, a character is itself, refused, or mapped by UTS 46.
TEST_CASE("every character is refused in a local part or stays apart from every ASCII one", "[mail][address]") {
    std::map<std::string, std::string> seen;
    for (char32_t c = 0x80; c <= 0x10FFFF; ++c) {
        if (c >= 0xD800 && c <= 0xDFFF) continue;
        auto const typed = "a" + encoded(c) + "b@example.com";
        auto const key = mail::canonical_address(typed);
        if (!key) continue;
        auto const [at, is_new] = seen.emplace(*key, typed);
        INFO(std::hex << static_cast<std::uint32_t>(c) << " and " << at->second);
        REQUIRE(is_new);
        REQUIRE_FALSE(is_printable_ascii(*key));
        REQUIRE(mail::canonical_address(*key) == key);
    }
    CHECK(seen.size() > 100'000);
}

TEST_CASE("scripts that look alike are different people", "[mail][address]") {
    CHECK(canonical("kim@pаypal.example") != canonical("kim@paypal.example")); // a Cyrillic a
    CHECK(canonical("pаul@example.com") != canonical("paul@example.com"));
    CHECK_FALSE(mail::is_address("שa@example.com")); // RFC 5893: no left-to-right letter in a right-to-left text
    CHECK(mail::is_address("שלום@example.com"));
}

TEST_CASE("what is refused has a reason", "[mail][address]") {
    CHECK(mail::address_problem("kim") == "must be an e-mail address");
    CHECK(mail::address_problem("kim@xn--a.example") == "must have a domain that UTS 46 accepts");
    CHECK(mail::address_problem("ſ@a.example") ==
          "must have no characters before the @ that PRECIS (RFC 8264) refuses");
    CHECK(mail::address_problem("a@" + std::string(254, 'b')) == "must have at most 254 bytes, its domain in ASCII");
    CHECK_FALSE(mail::address_problem("kim@example.com"));
}

TEST_CASE("a local part ignoring case is not normalized", "[mail][address]") {
    auto const ignoring_case = [](std::string_view typed) {
        return local_part_ignoring_case(mail::parse_address(typed).value());
    };
    CHECK(ignoring_case("Kim@example.com") == "kim");
    CHECK(ignoring_case("jose\u0301@example.com") != ignoring_case("josé@example.com"));
}

} // namespace address_test
