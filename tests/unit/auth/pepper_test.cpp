// What a pepper's name reveals, and which hashes are looked up while it is rotated.
#include "auth/authenticate_store.hpp"
#include "support/catch.hpp"

namespace pepper_test {
using namespace recruiting;

TEST_CASE("a fingerprint names a pepper, in every process and version", "[pepper]") {
    auto const fingerprint = pepper_fingerprint("a pepper of thirty-two bytes or so");
    CHECK(show_fingerprint(fingerprint) == "a724d35682d61238");
    CHECK(pepper_fingerprint("a pepper of thirty-two bytes or sO") != fingerprint);
    CHECK(show_fingerprint(10) == "000000000000000a");
    CHECK(fingerprints_of({"one", {}}) == std::vector{pepper_fingerprint("one")});
    CHECK(fingerprints_of({"one", "two"}) == std::vector{pepper_fingerprint("one"), pepper_fingerprint("two")});
}

TEST_CASE("without a previous pepper one hash is looked up, else two in one statement", "[pepper]") {
    auto const one = auth::authenticate(auth::present_key({"one", {}}, "secret"));
    CHECK(one.sql == auth::authenticate(digest{}).sql);
    CHECK(one.params.values().size() == 1);
    auto const both = auth::authenticate(auth::present_key({"one", "two"}, "secret"));
    REQUIRE(both.params.values().size() == 1);
    auto const hashes = both.params.values()[0].text.value();
    CHECK(hashes.find(one.params.values()[0].text.value()) != std::string::npos);
    CHECK(hashes.find(auth::authenticate(auth::present_key({"two", {}}, "secret")).params.values()[0].text.value()) !=
          std::string::npos);
}

} // namespace pepper_test
