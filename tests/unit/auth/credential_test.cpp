// What a request brought as its credential (proto-docs/keys.md).
#include "auth/api_key.hpp"
#include "support/catch.hpp"

namespace credential_test {
using namespace recruiting;
using namespace recruiting::auth;

namespace {

std::string outcome_of(presented_credential const& presented) {
    auto const read = read_credential(presented, environment::test);
    return read ? "taken" : std::string(to_string(read.error().code));
}

} // namespace

TEST_CASE("a bearer token of this environment is taken, in any case of the scheme", "[auth]") {
    auto const secret = generate_secret(environment::test);
    for (auto const* scheme : {"Bearer ", "bearer ", "BEARER   "})
        REQUIRE(outcome_of({std::string(scheme) + secret, 1, ""}) == "taken");
}

TEST_CASE("what is not one well-formed bearer token says why", "[auth][401]") {
    auto const live = "Bearer " + generate_secret(environment::live);
    REQUIRE(outcome_of({"", 0, ""}) == "missing_credential");
    REQUIRE(outcome_of({"", 1, ""}) == "invalid_credential");
    REQUIRE(outcome_of({"Bearer", 1, ""}) == "invalid_credential");
    REQUIRE(outcome_of({"Basic dXNlcjpwYXNz", 1, ""}) == "invalid_credential");
    REQUIRE(outcome_of({"Bearer 711a5d431e460147d2f45d14c6409a9b", 1, ""}) == "invalid_credential"); // a key ID
    REQUIRE(outcome_of({live, 1, ""}) == "wrong_environment");
}

TEST_CASE("a key ID is told from other text that is no secret", "[auth][401]") {
    for (std::string_view const id : {"711a5d431e460147d2f45d14c6409a9b", "711A5D43-1E46-0147-D2F4-5D14C6409A9B"}) {
        auto const value = "Bearer " + std::string(id);
        auto const refused = read_credential({value, 1, ""}, environment::test).error();
        CHECK(refused.code == error_code::invalid_credential);
        CHECK(refused.message.starts_with("This is the ID of an API key."));
        REQUIRE(refused.details.size() == 1);
        CHECK(refused.details[0].reason == "key_id");
    }
    for (std::string_view const other : {"Bearer 711a5d431e460147d2f45d14c6409a9", "Bearer x"})
        CHECK(read_credential({other, 1, ""}, environment::test).error().details.empty());
}

TEST_CASE("a scheme other than Bearer, or none, says what to do without repeating the credential", "[auth][401]") {
    auto const secret = generate_secret(environment::test);
    for (auto const& value : {secret, "Token " + secret}) {
        auto const error = read_credential({value, 1, ""}, environment::test).error();
        CHECK(error.details.at(0).reason == "not_a_bearer_token");
        CHECK((error.message + error.details[0].message).find(secret) == std::string::npos);
    }
}

TEST_CASE("the bearer tokens of a refused request are found, each once, and of no other scheme", "[auth][audit]") {
    auto const one = generate_secret(environment::test);
    auto const other = generate_secret(environment::live);
    std::vector<std::string> const fields{"Bearer " + one,
                                          "bearer  " + other,
                                          "Bearer " + one,
                                          "Token " + one,
                                          one,
                                          "Bearer 711a5d431e460147d2f45d14c6409a9b"};
    std::vector<std::string_view> const values(fields.begin(), fields.end());
    CHECK(find_secrets(values) == std::vector<std::string_view>{one, other});
    std::vector<std::string> many;
    for (int i = 0; i < 10; ++i) many.push_back("Bearer " + generate_secret(environment::test));
    std::vector<std::string_view> const all(many.begin(), many.end());
    CHECK(find_secrets(all).size() == 4); // each costs a look-up
}

TEST_CASE("two credentials are refused, whichever they are", "[auth][400]") {
    auto const bearer = "Bearer " + generate_secret(environment::test);
    REQUIRE(outcome_of({bearer, 2, ""}) == "invalid_request");
    REQUIRE(outcome_of({bearer, 1, "sp_session=x"}) == "invalid_request");
    REQUIRE(outcome_of({bearer, 1, "theme=dark; sp_session=x"}) == "invalid_request");
    REQUIRE(outcome_of({bearer, 1, "theme=dark; not_sp_session=x; sp_session2=y"}) == "taken");
    auto const error = read_credential({bearer, 1, "sp_session="}, environment::test).error();
    REQUIRE(error.details.at(0).reason == "multiple_credentials");
}

} // namespace credential_test
