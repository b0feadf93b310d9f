#include "auth_api/search_words.hpp"
#include "core/redact.hpp"
#include "support/catch.hpp"

using namespace recruiting;
using namespace recruiting::auth_api;

TEST_CASE("what goes into the audit log is bounded text without secrets", "[auth_api][audit]") {
    REQUIRE(printable("abc", 2) == "ab");
    REQUIRE(printable("a\x01\x7f", 9) == "a??");
    REQUIRE(printable("gr\xc3\xbc\xc3\x9f", 4) == "gr\xc3\xbc"); // cut between characters
    REQUIRE(printable("gr\xfc", 9) == "gr?");
    REQUIRE(printable("a\xc2\x9b\xc2\x80\xc2\xa0z", 9) == "a??\xc2\xa0z"); // C1 controls; U+00A0 is none
    REQUIRE(redact_secrets("/x/sp_live_abcDEF123/y sp_test_z") == "/x/sp_live_***/y sp_test_***");
    REQUIRE(redact_secrets("sp_live_") == "sp_live_");
}

TEST_CASE("q is words of letters and digits, eight at most", "[auth_api][list]") {
    using words = std::vector<std::string>;
    REQUIRE(search_words("  Ada, Lovelace-Byron ") == words{"Ada", "Lovelace", "Byron"});
    REQUIRE(search_words("M\xc3\xbcller%_") == words{"M\xc3\xbcller"});
    REQUIRE(search_words("...").empty());
    REQUIRE(search_words("1 2 3 4 5 6 7 8 9").size() == 8);
}
