// recruitctl member sign-in-link as an operator calls it.
#include "auth/session.hpp"
#include "recruitctl/command.hpp"
#include "support/catch.hpp"
#include "support/database.hpp"
#include "support/directory.hpp"

#include <sstream>

namespace sign_in_link_command_test {
using namespace recruiting;
using namespace recruiting::test;

namespace {

struct link_fixture {
    std::string slug = new_slug();
    directory::organization organization = make_organization(shared_database().owner(), slug);
    std::string out;

    int call(std::vector<std::string> arguments, std::string const& public_url = {}) {
        recruitctl::settings environment{{"RECRUITING_DATABASE_URL", shared_database().owner_url()}};
        if (!public_url.empty()) environment["RECRUITING_PUBLIC_URL"] = public_url;
        std::vector<std::string> words{"member", "sign-in-link", "--organization", slug};
        words.insert(words.end(), arguments.begin(), arguments.end());
        std::ostringstream to_out;
        std::ostringstream to_err;
        auto const code = recruitctl::run(recruitctl::all_commands(), words, environment, to_out, to_err);
        out = to_out.str();
        return code;
    }
    std::int64_t count(std::string const& sql, pg::params const& values) {
        return shared_database().owner().run("SELECT count(*) FROM " + sql, values).integer(0, 0);
    }
};

} // namespace

TEST_CASE_METHOD(link_fixture, "a link is printed alone, its token's hash is kept, and the audit log knows",
                 "[recruitctl][console]") {
    auto const admin = "admin@" + slug + ".example";
    REQUIRE(call({"--email", admin, "--url", "https://jobs.example.com"}) == recruitctl::done);
    std::string const begin = "https://jobs.example.com/console/sign-in#token=";
    REQUIRE(out.starts_with(begin));
    REQUIRE(out.size() == begin.size() + 44);
    auto const hash = auth::hash_sign_in_token(out.substr(begin.size(), 43));
    CHECK(count("recruiting.sign_in_tokens WHERE hash = $1 AND by_operator AND used_at IS NULL AND expires_at BETWEEN "
                "now() + interval "
                "'14 minutes' "
                "AND now() + interval '16 minutes'",
                pg::params().bytes(bytes_of(hash))) == 1);
    CHECK(count("audit_rows WHERE organization_id = $1 AND action = 'member.sign_in_link_created' AND actor_type = "
                "'system'",
                pg::params().id(organization.id)) == 1);
    CHECK(call({"--email", admin, "--expires-in", "1h"}, "http://127.0.0.1:8080") == recruitctl::done);
    CHECK(out.starts_with("http://127.0.0.1:8080/console/sign-in#token="));
}

TEST_CASE_METHOD(link_fixture, "no link for who is no member, without an address, or for too long",
                 "[recruitctl][console]") {
    auto const admin = "admin@" + slug + ".example";
    CHECK(call({"--email", "nobody@" + slug + ".example", "--url", "https://a.example"}) == recruitctl::failed);
    CHECK(call({"--email", admin}) == recruitctl::usage);
    CHECK(call({"--email", admin, "--url", "https://a.example/path"}) == recruitctl::usage);
    CHECK(call({"--email", admin, "--url", "https://a.example", "--expires-in", "2d"}) == recruitctl::usage);
    CHECK(out.empty());
}

} // namespace sign_in_link_command_test
