// API keys sent to the public API: found, refused, and kept for the report.
#include "auth/api_key.hpp"
#include "http/problem.hpp"
#include "public_api/exposure/exposed_keys.hpp"
#include "support/catch.hpp"

namespace exposure_test {
using namespace recruiting;
using namespace recruiting::public_api;

namespace {

http::request with_header(std::string_view name, std::string_view value) {
    http::request req;
    req.method = "GET";
    req.target = req.path = "/api/public/v1/jobs";
    req.headers.emplace_back(name, value);
    req.peer = "127.0.0.1";
    return req;
}

exposure of(std::string secret) {
    exposure out;
    out.secret = std::move(secret);
    return out;
}

std::string new_key() { return generate_secret(environment::test).secret; }

} // namespace

TEST_CASE("an API key is recognised in any header and in the target, and never repeated", "[public_api][exposure]") {
    auto const key = new_key();
    auto const live = generate_secret(environment::live).secret;
    std::string encoded = key;
    encoded.replace(2, 1, "%5F").replace(0, 1, "%73");
    for (auto const& value : {"Bearer " + key, key, "x" + key + "y", "a=1; b=" + live, encoded}) {
        INFO(value);
        auto const found = find_exposed_key(with_header("X-Anything", value), {});
        REQUIRE(found);
        CHECK(found->key.secret == (value.find(live) == std::string::npos ? key : live));
        CHECK(found->key.location == "X-Anything");
        CHECK(found->method == "GET");
        auto const refusal = http::key_not_allowed(found->key.location);
        CHECK(refusal.code == error_code::credential_not_allowed);
        CHECK(refusal.details.at(0).field == "X-Anything");
        CHECK(refusal.message.find("sp_") == std::string::npos);
        CHECK(refusal.details.at(0).message.find("sp_") == std::string::npos);
    }
    for (auto const& [target, place] :
         std::initializer_list<std::pair<std::string, std::string>>{{"/api/public/v1/jobs?key=" + key, "query"},
                                                                    {"/api/public/v1/jobs?" + encoded + "=1", "query"},
                                                                    {"/api/public/v1/" + encoded, "path"}}) {
        auto req = with_header("Host", "x");
        req.target = target;
        auto const found = find_exposed_key(req, {});
        REQUIRE(found);
        CHECK(found->key.secret == key);
        CHECK(http::key_not_allowed(found->key.location).details.at(0).location == place);
        CHECK(http::key_not_allowed(found->key.location).details.at(0).field.empty());
    }
    auto const as_name = find_exposed_key(with_header(key, "1"), {});
    REQUIRE(as_name);
    CHECK(http::key_not_allowed(as_name->key.location).details.at(0).field.empty());
    CHECK_FALSE(find_exposed_key(with_header("Authorization", "Bearer sp_test_short"), {}));
    CHECK_FALSE(find_exposed_key(with_header("Authorization", "Basic YTpi"), {}));
    CHECK_FALSE(find_exposed_key(with_header("X", "sp_demo_" + std::string(40, 'a')), {}));
}

TEST_CASE("an API key in a booking's body or a page's form is refused", "[public_api][exposure]") {
    auto const key = new_key();
    for (auto const& body : {R"({"email":"a@b.example","note":")" + key + "\"}", "slotStart=x&note=" + key,
                             "note=sp%5Ftest%5F" + key.substr(8)}) {
        INFO(body);
        auto req = with_header("Content-Type", "application/json");
        req.method = "POST";
        req.body = body;
        auto const found = find_exposed_key(req, {});
        REQUIRE(found);
        CHECK(found->key.secret == key);
        CHECK(found->key.location == "body");
        CHECK(http::key_not_allowed(found->key.location).details.at(0).location == "body");
    }
    auto req = with_header("Content-Type", "application/json");
    std::string const harmless = R"({"email":"sp_test_@b.example"})";
    req.body = harmless;
    CHECK_FALSE(find_exposed_key(req, {}));
}

TEST_CASE("a gateway tells of a key it refused, nobody else can", "[public_api][exposure]") {
    std::vector<ip_network> const gateways = {*parse_network("127.0.0.0/8")};
    auto const key = new_key();
    auto const report = "POST Authorization " + key;
    auto const told = find_exposed_key(with_header("X-Exposed-Credential", report), gateways);
    REQUIRE(told);
    CHECK(told->key.secret == key);
    CHECK(told->method == "POST");
    CHECK(told->key.location == "Authorization");
    auto stranger = with_header("X-Exposed-Credential", report);
    stranger.peer = "192.0.2.1";
    for (auto const& found : {find_exposed_key(stranger, gateways),
                              find_exposed_key(with_header("X-Exposed-Credential", "POST a b " + key), gateways)}) {
        REQUIRE(found); // an exposed key all the same, in a field like any other
        CHECK(found->key.location == "X-Exposed-Credential");
        CHECK(found->method == "GET");
    }
    CHECK_FALSE(find_exposed_key(with_header("X-Exposed-Credential", "POST Authorization x"), gateways));
}

TEST_CASE("reports are few: none twice in a while, and a bounded number", "[public_api][exposure]") {
    using std::chrono::minutes;
    metrics::registry registry;
    exposure_queue queue(2, minutes{10}, registry);
    recent_set::clock::time_point const start{};
    auto const key = new_key();
    queue.note(of(key), start);
    queue.note(of(key), start + minutes{9});
    CHECK(queue.take().size() == 1);
    queue.note(of(key), start + minutes{10});
    queue.note(of(new_key()), start + minutes{10});
    auto const dropped = new_key();
    queue.note(of(dropped), start + minutes{10});
    auto waiting = queue.take();
    CHECK(waiting.size() == 2);
    CHECK(registry.render().find("exposed_keys_total{outcome=\"dropped\"} 1") != std::string::npos);
    queue.note(of(dropped), start + minutes{10}); // what was dropped counts as not seen
    auto const first = waiting.front().secret;
    queue.put_back(std::move(waiting));
    waiting = queue.take();
    REQUIRE(waiting.size() == 3);
    CHECK(waiting.front().secret == first);
    CHECK(waiting.back().secret == dropped);
}

} // namespace exposure_test
