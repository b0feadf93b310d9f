// API keys and members over HTTP: a browser at the console, and the keys that it makes at the API.
#include "integration/auth_api/console/browser.hpp"
#include "support/catch.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <set>

namespace console_endpoints_test {
using namespace recruiting;
using namespace recruiting::test;
using namespace std::chrono_literals;

namespace {

struct fixture : console_system {
    console_browser admin{*this};
    console_browser rea{*this};

    fixture() {
        make_member(database.owner(), slug, email("rea"), role::recruiter);
        REQUIRE(admin.sign_in(email("admin")).status == 201);
        REQUIRE(rea.sign_in(email("rea")).status == 201);
    }
    static std::string key(std::string const& name, std::string const& scopes) {
        return R"({"name":")" + name + R"(","scopes":)" + scopes + R"(,"expiresAt":")" +
               format_time(system_time().now() + 24h) + "\"}";
    }
    std::string member_id(std::string const& address) {
        return value("SELECT replace(m.id::text, '-', '') FROM recruiting.memberships m JOIN recruiting.users u "
                     "ON u.id = m.user_id WHERE u.email_key = '" +
                     address + "'");
    }
};

boost::json::object data_of(http_answer const& answer) {
    return boost::json::parse(answer.body).as_object().at("data").as_object();
}
boost::json::array list_of(http_answer const& answer) {
    return boost::json::parse(answer.body).as_object().at("data").as_array();
}
std::string text(boost::json::value const& of) { return std::string(of.as_string()); }
std::string reason_of(http_answer const& answer) {
    auto const error = boost::json::parse(answer.body).as_object().at("error").as_object();
    auto const& details = error.at("details").as_array();
    return details.empty() ? "" : text(details.at(0).as_object().at("reason"));
}

} // namespace

TEST_CASE_METHOD(fixture, "a key lives from the console to the API: made, narrowed, revoked", "[console]") {
    auto const made = rea.send("POST", "/api-keys", key("warehouse", R"(["*:read"])"));
    REQUIRE(made.status == 201);
    CHECK(made.header("cache-control") == "no-store");
    auto const secret = text(data_of(made).at("secret"));
    auto const id = text(data_of(made).at("key").as_object().at("id"));
    CHECK(service.get("/me", secret).status == 200);
    CHECK(service.get("/members", secret).status == 200);

    auto const effects = admin.send("GET", "/members/" + member_id(email("rea")) + "/key-effects?role=viewer");
    REQUIRE(effects.status == 200);
    REQUIRE(list_of(effects).size() == 1);
    auto const effect = list_of(effects).at(0).as_object();
    CHECK(text(effect.at("id")) == id);
    CHECK_FALSE(effect.at("stops").as_bool());
    CHECK(boost::json::serialize(effect.at("scopesLost")) ==
          R"(["members:read","candidates:read","pipeline:read","agents:read"])");
    CHECK(effect.at("scopesGained").as_array().empty());
    CHECK(effect.size() == 7);

    REQUIRE(admin.send("PATCH", "/members/" + member_id(email("rea")), R"({"role":"viewer"})").status == 200);
    CHECK(error_of(service.get("/members", secret)) == "insufficient_role");
    CHECK(service.get("/jobs", secret).status == 200);
    CHECK(error_of(rea.send("POST", "/api-keys", key("another", R"(["jobs:read"])"))) == "insufficient_role");

    CHECK(reason_of(rea.send("POST", "/api-keys/" + id + "/revoke", R"({"name":"Warehouse"})")) == "mismatch");
    CHECK(rea.send("POST", "/api-keys/" + id + "/revoke", R"({"name":"warehouse"})").status == 200);
    CHECK(error_of(service.get("/jobs", secret)) == "credential_revoked");
    auto const audited = admin.send("GET", "/audit?action=key.created,key.revoked,member.role_changed&order=asc");
    REQUIRE(list_of(audited).size() == 3);
    for (auto const& row : list_of(audited))
        CHECK(text(row.as_object().at("actor").as_object().at("type")) == "member");
    CHECK(text(list_of(audited).at(0).as_object().at("target").as_object().at("id")) == id);
}

TEST_CASE_METHOD(fixture, "admins list every key, others their own, revoked ones when asked", "[console]") {
    REQUIRE(admin.send("POST", "/api-keys", key("one", R"(["*"])")).status == 201);
    auto const made = rea.send("POST", "/api-keys", key("two", R"(["jobs:*"])"));
    auto const id = text(data_of(made).at("key").as_object().at("id"));
    CHECK(list_of(admin.send("GET", "/api-keys")).size() == 2);
    auto const own = list_of(rea.send("GET", "/api-keys"));
    REQUIRE(own.size() == 1);
    CHECK(own.at(0) == data_of(made).at("key"));
    CHECK(boost::json::serialize(own.at(0).as_object().at("expandedScopes")) == R"(["jobs:read"])");
    REQUIRE(admin.send("POST", "/api-keys/" + id + "/revoke", R"({"name":"two"})").status == 200);
    CHECK(list_of(rea.send("GET", "/api-keys")).empty());
    auto const all = rea.send("GET", "/api-keys?includeRevoked=true");
    REQUIRE(list_of(all).size() == 1);
    CHECK(text(list_of(all).at(0).as_object().at("state")) == "revoked");
    CHECK(text(list_of(all).at(0).as_object().at("revokedBy")) == member_id(email("admin")));
    CHECK(list_of(rea.send("GET", "/api-keys?state=revoked,expired")).size() == 1);
    CHECK(list_of(rea.send("GET", "/api-keys?id=" + id)) == list_of(all));
    CHECK(list_of(rea.send("GET", "/api-keys?state=active")).empty());
    CHECK(rea.send("GET", "/api-keys?state=gone").status == 400);
}

// What an admin who is after a key sees of a member who has made more than a page of newer ones.
TEST_CASE_METHOD(fixture, "no key is hidden behind others: the list has pages and filters by owner", "[console]") {
    auto const made = rea.send("POST", "/api-keys", key("hidden", R"(["*"])"));
    auto const hidden = text(data_of(made).at("key").as_object().at("id"));
    database.owner().run(
        "INSERT INTO recruiting.api_keys (id, organization_id, membership_id, name, secret_hash, displayed_prefix, "
        "environment, scopes, expires_at) SELECT gen_random_uuid(), k.organization_id, m.id, 'more ' || n, "
        "sha256(gen_random_uuid()::text::bytea), k.displayed_prefix, k.environment, k.scopes, k.expires_at "
        "FROM recruiting.api_keys k JOIN recruiting.memberships m ON m.organization_id = k.organization_id AND m.role "
        "= "
        "'admin', generate_series(1, 1100) n WHERE k.id = $1",
        pg::params{}.id(parse_id(hidden).value()));
    std::set<std::string> found;
    std::string cursor;
    int pages = 0;
    do {
        auto const page =
            admin.send("GET", "/api-keys?limit=200" + (cursor.empty() ? std::string() : "&cursor=" + cursor));
        REQUIRE(page.status == 200);
        for (auto const& one : list_of(page)) found.insert(text(one.as_object().at("id")));
        auto const next = boost::json::parse(page.body).as_object().at("page").as_object().at("nextCursor");
        cursor = next.is_string() ? text(next) : std::string();
        ++pages;
    } while (!cursor.empty());
    CHECK(pages == 6);
    CHECK(found.size() == 1101);
    CHECK(found.contains(hidden));
    auto const of_owner = list_of(admin.send("GET", "/api-keys?memberId=" + member_id(email("rea"))));
    REQUIRE(of_owner.size() == 1);
    CHECK(text(of_owner.at(0).as_object().at("id")) == hidden);
    CHECK(list_of(rea.send("GET", "/api-keys?memberId=" + member_id(email("admin")))).empty());
}

TEST_CASE_METHOD(fixture, "members are invited, changed, removed and restored over HTTP", "[console]") {
    auto const made = admin.send(
        "POST", "/members", R"({"email":")" + email("new") + R"(","name":"New","role":"viewer","title":"Sourcer"})");
    REQUIRE(made.status == 201);
    auto const id = text(data_of(made).at("id"));
    CHECK(text(data_of(made).at("status")) == "invited");
    CHECK(admin.send("POST", "/members/" + id + "/invitation").status == 202);
    CHECK(admin.send("DELETE", "/members/" + id).status == 200);
    CHECK(text(data_of(admin.send("POST", "/members/" + id + "/restore")).at("status")) == "invited");
    auto const listed = list_of(admin.send("GET", "/members?sort=name"));
    CHECK(listed.size() == 3);
    CHECK(reason_of(admin.send("DELETE", "/members/" + member_id(email("admin")))) == "last_admin");
    CHECK(error_of(rea.send("POST", "/members", "{}")) == "insufficient_role");
    CHECK(error_of(admin.send("PATCH", "/members/" + to_string(random_id()), R"({"role":"viewer"})")) == "not_found");
}

TEST_CASE_METHOD(fixture, "a removed member's session and keys end at their next request", "[console]") {
    auto const secret = text(data_of(rea.send("POST", "/api-keys", key("k", R"(["jobs:read"])"))).at("secret"));
    auto const effects = admin.send("GET", "/members/" + member_id(email("rea")) + "/key-effects?removed=true");
    CHECK(list_of(effects).at(0).as_object().at("stops").as_bool());
    REQUIRE(admin.send("DELETE", "/members/" + member_id(email("rea"))).status == 200);
    CHECK(error_of(service.get("/jobs", secret)) == "credential_inactive");
    CHECK(rea.send("GET", "/api-keys").status == 401);
    auto const after = list_of(admin.send("GET", "/members/" + member_id(email("rea")) + "/key-effects?role=viewer"));
    CHECK(text(after.at(0).as_object().at("state")) == "inactive");
}

TEST_CASE_METHOD(fixture, "effects are the admins' to see, of members of their organization", "[console]") {
    auto const path = "/members/" + member_id(email("admin")) + "/key-effects";
    CHECK(error_of(rea.send("GET", path + "?role=viewer")) == "insufficient_role");
    CHECK(admin.send("GET", path).status == 400);
    CHECK(admin.send("GET", path + "?role=viewer&removed=true").status == 400);
    CHECK(admin.send("GET", path + "?removed=false").status == 400);
    CHECK(admin.send("GET", path + "?role=owner").status == 400);
    CHECK(admin.send("GET", "/members/" + to_string(random_id()) + "/key-effects?role=viewer").status == 404);
    auto const other = new_slug();
    make_organization(database.owner(), other);
    CHECK(
        admin.send("GET", "/members/" + member_id("admin@" + other + ".example") + "/key-effects?role=viewer").status ==
        404);
}

TEST_CASE_METHOD(fixture, "nothing is changed without the session's token or from another site", "[console]") {
    auto const count = "SELECT count(*)::text FROM recruiting.api_keys";
    auto const body = key("k", R"(["jobs:read"])");
    auto const cookie = "Cookie: " + admin.cookie + "\r\n";
    std::string const token = "X-CSRF-Token: " + admin.csrf + "\r\n";
    for (std::string const& lines :
         {cookie, cookie + "Sec-Fetch-Site: same-origin\r\n", cookie + token,
          cookie + token + "Sec-Fetch-Site: cross-site\r\n", cookie + token + "Sec-Fetch-Site: same-site\r\n",
          cookie + "X-CSRF-Token: " + rea.csrf + "\r\nSec-Fetch-Site: same-origin\r\n"}) {
        INFO(lines);
        CHECK(error_of(admin.send_bare("POST", "/console/api/api-keys", lines, body)) == "cross_site_request");
    }
    CHECK(value(count) == "0");
    CHECK(admin.send_bare("POST", "/console/api/api-keys", cookie + token + "Sec-Fetch-Site: same-origin\r\n", body)
              .status == 201);
}

TEST_CASE_METHOD(fixture, "every change has the row of its request besides its own, also where nothing changed",
                 "[console]") {
    auto const path = "/members/" + member_id(email("rea"));
    for (auto const* request : {"a-change", "no-change"})
        REQUIRE(admin.send("PATCH", path, R"({"role":"viewer"})", "X-Request-Id: " + std::string(request) + "\r\n")
                    .status == 200);
    std::string const actions = "SELECT string_agg(action, ' ' ORDER BY action) FROM audit_rows WHERE "
                                "actor_email = '" +
                                email("admin") + "' AND request_id = ";
    CHECK(value(actions + "'a-change'") == "console.request member.role_changed");
    CHECK(value(actions + "'no-change'") == "console.request");
    CHECK(value("SELECT count(*)::text FROM audit_rows WHERE action = 'console.request' AND method = 'PATCH' "
                "AND status_code = 200 AND ip_address IS NOT NULL") == "2");
}

TEST_CASE_METHOD(fixture, "a request that names another organization than the session's is refused", "[console]") {
    std::string const field = "Service-Organization: ";
    auto const own =
        value("SELECT replace(id::text, '-', '') FROM recruiting.organizations WHERE slug = '" + slug + "'");
    CHECK(admin.send("GET", "/api-keys", {}, field + own + "\r\n").status == 200);
    for (auto const& other : {to_string(random_id()), std::string("acme"), std::string(32, '0')}) {
        auto const lines = field + other + "\r\n";
        INFO(lines);
        CHECK(error_of(admin.send("GET", "/api-keys", {}, lines)) == "organization_mismatch");
        CHECK(error_of(admin.send("POST", "/api-keys", key("k", R"(["jobs:read"])"), lines)) ==
              "organization_mismatch");
        CHECK(error_of(admin.send("POST", "/agent/invocations", R"({"prompt":"Which jobs are open?"})",
                                  lines + "Idempotency-Key: one\r\n")) == "organization_mismatch");
    }
    CHECK(error_of(admin.send("GET", "/api-keys", {}, field + own + "\r\n" + field + own + "\r\n")) ==
          "invalid_request");
    CHECK(value("SELECT count(*)::text FROM recruiting.api_keys") == "0");
}

TEST_CASE_METHOD(fixture, "a change that is refused has a row in the audit log as well", "[console]") {
    REQUIRE(rea.send("POST", "/members", "{}").status == 403);
    CHECK(value("SELECT count(*)::text FROM audit_rows WHERE actor_type = 'member' AND status_code = 403 AND "
                "error_code = 'insufficient_role' AND NOT success") == "1");
}

} // namespace console_endpoints_test
