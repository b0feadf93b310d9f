// API keys as members make and revoke them in the console.
#include "auth/authenticate_store.hpp"
#include "auth_api/console/endpoints.hpp"
#include "integration/auth_api/console/changes.hpp"
#include "support/catch.hpp"

#include <boost/json/parse.hpp>

namespace console_keys_test {
using namespace recruiting;
using namespace recruiting::test;
using namespace recruiting::auth_api::console;
using namespace std::chrono_literals;

namespace {

std::string new_key(std::string const& name) {
    return R"({"name":")" + name + R"(","scopes":["jobs:read"],"expiresAt":")" +
           format_time(system_time().now() + 24h) + "\"}";
}

struct fixture : console_changes {
    digest const recruiter = join("rea", role::recruiter);

    std::string create_id(digest const& session, std::string const& name) {
        auto const made = call({create_key, session, {}, new_key(name)});
        REQUIRE(made.answer.status == 201);
        return boost::json::parse(made.answer.body).at_pointer("/data/key/id").as_string().c_str();
    }
    std::string revoke(digest const& session, std::string const& id, std::string const& name) {
        return outcome({revoke_key, session, id, R"({"name":")" + name + "\"}"});
    }
};

} // namespace

TEST_CASE_METHOD(fixture, "a name is taken while its key lives, whoever's it is", "[console]") {
    auto const id = create_id(admin, "shared");
    CHECK(outcome({create_key, recruiter, {}, new_key("shared")}) == "400 name taken");
    owner.run("UPDATE recruiting.api_keys SET expires_at = clock_timestamp() WHERE id = $1",
              pg::params{}.id(parse_id(id).value()));
    CHECK(outcome({create_key, recruiter, {}, new_key("shared")}) ==
          "201"); // though the recruiter may not see that key
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

} // namespace console_keys_test
