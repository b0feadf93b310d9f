// What the audit log keeps of a browser's changes at the console.
#include "integration/auth_api/console/browser.hpp"
#include "support/catch.hpp"

namespace console_endpoints_test {
using namespace recruiting;
using namespace recruiting::test;

namespace {

struct fixture : console_system {
    console_browser admin{*this};
    console_browser rea{*this};

    fixture() {
        make_member(database.owner(), slug, email("rea"), role::recruiter);
        REQUIRE(admin.sign_in(email("admin")).status == 201);
        REQUIRE(rea.sign_in(email("rea")).status == 201);
    }
    std::string member_id(std::string const& address) {
        return value("SELECT replace(m.id::text, '-', '') FROM recruiting.memberships m JOIN recruiting.users u "
                     "ON u.id = m.user_id WHERE u.email_key = '" +
                     address + "'");
    }
};

} // namespace

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

TEST_CASE_METHOD(fixture, "a change that is refused has a row in the audit log as well", "[console]") {
    REQUIRE(rea.send("POST", "/members", "{}").status == 403);
    CHECK(value("SELECT count(*)::text FROM audit_rows WHERE actor_type = 'member' AND status_code = 403 AND "
                "error_code = 'insufficient_role' AND NOT success") == "1");
}

} // namespace console_endpoints_test
