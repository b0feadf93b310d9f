#include "core/redact.hpp"
#include "support/catch.hpp"

namespace redact_test {
using namespace recruiting;

TEST_CASE("what goes into the audit log is bounded text without secrets", "[auth_api][audit]") {
    REQUIRE(printable("abc", 2) == "ab");
    REQUIRE(printable("a\x01\x7f", 9) == "a??");
    REQUIRE(printable("gr\xc3\xbc\xc3\x9f", 4) == "gr\xc3\xbc"); // cut between characters
    REQUIRE(printable("gr\xfc", 9) == "gr?");
    REQUIRE(printable("a\xc2\x9b\xc2\x80\xc2\xa0z", 9) == "a??\xc2\xa0z"); // C1 controls; U+00A0 is none
    REQUIRE(redact_secrets("/x/sp_live_abcDEF123/y sp_test_zzz") == "/x/sp_live_***/y sp_test_***");
    REQUIRE(redact_secrets("sp_live_sp_live_abc sp_live_sp_test_abc") == "sp_live_*** sp_live_***");
    REQUIRE(redact_secrets("sp_live_z sp_test_yz.") == "sp_live_* sp_test_**."); // never longer: a limit still holds
    REQUIRE(redact_secrets("sp_live_") == "sp_live_");
}

TEST_CASE("passwords in addresses and connection strings are hidden", "[redact]") {
    CHECK(redact_url("postgresql://a:b@h:1/d") == "postgresql://***@h:1/d");
    CHECK(redact_url("redis://:p@ss@h") == "redis://***@h");
    CHECK(redact_url("host=h password=geheim user=u") == "host=h password=*** user=u");
    CHECK(redact_url("host=h password='ge heim' user=u") == "host=h password=*** user=u");
    CHECK(redact_url("postgresql://h/d?user=u&password=x&a=b") == "postgresql://h/d?user=u&password=***&a=b");
    CHECK(redact_url("http://h:1/a") == "http://h:1/a");
    // As libpq reads them.
    CHECK(redact_url("password = geheim host=h") == "password = *** host=h");
    CHECK(redact_url("host=h password=ge\\ heim&x user=u") == "host=h password=*** user=u");
    CHECK(redact_url("password='ge\\'heim' sslpassword=x") == "password=*** sslpassword=***");
    CHECK(redact_url("host=h password=") == "host=h password=***");
    CHECK(redact_url("host=h password='geheim") == "host=h password=***");
}

} // namespace redact_test
