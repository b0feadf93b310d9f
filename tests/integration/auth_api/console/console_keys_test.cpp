// API keys as members make and revoke them in the console.
#include "auth/authenticate_store.hpp"
#include "auth_api/console/endpoints.hpp"
#include "integration/auth_api/console/changes.hpp"
#include "support/catch.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

namespace console_keys_test {
using namespace recruiting;
using namespace recruiting::test;
using namespace recruiting::auth_api::console;
using namespace std::chrono_literals;

namespace {

std::string in(std::chrono::seconds from_now) { return format_time(system_time().now() + from_now); }

std::string new_key(std::string const& name, std::string const& scopes = R"(["jobs:read"])",
                    std::string const& expires_at = in(24h), std::string const& more = {}) {
    return R"({"name":")" + name + R"(","scopes":)" + scopes + R"(,"expiresAt":")" + expires_at + '"' + more + '}';
}

boost::json::object data_of(change_outcome const& made) {
    REQUIRE_FALSE(made.error.has_value());
    return boost::json::parse(made.answer.body).as_object().at("data").as_object();
}

std::string text(boost::json::object const& of, std::string_view name) { return std::string(of.at(name).as_string()); }

struct fixture : console_changes {
    digest const recruiter = join("rea", role::recruiter);

    /// The key that the session makes.
    boost::json::object create(digest const& session, std::string const& body) {
        auto const made = call({create_key, session, {}, body});
        REQUIRE(made.answer.status == 201);
        return data_of(made);
    }
    std::string create_id(digest const& session, std::string const& name) {
        return text(create(session, new_key(name)).at("key").as_object(), "id");
    }
    std::string revoke(digest const& session, std::string const& id, std::string const& name) {
        return outcome({revoke_key, session, id, R"({"name":")" + name + "\"}"});
    }
    /// What the secret's key may do now.
    auth::principal presented(std::string const& secret) {
        pg::client service(database.auth_url(), "tests");
        pg::transaction const one(service);
        auto const asked = auth::authenticate(hash_secret(config_pepper(), secret));
        return auth::read_principal(service.run(asked)).value();
    }
    static std::string config_pepper() { return test_key_settings().pepper; }
};

} // namespace

TEST_CASE_METHOD(fixture, "a member makes a key of their own, and its secret works", "[console]") {
    auto const made =
        create(recruiter, new_key("warehouse", R"(["jobs:*","*:read"])", in(24h), R"(,"allowedIps":["10.0.0.0/8"])"));
    auto const& key = made.at("key").as_object();
    CHECK(text(key, "name") == "warehouse");
    CHECK(text(key, "environment") == "test");
    CHECK(text(key, "state") == "active");
    CHECK(boost::json::serialize(key.at("scopes")) == R"(["jobs:*","*:read"])");
    CHECK(boost::json::serialize(key.at("allowedIps")) == R"(["10.0.0.0/8"])");
    CHECK(text(key.at("owner").as_object(), "email") == email("rea"));
    CHECK(text(key.at("owner").as_object(), "role") == "recruiter");
    CHECK(key.at("revokedAt").is_null());
    CHECK(key.at("lastUsedIp").is_null());
    CHECK(key.size() == 16);
    auto const principal = presented(text(made, "secret"));
    CHECK(principal.state == auth::credential_state::active);
    CHECK(principal.member_email == email("rea"));
    CHECK(audited(text(key, "id")) == std::vector<std::string>{"key.created member " + email("rea") + " recruiter"});
}

TEST_CASE_METHOD(fixture, "scopes above the role are granted and have no effect until the role allows them",
                 "[console]") {
    auto const made = create(recruiter, new_key("wide", R"(["*:read"])"));
    auto const& key = made.at("key").as_object();
    auto const expanded = boost::json::serialize(key.at("expandedScopes"));
    auto const effective = boost::json::serialize(key.at("effectiveScopes"));
    CHECK(expanded.find("billing:read") != std::string::npos);
    CHECK(effective.find("billing:read") == std::string::npos);
    CHECK(effective.find("candidates:read") != std::string::npos);
}

TEST_CASE_METHOD(fixture, "viewers and interviewers make no keys, whatever they send", "[console]") {
    auto const held = GENERATE(role::viewer, role::interviewer);
    auto const session = join("vic", held);
    CHECK(outcome({create_key, session, {}, new_key("mine")}) == "403 insufficient_role");
    CHECK(outcome({create_key, session, {}, "{}"}) == "403 insufficient_role");
}

TEST_CASE_METHOD(fixture, "a demotion narrows a key at its next request, and lets no new one be made", "[console]") {
    auto const made = create(recruiter, new_key("narrow", R"(["*:read"])"));
    auto const secret = text(made, "secret");
    auto const before = presented(secret).effective;
    auto const id = text(made.at("key").as_object().at("owner").as_object(), "memberId");
    REQUIRE(outcome({change_member, admin, id, R"({"role":"viewer"})"}) == "200");
    auto const after = presented(secret).effective;
    CHECK(after.count() < before.count());
    CHECK(after == (before & role_allows(role::viewer)));
    CHECK(outcome({create_key, recruiter, {}, new_key("another")}) == "403 insufficient_role");
}

TEST_CASE_METHOD(fixture, "what is wrong with a key is reported at once", "[console]") {
    CHECK(outcome({create_key, recruiter, {}, "{}"}) == "400 name missing");
    CHECK(outcome({create_key, recruiter, {}, new_key("k", R"("jobs:read")")}) == "400 scopes wrong_type");
    CHECK(outcome({create_key, recruiter, {}, new_key("k", R"(["jobs:write"])")}) == "400 scopes unknown_scope");
    CHECK(outcome({create_key, recruiter, {}, new_key("k", "[]")}) == "400 scopes missing");
    CHECK(
        outcome({create_key, recruiter, {}, new_key("k", R"(["jobs:read"])", in(59min))}).starts_with("400 expiresAt"));
    CHECK(outcome({create_key, recruiter, {}, new_key("k", R"(["jobs:read"])", in(366 * 24h + 1min))})
              .starts_with("400 expiresAt"));
    CHECK(outcome({create_key, recruiter, {}, new_key("k", R"(["jobs:read"])", "tomorrow")}) ==
          "400 expiresAt invalid");
    CHECK(outcome({create_key, recruiter, {}, new_key("k", R"(["jobs:read"])", in(24h), R"(,"ownerEmail":"x")")}) ==
          "400 ownerEmail unknown");
    CHECK(outcome(
              {create_key, recruiter, {}, new_key("k", R"(["jobs:read"])", in(24h), R"(,"allowedIps":["10.0.0.1/8"])")})
              .starts_with("400 allowedIps"));
    CHECK(outcome({create_key, recruiter, {}, new_key("k"), "owner=x"}) == "400 owner unknown");
    CHECK(outcome({create_key, recruiter, {}, new_key("k", R"(["jobs:read"])", in(366 * 24h - 1min))}) == "201");
    CHECK(outcome({create_key, recruiter, {}, new_key("l", R"(["jobs:read"])", in(1h + 1min))}) == "201");
}

TEST_CASE_METHOD(fixture, "a name is taken while its key lives, whoever's it is", "[console]") {
    auto const id = create_id(admin, "shared");
    CHECK(outcome({create_key, recruiter, {}, new_key("shared")}) == "400 name taken");
    owner.run("UPDATE recruiting.api_keys SET expires_at = clock_timestamp() WHERE id = $1",
              pg::params{}.id(parse_id(id).value()));
    CHECK(outcome({create_key, recruiter, {}, new_key("shared")}) ==
          "201"); // though the recruiter may not see that key
}

TEST_CASE_METHOD(fixture, "a key is revoked with its name typed, once", "[console]") {
    auto const id = create_id(recruiter, "old");
    CHECK(revoke(recruiter, id, "Old") == "400 name mismatch");
    CHECK(audited(id).size() == 1);
    auto const done = call({revoke_key, recruiter, id, R"({"name":"old"})"});
    auto const key = data_of(done);
    CHECK(text(key, "state") == "revoked");
    CHECK(key.at("revokedBy") == key.at("owner").as_object().at("memberId"));
    auto const again = data_of(call({revoke_key, recruiter, id, R"({"name":"old"})"}));
    CHECK(again == key);
    CHECK(revoke(recruiter, id, "other") == "400 name mismatch");
    CHECK(audited(id) == std::vector<std::string>{"key.created member " + email("rea") + " recruiter",
                                                  "key.revoked member " + email("rea") + " recruiter"});
}

TEST_CASE_METHOD(fixture, "admins revoke every key, others their own: another's is the 404 of an unknown id",
                 "[console]") {
    auto const of_admin = create_id(admin, "the admin's");
    auto const of_recruiter = create_id(recruiter, "the recruiter's");
    CHECK(revoke(recruiter, of_admin, "the admin's") == "404 not_found");
    CHECK(revoke(recruiter, to_string(random_id()), "x") == "404 not_found");
    CHECK(revoke(recruiter, "no id", "x") == "404 not_found");
    CHECK(revoke(admin, of_recruiter, "the recruiter's") == "200");
}

TEST_CASE_METHOD(fixture, "another organization's key is the 404 of an unknown id, for admins too", "[console]") {
    console_changes other;
    auto const made = other.call({create_key, other.admin, {}, new_key("theirs")});
    auto const id = text(data_of(made).at("key").as_object(), "id");
    auto const unknown = call({revoke_key, admin, to_string(random_id()), R"({"name":"theirs"})"});
    auto const theirs = call({revoke_key, admin, id, R"({"name":"theirs"})"});
    REQUIRE(theirs.error.has_value());
    CHECK(theirs.error->code == error_code::not_found);
    CHECK(theirs.error->message == unknown.error->message);
    CHECK(other.audited(id).size() == 1);
}

} // namespace console_keys_test
