// The checks after the look-up, in the design's order.
#include "auth/principal.hpp"
#include "support/catch.hpp"

namespace authorize_test {
using namespace recruiting;
using namespace recruiting::auth;

namespace {

principal admin() {
    principal caller;
    caller.organization_id = new_record_id();
    caller.role = role::admin;
    caller.state = credential_state::active;
    caller.granted = {"*"};
    caller.scopes = expand(caller.granted);
    caller.effective = caller.scopes & role_allows(caller.role);
    return caller;
}

std::string outcome(principal const& caller, request_facts const& facts, std::string_view scope) {
    auto const refusal = authorize(caller, facts, scope);
    return refusal ? std::string(to_string(refusal->code)) : "allowed";
}

} // namespace

TEST_CASE("each refusal comes before the next in the order of checks", "[auth]") {
    auto caller = admin();
    caller.scopes.reset();
    caller.effective.reset();
    caller.allowed_ips = {*parse_network("192.0.2.0/24")};
    auto const other = to_string(new_record_id());
    auto const own = to_string(caller.organization_id);
    request_facts facts{std::string_view(other), false, parse_ip("198.51.100.1"), {}};
    caller.state = credential_state::revoked;
    REQUIRE(outcome(caller, facts, "jobs:read") == "credential_revoked");
    caller.state = credential_state::expired;
    REQUIRE(outcome(caller, facts, "jobs:read") == "credential_expired");
    caller.state = credential_state::inactive;
    REQUIRE(outcome(caller, facts, "jobs:read") == "credential_inactive");
    caller.state = credential_state::active;
    REQUIRE(outcome(caller, facts, "jobs:read") == "organization_mismatch");
    facts.service_organization = "no id";
    REQUIRE(outcome(caller, facts, "jobs:read") == "organization_mismatch");
    CHECK(authorize(caller, facts, "jobs:read")->details.at(0).reason == "invalid");
    facts.service_organization = other;
    CHECK(authorize(caller, facts, "jobs:read")->details.empty());
    facts.service_organization = own;
    REQUIRE(outcome(caller, facts, "jobs:read") == "ip_not_allowed");
    facts.client = std::nullopt;
    REQUIRE(outcome(caller, facts, "jobs:read") == "ip_not_allowed");
    facts.client = parse_ip("::ffff:192.0.2.77"); // an IPv4 address however it is written
    REQUIRE(outcome(caller, facts, "jobs:read") == "insufficient_scope");
    caller.scopes.set();
    REQUIRE(outcome(caller, facts, "jobs:read") == "insufficient_role");
    caller.effective.set();
    REQUIRE(outcome(caller, facts, "jobs:read") == "allowed");
}

TEST_CASE("work that began in one organization goes on in no other", "[auth]") {
    auto caller = admin();
    request_facts facts;
    facts.organization = caller.organization_id;
    REQUIRE(outcome(caller, facts, "jobs:read") == "allowed");
    caller.organization_id = new_record_id(); // a session has chosen it meanwhile
    REQUIRE(outcome(caller, facts, "jobs:read") == "organization_mismatch");
    caller.kind = principal_kind::member;
    REQUIRE(outcome(caller, facts, "jobs:read") == "organization_mismatch");
    caller.organization_id = {};
    REQUIRE(outcome(caller, facts, "jobs:read") == "organization_not_chosen");
}

TEST_CASE("what a conversation needs is refused in words that fit a session, too", "[auth][403]") {
    auto caller = admin();
    caller.kind = principal_kind::member;
    caller.role = role::hiring_manager;
    caller.effective = caller.scopes & role_allows(caller.role);
    auth::access needed{caller.effective, role::recruiter};
    auto const narrower = refuse_missing(caller, needed);
    REQUIRE(narrower->code == error_code::insufficient_role);
    CHECK(narrower->message.starts_with("Your role does not allow access to all data"));
    needed.scopes.set(*scope_index("billing:read"));
    auto const missing = refuse_missing(caller, needed);
    REQUIRE(missing->code == error_code::insufficient_role);
    CHECK(missing->details.at(0).message == "Your role does not allow billing:read; roles that do: admin.");
}

TEST_CASE("an endpoint without a scope needs only a valid key", "[auth]") {
    auto caller = admin();
    caller.scopes.reset();
    caller.effective.reset();
    REQUIRE(outcome(caller, {}, "") == "allowed");
}

TEST_CASE("a missing scope is named", "[auth][403]") {
    auto caller = admin();
    caller.scopes.reset();
    auto const refusal = authorize(caller, {}, "billing:read");
    REQUIRE(refusal->required_scope == "billing:read");
    CHECK(refusal->details.at(0) ==
          error_detail{"credential", "scope", "missing_scope", "The API key lacks the scope billing:read."});
}

TEST_CASE("a role that does not do names those that would", "[auth][403]") {
    auto caller = admin();
    caller.effective.reset();
    auto const refusal = authorize(caller, {}, "members:read");
    CHECK(refusal->details.at(0).field == "role");
    CHECK(refusal->details.at(0).message ==
          "The role of the API key's owner does not allow members:read; roles that do: "
          "admin, recruiter, hiring_manager, interviewer.");
    CHECK(missing_role("billing:read").message.ends_with("roles that do: admin."));
}

TEST_CASE("a key that has expired or was revoked says when", "[auth][401]") {
    auto caller = admin();
    caller.expires_at = *parse_time("2026-01-31T09:30:00Z");
    caller.state = credential_state::expired;
    CHECK(authorize(caller, {}, "")->details.at(0) ==
          error_detail{"credential", "expiresAt", "expired", "The API key expired at 2026-01-31T09:30:00.000Z."});
    caller.state = credential_state::revoked;
    caller.revoked_at = *parse_time("2026-02-01T00:00:00Z");
    CHECK(authorize(caller, {}, "")->details.at(0) ==
          error_detail{"credential", "revokedAt", "revoked", "The API key was revoked at 2026-02-01T00:00:00.000Z."});
}

TEST_CASE("Service-Organization sent twice is refused, after the state of the key", "[auth][400]") {
    auto caller = admin();
    auto const own = to_string(caller.organization_id);
    request_facts const facts{std::string_view(own), true, {}, {}};
    CHECK(authorize(caller, facts, "")->details.at(0).reason == "repeated");
    caller.state = credential_state::inactive;
    CHECK(outcome(caller, facts, "") == "credential_inactive");
}

} // namespace authorize_test
