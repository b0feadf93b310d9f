// Which e-mail addresses are taken: every address of a public list by its category there, and what tries to be one.
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

} // namespace address_test
