// Which key a call of revoke_api_key may revoke.
#include "auth_api/agent/tools/api_keys.hpp"
#include "auth_api/agent/tools/read_tool.hpp"
#include "support/catch.hpp"

#include <boost/json.hpp>

namespace revocation_test {
using namespace recruiting;
using namespace recruiting::auth_api::agent;
namespace json = boost::json;

namespace {

using kind = revocation_step::kind;

uuid const member = random_id();

directory::api_key key(std::string name) {
    directory::api_key out;
    out.id = random_id();
    out.name = std::move(name);
    return out;
}

directory::api_key revoked(std::string name, std::optional<uuid> const& by) {
    auto out = key(std::move(name));
    out.revoked_at = system_time().now();
    out.revoked_by = by;
    return out;
}

revocation_step decide(std::string_view name, std::string_view prompt, std::vector<directory::api_key> const& found,
                       std::optional<uuid> const& sent = std::nullopt) {
    return decide_revocation({name, prompt, member, sent}, found);
}

} // namespace

TEST_CASE("the one key of that exact name is revoked", "[agent][tools][revocation]") {
    auto const wanted = key("warehouse");
    auto const step = decide("warehouse", "revoke warehouse",
                             {wanted, revoked("warehouse", member), key("Warehouse"), key("warehouse sync")});
    REQUIRE(step.next == kind::revoke);
    REQUIRE(step.key.id == wanted.id);
}

TEST_CASE("what the prompt does not ask for is refused, whatever there is", "[agent][tools][revocation]") {
    for (auto const* prompt : {"Summarize the job", "revoke it", "what does warehouse do?", "Delete warehouse"}) {
        INFO(prompt);
        auto const step = decide("warehouse", prompt, {key("warehouse"), key("warehouse sync")});
        REQUIRE(step.next == kind::refuse);
        REQUIRE(step.why == refusal::not_in_prompt);
        REQUIRE(step.candidates.empty());
    }
}

TEST_CASE("a key that is named, but not in a plain command for it alone, is asked back", "[agent][tools][revocation]") {
    for (auto const* prompt : {"Can you revoke warehouse", "revoke warehouse?", "don't revoke warehouse",
                               "revoke warehouse sync", "revoke the offer of warehouse"}) {
        INFO(prompt);
        auto const step = decide("warehouse", prompt, {key("warehouse"), key("warehouse sync")});
        REQUIRE(step.next == kind::refuse);
        REQUIRE(step.why == refusal::unconfirmed);
        REQUIRE(step.candidates.empty());
    }
    REQUIRE(decide("old", "revoke the old key", {key("old")}).why == refusal::unconfirmed);
    REQUIRE(decide("CI", "revoke the CI key", {key("CI"), key("CI key")}).why == refusal::unconfirmed);
    REQUIRE(decide("CI", "revoke \"CI\"", {key("CI"), key("CI key")}).next == kind::revoke);
}

TEST_CASE("a longer name protects its prompt after its key was revoked, and in any case",
          "[agent][tools][revocation]") {
    auto const step = decide("prod", "revoke the key prod eu", {key("prod"), revoked("prod eu", member)});
    REQUIRE(step.why == refusal::unconfirmed);
    REQUIRE(decide("Prod", "revoke the key Prod EU", {key("Prod"), key("prod EU")}).why == refusal::unconfirmed);
    auto const of_key = decide("prod", "revoke the prod key", {key("prod"), revoked("Prod key", member)});
    REQUIRE(of_key.why == refusal::unconfirmed);
}

TEST_CASE("no key, several, and revoked ones are told apart", "[agent][tools][revocation]") {
    auto const none = decide("Warehouse", "revoke Warehouse", {key("warehouse"), key("WAREHOUSE"), key("warehouses")});
    REQUIRE(none.why == refusal::not_found);
    REQUIRE(none.candidates.size() == 2);
    REQUIRE(decide("warehouse", "revoke warehouse", {}).why == refusal::not_found);
    auto const two = decide("warehouse", "revoke warehouse", {key("warehouse"), key("warehouse")});
    REQUIRE(two.next == kind::refuse);
    REQUIRE(two.why == refusal::ambiguous);
    REQUIRE(two.candidates.size() == 2);
    auto const before = decide("warehouse", "revoke warehouse", {revoked("warehouse", member)});
    REQUIRE(before.next == kind::refuse);
    REQUIRE(before.why == refusal::already_revoked);
    REQUIRE(before.candidates.size() == 1);
}

TEST_CASE("a revocation whose answer was lost is known as done", "[agent][tools][revocation]") {
    auto const lost = revoked("warehouse", member);
    REQUIRE(decide("warehouse", "revoke warehouse", {lost}, lost.id).next == kind::done);
    auto const by_another = revoked("warehouse", random_id());
    REQUIRE(decide("warehouse", "revoke warehouse", {by_another}, by_another.id).why == refusal::already_revoked);
    auto const not_yet = key("warehouse");
    REQUIRE(decide("warehouse", "revoke warehouse", {not_yet}, not_yet.id).next == kind::revoke);
}

TEST_CASE("the answers to a model", "[agent][tools][revocation]") {
    auto const done = json::parse(revoked_content(key("a \"b\""), true)).at("data");
    REQUIRE(done.at("revoked") == true);
    REQUIRE(done.at("name") == "a \"b\"");
    REQUIRE(done.at("inUse") == true);
    std::vector<directory::api_key> const candidates{key("Warehouse")};
    for (auto const why : {refusal::not_in_prompt, refusal::unconfirmed, refusal::not_found, refusal::ambiguous,
                           refusal::already_revoked, refusal::run_ended}) {
        auto const told = json::parse(refused_content("warehouse", why, candidates)).at("data");
        REQUIRE(told.at("revoked") == false);
        REQUIRE(told.at("reason").as_string() == to_string(why));
        REQUIRE_FALSE(told.at("message").as_string().empty());
        REQUIRE(told.at("candidates").at(0).at("name") == "Warehouse");
        REQUIRE(http_status(why) >= 400);
    }
}

TEST_CASE("the name is a text of bounded length", "[agent][tools][revocation]") {
    auto const read = [](std::string const& arguments) {
        auto const& which = *find_tool("revoke_api_key");
        return text_argument(which, read_arguments(which, arguments), "name", 120);
    };
    REQUIRE(*read(R"({"name":" warehouse sync\n"})") == "warehouse sync");
    REQUIRE(read("{}").error().details[0].reason == "missing");
    REQUIRE(read(R"({"name":"a\u0000b"})").error().details[0].reason == "bad_encoding");
    REQUIRE(read(R"({"name":")" + std::string(121, 'n') + R"("})").error().details[0].reason == "too_long");
    REQUIRE(read(R"({"name":["a","b"]})").error().details[0].location == "arguments");
}

} // namespace revocation_test
