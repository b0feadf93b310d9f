// Whose request it is, behind proxies.
#include "http/message.hpp"
#include "support/catch.hpp"

namespace client_address_test {
using namespace recruiting;
using http::client_address;

namespace {

http::request with_header(std::string_view name, std::string_view value) {
    http::request req;
    req.headers.emplace_back(name, value);
    req.peer = "127.0.0.1";
    return req;
}

std::vector<ip_network> networks(std::initializer_list<std::string_view> texts) {
    std::vector<ip_network> out;
    for (auto const text : texts) out.push_back(*parse_network(text));
    return out;
}

std::string text_of(std::optional<ip_address> const& address) { return address ? to_string(*address) : "none"; }

} // namespace

TEST_CASE("X-Forwarded-For counts from a trusted proxy only, from the right", "[http]") {
    auto const trusted = networks({"127.0.0.0/8", "10.0.0.0/8", "::1"});
    auto const client = [&](std::string_view peer, std::string_view forwarded) {
        auto req = with_header("X-Forwarded-For", forwarded);
        req.peer = peer;
        return text_of(client_address(req, trusted));
    };
    REQUIRE(client("127.0.0.1", "203.0.113.7") == "203.0.113.7");
    REQUIRE(client("::1", "2001:db8::1") == "2001:db8::1");
    REQUIRE(client("::ffff:127.0.0.1", "203.0.113.7") == "203.0.113.7");
    REQUIRE(client("127.0.0.1", "1.2.3.4, 203.0.113.7") == "203.0.113.7"); // 1.2.3.4 is what the client claims
    REQUIRE(client("127.0.0.1", "203.0.113.7, 10.1.1.1") == "203.0.113.7");
    REQUIRE(client("198.51.100.1", "203.0.113.7") == "198.51.100.1");
    REQUIRE(client("127.0.0.1", "203.0.113.7, unknown") == "127.0.0.1");
    REQUIRE(client("127.0.0.1", "") == "127.0.0.1");
    auto two = with_header("X-Forwarded-For", "203.0.113.7");
    two.headers.emplace_back("x-forwarded-for", "203.0.113.8");
    REQUIRE(text_of(client_address(two, trusted)) == "203.0.113.8");
    REQUIRE(text_of(client_address(two, {})) == "127.0.0.1");
}

} // namespace client_address_test
