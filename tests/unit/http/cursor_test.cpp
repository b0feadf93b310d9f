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

TEST_CASE("while the secret is rotated, tokens of both are accepted and new ones are of the current", "[http]") {
    token_signer const before("old");
    token_signer const next_known("old", "new");
    token_signer const changed("new", "old");
    token_signer const after("new");
    auto const token = before.sign({"position"});
    CHECK(next_known.sign({"position"}) == token);
    CHECK(changed.verify(token));
    CHECK(next_known.verify(changed.sign({"position"})));
    CHECK(after.verify(changed.sign({"position"})));
    CHECK_FALSE(after.verify(token));
    CHECK_FALSE(changed.verify(token_signer("other").sign({"position"})));
    CHECK_FALSE(token_signer("new").verify(token_signer("").sign({"position"}))); // no previous secret is none
}
