// The checks after the look-up, in the design's order.
#include "auth/principal.hpp"
#include "support/catch.hpp"

using namespace recruiting;
using namespace recruiting::auth;

namespace {

principal admin() {
    principal who;
    who.organization_id = new_record_id();
    who.role = role::admin;
    who.state = credential_state::active;
    who.granted = {"*"};
    who.scopes = expand(who.granted);
    who.effective = who.scopes & role_allows(who.role);
    return who;
}

std::string verdict(principal const& who, request_facts const& facts, std::string_view scope) {
    auto const refusal = judge(who, facts, scope);
    return refusal ? std::string(to_string(refusal->code)) : "allowed";
}

} // namespace

TEST_CASE("each refusal comes before the next in the order of checks", "[auth]") {
    auto who = admin();
    who.scopes.reset();
    who.effective.reset();
    who.allowed_ips = {*parse_network("192.0.2.0/24")};
    auto const other = to_string(new_record_id());
    auto const own = to_string(who.organization_id);
    request_facts facts{std::string_view(other), parse_ip("198.51.100.1")};
    who.state = credential_state::revoked;
    REQUIRE(verdict(who, facts, "jobs:read") == "credential_revoked");
    who.state = credential_state::expired;
    REQUIRE(verdict(who, facts, "jobs:read") == "credential_expired");
    who.state = credential_state::inactive;
    REQUIRE(verdict(who, facts, "jobs:read") == "credential_inactive");
    who.state = credential_state::active;
    REQUIRE(verdict(who, facts, "jobs:read") == "organization_mismatch");
    facts.service_organization = "no id";
    REQUIRE(verdict(who, facts, "jobs:read") == "organization_mismatch");
    facts.service_organization = own;
    REQUIRE(verdict(who, facts, "jobs:read") == "ip_not_allowed");
    facts.client = std::nullopt;
    REQUIRE(verdict(who, facts, "jobs:read") == "ip_not_allowed");
    facts.client = parse_ip("::ffff:192.0.2.77"); // an IPv4 address however it is written
    REQUIRE(verdict(who, facts, "jobs:read") == "insufficient_scope");
    who.scopes.set();
    REQUIRE(verdict(who, facts, "jobs:read") == "insufficient_role");
    who.effective.set();
    REQUIRE(verdict(who, facts, "jobs:read") == "allowed");
}

TEST_CASE("an endpoint without a scope needs only a valid key", "[auth]") {
    auto who = admin();
    who.scopes.reset();
    who.effective.reset();
    REQUIRE(verdict(who, {}, "") == "allowed");
}

TEST_CASE("a missing scope is named", "[auth][403]") {
    auto who = admin();
    who.scopes.reset();
    REQUIRE(judge(who, {}, "billing:read")->required_scope == "billing:read");
}
