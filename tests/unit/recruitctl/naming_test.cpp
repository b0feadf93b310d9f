// Which texts name a person whose data is erased.
#include "recruitctl/erasure/naming.hpp"

#include "support/catch.hpp"

namespace naming_test {
using namespace recruiting;
using namespace recruiting::recruitctl::erasure;

namespace {

naming anna() {
    naming of;
    of.add_id(*parse_id("0199c1a2e5f07b33a6c4d9081e72bf45"));
    of.add_address("Anna.Lee@Mail.example");
    of.add_name("Anna Lee");
    return of;
}

} // namespace

TEST_CASE("a person is named by an id in either form, in any case", "[recruitctl][erasure]") {
    CHECK(anna().find(R"({"candidateId":"0199C1A2E5F07B33A6C4D9081E72BF45"})") == named_by::id);
    CHECK(anna().find("0199c1a2-e5f0-7b33-a6c4-d9081e72bf45, Anna Lee") == named_by::id);
    CHECK(anna().find("0199c1a2e5f07b33a6c4d9081e72bf46") == named_by::nothing);
}

TEST_CASE("a person is named by their whole address, and by no longer one", "[recruitctl][erasure]") {
    CHECK(anna().find("Write to ANNA.LEE@mail.example.") == named_by::address);
    CHECK(anna().find("<anna.lee@mail.example>") == named_by::address);
    for (auto const* const other :
         {"joanna.lee@mail.example", "x.anna.lee@mail.example", "anna.lee@mail.example.org", "anna.lee@mail.examples",
          "anna.lee@mail.example-test", "x+anna.lee@mail.example"}) {
        INFO(other);
        CHECK(anna().find(other) != named_by::address);
    }
    CHECK(anna().find("joanna.lee@mail.example, anna.lee@mail.example") == named_by::address);
}

TEST_CASE("a person is named by their whole name, whatever its case, accents and punctuation",
          "[recruitctl][erasure]") {
    for (auto const* const text :
         {"anna lee", "ÁNNA  LEE's", "(Anna-Lee)", "Anna\nLee", "anna_lee", "\"Anna\", \"Lee\""}) {
        INFO(text);
        CHECK(anna().find(text) == named_by::name);
    }
    for (auto const* const text : {"Joanna Lee", "Anna Leeds", "Anna", "Lee Anna", ""}) {
        INFO(text);
        CHECK(anna().find(text) == named_by::nothing);
    }
    naming chinese;
    chinese.add_name("李小龙");
    CHECK(chinese.find("请介绍李小龙。") == named_by::name);
    CHECK(chinese.find("李小") == named_by::nothing);
}

TEST_CASE("JSON's escapes hide no name, however deep", "[recruitctl][erasure]") {
    naming of;
    of.add_name("Zoë 𠮷田");
    CHECK(of.find(R"({"q":"Zo\u00eb \ud842\udfb7\u7530"})") == named_by::name);
    CHECK(of.find(R"("{\"q\":\"Zo\\u00EB \\ud842\\udfb7\\u7530\"}")") == named_by::name);
    CHECK(anna().find(R"({"text":"first\nAnna\tLee"})") == named_by::name);
    CHECK(anna().find(R"(ACME\anna lee)") == named_by::name); // and a backslash that escapes nothing
    CHECK(anna().find(R"(\u00 \ud842 \)") == named_by::nothing);
}

TEST_CASE("a name without a letter names nothing", "[recruitctl][erasure]") {
    naming of;
    of.add_name("-");
    of.add_name("");
    of.add_address("");
    CHECK(of.find("a - b") == named_by::nothing);
}

} // namespace naming_test
