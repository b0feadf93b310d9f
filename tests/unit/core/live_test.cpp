// What a live installation refuses, and what it must not refuse.
#include "core/commit.hpp"
#include "core/live.hpp"
#include "core/settings.hpp"
#include "support/catch.hpp"

#include <algorithm>

namespace live_test {
using namespace recruiting;

TEST_CASE("a live secret: zeros, repeated bytes and repeated texts are refused, what openssl prints is not", "[live]") {
    for (std::string const& bad :
         {std::string(32, '\0'), std::string(64, 'p'), std::string("abcdefgabcdefgabcdefgabcdefgabcdefg")})
        CHECK(live_secret_problem(bad) == "holds fewer than 8 different bytes");
    std::string const word = "correct horse battery";
    CHECK(live_secret_problem(word + word) == "repeats a shorter text");
    CHECK(live_secret_problem(word + word.substr(0, 20) + "y" + word.substr(0, 7)) == "repeats a shorter text");
    CHECK_FALSE(live_secret_problem(word + " staple"));
    CHECK_FALSE(live_secret_problem("5f2a91c07be4d8365f2a91c07be4d837")); // hexadecimal: 16 different bytes at most
    CHECK_FALSE(live_secret_problem("90817263549081726355443322110099"));
}

TEST_CASE("a live origin: https, and another machine than the browser's own", "[live]") {
    for (auto const* const good : {"https://jobs.example.com", "https://jobs.corp.internal:8443", "https://10.1.2.3",
                                   "https://[2001:db8::1]", "https://localhost.example.com"})
        CHECK_FALSE(live_origin_problem(good));
    CHECK(live_origin_problem("http://jobs.example.com") == "must be https");
    for (auto const* const own :
         {"https://localhost", "https://LOCALHOST:8443", "https://jobs.localhost", "https://127.0.0.1",
          "https://127.9.9.9:1", "https://[::1]:8443", "https://0.0.0.0", "https://[::]"})
        CHECK(live_origin_problem(own) == "must not name this machine");
}

TEST_CASE("the commit is 12 hexadecimal digits, marked if the tree had changes, or unknown", "[live]") {
    auto digits = std::string(commit());
    if (auto const mark = digits.find("+dirty"); mark != digits.npos) digits.resize(mark);
    bool const is_hash = digits.size() == 12 && std::ranges::all_of(digits, [](char c) {
                             return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
                         });
    CHECK((is_hash || commit() == "unknown"));
    CHECK(version_and_commit() == std::string(version()) + " (" + std::string(commit()) + ")");
}

} // namespace live_test
