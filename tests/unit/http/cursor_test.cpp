// Signed tokens.
#include "http/query.hpp"
#include "support/catch.hpp"

using recruiting::http::token_signer;

TEST_CASE("what was signed comes back, any bytes", "[http]") {
    token_signer const signer("secret");
    std::vector<std::string> const parts = {"", "a:b", std::string("\0\xff", 2), "12:", "x"};
    REQUIRE(signer.verify(signer.sign(parts)) == parts);
    REQUIRE(signer.verify(signer.sign({}))->empty());
    REQUIRE(signer.sign({"ab", "c"}) != signer.sign({"a", "bc"}));
}

TEST_CASE("a changed, cut, prolonged or foreign token is none", "[http]") {
    token_signer const signer("secret");
    auto const token = signer.sign({"position", "fingerprint"});
    for (std::size_t i = 0; i < token.size(); ++i) {
        auto changed = token;
        changed[i] = changed[i] == 'x' ? 'y' : 'x';
        REQUIRE_FALSE(signer.verify(changed));
        REQUIRE_FALSE(signer.verify(token.substr(0, i)));
    }
    REQUIRE_FALSE(signer.verify(token + "A"));
    REQUIRE_FALSE(signer.verify(token + "="));
    REQUIRE_FALSE(token_signer("other").verify(token));
    REQUIRE_FALSE(signer.verify("not base64url!"));
}
