// Scopes, wildcards and roles (proto-docs/keys.md).
#include "auth/scope.hpp"
#include "support/catch.hpp"

#include <vector>

namespace scope_grants_test {
using namespace recruiting;

namespace {

std::vector<std::string> names(scope_set scopes) {
    std::vector<std::string> out;
    for (std::size_t i = 0; i < scope_catalogue.size(); ++i)
        if (scopes.test(i)) out.emplace_back(scope_catalogue[i].name);
    return out;
}

std::vector<std::string> expanded(std::vector<std::string> const& grants) { return names(expand(grants)); }

using list = std::vector<std::string>;

} // namespace

TEST_CASE("the catalogue has the specification's scopes in its order", "[scope]") {
    REQUIRE(expanded({"*"}) == list{"organization:read", "members:read", "jobs:read", "candidates:read",
                                    "pipeline:read", "agents:read", "agents:history", "agents:invoke", "billing:read",
                                    "audit:read"});
    for (std::size_t i = 0; i < scope_catalogue.size(); ++i) {
        auto const& scope = scope_catalogue[i];
        REQUIRE(scope.name == std::string(scope.resource) + ":" + std::string(scope.action));
        REQUIRE(scope_index(scope.name) == i);
    }
    REQUIRE_FALSE(scope_index("jobs:write").has_value());
}

TEST_CASE("wildcards expand to concrete scopes in the catalogue's order", "[scope]") {
    REQUIRE(expanded({"agents:*"}) == list{"agents:read", "agents:history", "agents:invoke"});
    REQUIRE(expanded({"*:invoke"}) == list{"agents:invoke"});
    REQUIRE(expanded({"audit:read", "jobs:*", "jobs:read"}) == list{"jobs:read", "audit:read"});
    REQUIRE(expanded({}).empty());
}

TEST_CASE("*:read gives neither agents:history nor agents:invoke", "[scope]") {
    auto const scopes = expanded({"*:read"});
    REQUIRE(scopes.size() == 8);
    REQUIRE(std::find(scopes.begin(), scopes.end(), "agents:read") != scopes.end());
    REQUIRE(std::find(scopes.begin(), scopes.end(), "agents:history") == scopes.end());
    REQUIRE(std::find(scopes.begin(), scopes.end(), "agents:invoke") == scopes.end());
}

TEST_CASE("a grant that names no scope is not a grant", "[scope]") {
    for (auto const* grant : {"*", "jobs:*", "*:read", "*:history", "jobs:read"}) {
        CAPTURE(grant);
        REQUIRE(is_valid_grant(grant));
    }
    for (auto const* grant : {"", "jobs", "jobs:", ":read", "*:*", "jobs:write", "job:*", "*:write", "*:", "**",
                              "JOBS:READ", " jobs:read", "jobs:read:*", "jobs:re*"}) {
        CAPTURE(grant);
        REQUIRE_FALSE(is_valid_grant(grant));
        REQUIRE(expanded({grant}).empty());
    }
}

TEST_CASE("roles let through what the table says", "[scope]") {
    REQUIRE(role_allows(role::admin).all());
    auto const recruiter = list{"organization:read", "members:read", "jobs:read",      "candidates:read",
                                "pipeline:read",     "agents:read",  "agents:history", "agents:invoke"};
    REQUIRE(names(role_allows(role::recruiter)) == recruiter);
    REQUIRE(names(role_allows(role::hiring_manager)) == recruiter);
    REQUIRE(names(role_allows(role::interviewer)) == list{"organization:read", "members:read", "jobs:read"});
    REQUIRE(names(role_allows(role::viewer)) == list{"organization:read", "jobs:read"});
}

TEST_CASE("roles have names, and only these", "[scope]") {
    for (auto const value : {role::admin, role::recruiter, role::hiring_manager, role::interviewer, role::viewer})
        REQUIRE(parse_role(to_string(value)) == value);
    REQUIRE(to_string(role::hiring_manager) == "hiring_manager");
    REQUIRE_FALSE(parse_role("Admin").has_value());
    REQUIRE_FALSE(parse_role("").has_value());
}

} // namespace scope_grants_test
