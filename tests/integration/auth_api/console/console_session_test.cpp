// Sessions of the console: what opens one, what ends one, and what one reaches.
#include "auth/session.hpp"
#include "auth_api/background/mail/outbox_store.hpp"
#include "integration/auth_api/console/browser.hpp"
#include "integration/support/http_server_harness.hpp"
#include "support/catch.hpp"

#include <thread>

namespace console_session_test {
using namespace recruiting;
using namespace recruiting::test;

namespace {

bool has(http_answer const& answer, std::string const& text) { return answer.body.find(text) != std::string::npos; }

} // namespace

TEST_CASE("a link signs in once, and a used, an expired and an unknown one look the same", "[console][session]") {
    console_system s;
    console_browser ann(s);
    auto const token = s.link(s.email("admin"));
    auto const body = R"({"token":")" + token + R"("})";
    auto const seen = ann.send("POST", "/sign-in-links/inspect", body);
    CHECK(seen.status == 200);
    CHECK(has(seen, s.email("admin")));
    CHECK(ann.send("POST", "/sign-in-links/inspect", body).status == 200); // opening it changes nothing
    auto const made = ann.use_link(token);
    REQUIRE(made.status == 201);
    CHECK(has(made, s.slug));
    CHECK(made.header("cache-control") == "no-store");
    CHECK(made.header("set-cookie").ends_with("; Path=/; HttpOnly; SameSite=Lax"));
    CHECK(ann.session_field("mayCreateKeys") == "true");

    console_browser other(s);
    auto const used = other.use_link(token);
    auto const unknown = other.use_link(std::string(43, 'x'));
    auto const no_token = other.use_link("x");
    auto const late = s.link(s.email("admin"));
    s.database.owner().run("UPDATE recruiting.sign_in_tokens SET expires_at = now() WHERE used_at IS NULL");
    auto const expired = other.use_link(late);
    for (auto const* answer : {&used, &unknown, &no_token, &expired}) {
        CHECK(answer->status == 404);
        CHECK(answer->body.substr(0, answer->body.find("requestId")) ==
              unknown.body.substr(0, unknown.body.find("requestId")));
        CHECK(answer->header("set-cookie").empty());
    }
    CHECK(other.send("POST", "/sign-in-links/inspect", body).status == 404);
}

TEST_CASE("a person sees the name of the organization they act in, and no name that strangers gave",
          "[console][session]") {
    console_system s;
    auto& database = s.database.owner();
    console_browser ann(s);
    REQUIRE(ann.sign_in(s.email("admin")).status == 201);
    CHECK(ann.session_field("name") == "Member admin");
    database.run("UPDATE recruiting.console_sessions SET membership_id = NULL");
    CHECK(ann.session_field("name") == "Member admin"); // of the first organization that they joined
    database.run("UPDATE recruiting.memberships SET status = 'invited', invitation_open = true");
    CHECK(ann.session_field("name") == s.email("admin"));
}

TEST_CASE("a session ends by sign-out, by idleness and by age", "[console][session]") {
    console_system s;
    console_browser ann(s);
    REQUIRE(ann.sign_in(s.email("admin")).status == 201);
    auto const cookie = ann.cookie;
    CHECK(ann.send("DELETE", "/session").status == 204);
    CHECK(ann.cookie.empty());
    CHECK(error_of(ann.send("GET", "/session")) == "missing_credential");
    ann.cookie = cookie;
    for (auto const* path : {"/session", "/organization", "/sessions"}) {
        auto const answer = ann.send("GET", path);
        CHECK(answer.status == 401);
        CHECK(error_of(answer) == "invalid_credential");
    }
    for (std::string const column : {"idle_expires_at", "expires_at = now(), idle_expires_at"}) {
        console_browser late(s);
        REQUIRE(late.sign_in(s.email("admin")).status == 201);
        s.database.owner().run("UPDATE recruiting.console_sessions SET " + column + " = now()");
        CHECK(error_of(late.send("GET", "/organization")) == "invalid_credential");
        CHECK(error_of(late.send("GET", "/session")) == "invalid_credential");
    }
}

TEST_CASE("requests move the idle expiry, and never beyond the session's end", "[console][session]") {
    console_system s;
    console_browser ann(s);
    REQUIRE(ann.sign_in(s.email("admin")).status == 201);
    s.database.owner().run("UPDATE recruiting.console_sessions SET last_seen_at = now() - interval '10 minutes', "
                           "idle_expires_at = now() + interval '5 minutes', expires_at = now() + interval '1 hour'");
    CHECK(ann.send("GET", "/organization").status == 200);
    CHECK(eventually([&] {
        return s.value("SELECT idle_expires_at = expires_at AND last_seen_at > now() - interval '2 minutes' "
                       "FROM recruiting.console_sessions") == "true";
    }));
}

TEST_CASE("each way of signing out leaves a row in the organization's audit log", "[console][session][audit]") {
    console_system s;
    auto const address = s.email("admin");
    auto const signed_out = [&](std::string const& condition) {
        return s.value(
            "SELECT count(*) FROM audit_rows WHERE action = 'member.signed_out' AND actor_type = 'member' AND "
            "actor_email = '" +
            address +
            "' AND actor_role = 'admin' AND target_type = 'member' AND target_id = replace(actor_member_id::text, "
            "'-', '') AND success AND host(ip_address) = '127.0.0.1' AND organization_id = '" +
            to_string(s.organization.id) + "' AND " + condition);
    };
    console_browser here(s);
    console_browser there(s);
    console_browser elsewhere(s);
    for (auto* const browser : {&here, &there, &elsewhere}) REQUIRE(browser->sign_in(address).status == 201);
    REQUIRE(
        here.send("DELETE", "/sessions/" + there.session_field("id"), {}, "X-Request-Id: ends-another\r\n").status ==
        204);
    CHECK(signed_out("request_id = 'ends-another'") == "1");
    CHECK(here.send("DELETE", "/sessions/" + to_string(random_id())).status == 404);
    auto const cookie = here.cookie;
    REQUIRE(here.send("DELETE", "/session", {}, "X-Request-Id: ends-this\r\n").status == 204);
    CHECK(signed_out("request_id = 'ends-this'") == "1");
    here.cookie = cookie;
    CHECK(here.send("DELETE", "/session").status == 204); // it has ended already
    CHECK(signed_out("true") == "2");

    REQUIRE(here.sign_in(address).status == 201);
    REQUIRE(here.send("DELETE", "/sessions", {}, "X-Request-Id: ends-all\r\n").status == 204);
    CHECK(signed_out("request_id = 'ends-all'") == "2");
    REQUIRE(here.sign_in(address).status == 201);
    REQUIRE(here.sign_in(address).status == 201); // in the same browser
    CHECK(signed_out("true") == "5");
    CHECK(s.value("SELECT count(*) FROM recruiting.console_sessions") == "1");

    pg::client auth(s.database.auth_url()); // the service's role ends no session that lives without its row
    auth.run("SELECT set_config('recruiting.session_hash', $1, false)",
             pg::params().text(s.value("SELECT encode(hash, 'hex') FROM recruiting.console_sessions")));
    CHECK(auth.run("SELECT id FROM recruiting.console_sessions").size() == 1);
    CHECK(auth.run("DELETE FROM recruiting.console_sessions").affected() == 0);

    s.database.owner().run("UPDATE recruiting.console_sessions SET membership_id = NULL");
    REQUIRE(here.send("DELETE", "/session").status == 204); // no organization was chosen
    CHECK(signed_out("true") == "5");
}

TEST_CASE("a session of each organization is signed out in that organization's log", "[console][session][audit]") {
    console_system s;
    auto const other_slug = new_slug();
    auto const other = make_organization(s.database.owner(), other_slug);
    make_member(s.database.owner(), other_slug, s.email("admin"), role::viewer);
    console_browser here(s);
    console_browser there(s);
    auto const enter = [](console_browser& browser, uuid const& id) {
        return browser.send("PUT", "/session/organization", R"({"organizationId":")" + to_string(id) + R"("})").status;
    };
    REQUIRE(here.sign_in(s.email("admin")).status == 201);
    REQUIRE(there.sign_in(s.email("admin")).status == 201);
    REQUIRE(enter(here, s.organization.id) == 200);
    REQUIRE(enter(there, other.id) == 200);
    REQUIRE(here.send("DELETE", "/sessions").status == 204);
    auto const role_in = [&](uuid const& id) {
        return s.value("SELECT string_agg(actor_role, ',') FROM audit_rows WHERE action = 'member.signed_out' AND "
                       "organization_id = '" +
                       to_string(id) + "'");
    };
    CHECK(role_in(s.organization.id) == "admin");
    CHECK(role_in(other.id) == "viewer");
}

TEST_CASE("signing out everywhere takes back the person's unused links, and nobody else's", "[console][session]") {
    console_system s;
    make_member(s.database.owner(), s.slug, s.email("bob"), role::viewer);
    auto const write_mails = [&] {
        s.database.owner().run(
            "INSERT INTO recruiting.mail_outbox (id, audience, kind, user_id, time_zone, status, finished_at) "
            "SELECT gen_random_uuid(), 'member', 'sign_in', u.id, 'UTC', x, CASE x WHEN 'sent' THEN now() END "
            "FROM recruiting.users u, unnest(ARRAY['waiting', 'sent']) AS x");
    };
    console_browser ann(s);
    auto const used = s.link(s.email("admin"));
    REQUIRE(ann.use_link(used).status == 201);
    auto const mailed = s.link(s.email("admin"));
    auto const bobs = s.link(s.email("bob"));
    write_mails();
    auto const other = s.link(s.email("admin"));
    console_browser second(s);
    REQUIRE(second.use_link(other).status == 201);
    REQUIRE(ann.send("DELETE", "/session").status == 204); // of this browser alone
    CHECK(second.send("POST", "/sign-in-links/inspect", R"({"token":")" + mailed + R"("})").status == 200);

    s.database.owner().run(
        "INSERT INTO recruiting.sign_in_requests (email_key) SELECT email_key FROM recruiting.users");
    REQUIRE(second.send("DELETE", "/sessions").status == 204);
    console_browser thief(s);
    CHECK(thief.use_link(mailed).status == 404);
    CHECK(s.value("SELECT count(*) FROM recruiting.mail_outbox WHERE status = 'waiting'") == "1"); // Bob's
    CHECK(s.value("SELECT count(*) FROM recruiting.mail_outbox WHERE status = 'sent'") == "2");
    CHECK(s.value("SELECT string_agg(email_key, ' ') FROM recruiting.sign_in_requests") == s.email("bob"));
    CHECK(thief.use_link(bobs).status == 201);
}

TEST_CASE("a link that is being opened while its person signs out everywhere opens nothing that lasts",
          "[console][session]") {
    console_system s;
    console_browser ann(s);
    auto const mailed = s.link(s.email("admin"));
    REQUIRE(ann.sign_in(s.email("admin")).status == 201);
    unsigned status = 0;
    {
        pg::client opener(s.database.auth_url(), "tests");
        pg::transaction opening(opener);
        opener.run("SELECT set_config('recruiting.sign_in_token', $1, true)",
                   pg::params().text(to_hex(bytes_of(auth::hash_sign_in_token(mailed)))));
        auto const opened =
            opener.run("SELECT recruiting.open_session(gen_random_uuid(), sha256('cookie'), NULL, interval '1 day', "
                       "interval '1 hour', NULL, NULL, 'opening', false)");
        REQUIRE(opened.boolean(0, 0));
        std::thread waits([&] { status = ann.send("DELETE", "/sessions").status; });
        CHECK(eventually([&] { return s.database.has_lock_waiter(); }));
        opening.commit();
        waits.join();
    }
    CHECK(status == 204);
    CHECK(s.value("SELECT count(*) FROM recruiting.console_sessions") == "0");
    CHECK(s.value("SELECT count(*) FROM audit_rows WHERE action = 'member.signed_out'") == "2");
}

TEST_CASE("a link that is being mailed while its person signs out everywhere is taken back", "[console][session]") {
    console_system s;
    console_browser ann(s);
    REQUIRE(ann.sign_in(s.email("admin")).status == 201);
    auth_api::mailing::lease const of{random_id(), random_id()};
    s.database.owner().run(
        "INSERT INTO recruiting.mail_outbox (id, audience, kind, user_id, time_zone, lease, leased_until) "
        "SELECT $1, 'member', 'sign_in', id, 'UTC', $2, now() + interval '1 minute' FROM recruiting.users",
        pg::params().id(of.mail).id(of.fence));
    auto const token = auth::new_session_secret();
    auto const hour = std::chrono::hours{1};
    unsigned status = 0;
    {
        pg::client mailer(s.database.auth_url(), "tests");
        pg::transaction opening(mailer);
        for (auto const& one : auth_api::mailing::open_member_mail(of, {auth::hash_sign_in_token(token), hour, hour}))
            mailer.run(one);
        std::thread waits([&] { status = ann.send("DELETE", "/sessions").status; });
        CHECK(eventually([&] { return s.database.has_lock_waiter(); }));
        opening.commit();
        waits.join();
    }
    CHECK(status == 204);
    CHECK(ann.send("POST", "/sign-in-links/inspect", R"({"token":")" + token + R"("})").status == 404);
    CHECK(s.value("SELECT count(*) FROM recruiting.sign_in_tokens WHERE used_at IS NULL") == "0");
}

TEST_CASE("no session that works is missing in its person's list", "[console][session]") {
    console_system s;
    console_browser first(s);
    console_browser here(s);
    REQUIRE(first.sign_in(s.email("admin")).status == 201);
    REQUIRE(here.sign_in(s.email("admin")).status == 201);
    s.database.owner().run(
        "INSERT INTO recruiting.console_sessions (id, hash, user_id, expires_at, idle_expires_at) SELECT "
        "gen_random_uuid(), sha256(n::text::bytea), c.user_id, c.expires_at, c.idle_expires_at FROM "
        "recruiting.console_sessions c, generate_series(1, 150) n WHERE c.id = $1",
        pg::params{}.id(parse_id(here.session_field("id")).value()));
    CHECK(has(here.send("GET", "/sessions"), first.session_field("id")));
}

TEST_CASE("a session reads what the role allows now, in its organization alone", "[console][session]") {
    console_system s;
    auto const other_slug = new_slug();
    make_organization(s.database.owner(), other_slug);
    console_browser ann(s);
    REQUIRE(ann.sign_in(s.email("admin")).status == 201);
    auto const members = ann.send("GET", "/members");
    CHECK(members.status == 200);
    CHECK(has(members, s.email("admin")));
    CHECK_FALSE(has(members, other_slug));
    for (auto const* path : {"/organization", "/jobs", "/audit", "/audit/chain", "/scopes"})
        CHECK(ann.send("GET", path).status == 200);
    CHECK(has(ann.send("GET", "/scopes"), R"("granted":true)"));
    CHECK_FALSE(has(ann.send("GET", "/scopes"), R"("granted":false)"));

    make_member(s.database.owner(), s.slug, s.email("second"), role::admin);
    s.database.owner().run("UPDATE recruiting.memberships m SET role = 'viewer' FROM recruiting.users u "
                           "WHERE u.id = m.user_id AND m.email = $1",
                           pg::params().text(s.email("admin")));
    auto const refused = ann.send("GET", "/audit");
    CHECK(refused.status == 403);
    CHECK(error_of(refused) == "insufficient_role");
    CHECK(ann.session_field("mayCreateKeys") == "false");
}

TEST_CASE("every read of a session is an audit row of its member", "[console][session][audit]") {
    console_system s;
    console_browser ann(s);
    REQUIRE(ann.sign_in(s.email("admin")).status == 201);
    CHECK(ann.send("GET", "/jobs", {}, "X-Request-Id: a-read-of-jobs\r\n").status == 200);
    CHECK(s.value("SELECT count(*) FROM audit_rows WHERE request_id = 'a-read-of-jobs' AND actor_type = 'member' "
                  "AND action = 'console.request' AND credential_id IS NULL AND endpoint = '/console/api/jobs' "
                  "AND actor_email = '" +
                  s.email("admin") + "'") == "1");
    CHECK(s.value("SELECT count(*) FROM audit_rows WHERE action = 'member.signed_in'") == "1");
}

TEST_CASE("a person who is removed while they choose the organization does not come in", "[console][session]") {
    console_system s;
    auto const other_slug = new_slug();
    auto const other = make_organization(s.database.owner(), other_slug);
    make_member(s.database.owner(), other_slug, s.email("admin"), role::viewer);
    console_browser ann(s);
    REQUIRE(ann.sign_in(s.email("admin")).status == 201);
    unsigned status = 0;
    auto const choose = [&] {
        auto const body = R"({"organizationId":")" + to_string(other.id) + R"("})";
        status = ann.send("PUT", "/session/organization", body).status;
    };
    {
        pg::client remover(s.database.owner_url(), "tests");
        pg::transaction removal(remover);
        remover.run(
            "UPDATE recruiting.memberships SET status = 'removed', removed_at = now() WHERE organization_id = $1",
            pg::params().id(other.id));
        std::thread waits(choose);
        CHECK(eventually([&] { return s.database.has_lock_waiter(); }));
        removal.commit();
        waits.join();
    }
    CHECK(status == 404);
    CHECK(s.value("SELECT count(*) FROM recruiting.console_sessions WHERE membership_id IS NULL") == "1");
    CHECK(s.value("SELECT count(*) FROM audit_rows WHERE action = 'member.signed_in'") == "0");
}

TEST_CASE("pages are served from memory with their protection, and without a console nothing is", "[console][pages]") {
    console_system s;
    console_browser ann(s);
    for (auto const* path : {"/console", "/console/", "/console/sign-in", "/console/api-keys", "/console/nothing.js"}) {
        auto const page = ann.send_bare("GET", path, "");
        INFO(path);
        CHECK(page.status == 200);
        CHECK(has(page, "<title>Console</title>"));
        CHECK(page.header("cache-control") == "no-cache");
        CHECK(page.header("content-security-policy").find("trusted-types 'none'") != std::string::npos);
        CHECK(page.header("x-frame-options") == "DENY");
        CHECK(page.header("cross-origin-opener-policy") == "same-origin");
    }
    CHECK(ann.send_bare("GET", "/console/app.0123456789abcdef.js", "").header("cache-control") ==
          "public, max-age=31536000, immutable");
    CHECK(ann.send_bare("POST", "/console/sign-in", "Sec-Fetch-Site: same-origin\r\n").status == 405);
    CHECK(ann.send("GET", "/nothing").status == 404);
    CHECK(ann.send("POST", "/settings").status == 405);

    test_database database;
    auth_api_harness const without(database.auth_url());
    for (std::string const path : {"/console", "/console/api/session"})
        CHECK(without.send("GET " + path + " HTTP/1.1\r\nHost: test\r\n\r\n").status == 404);
}

} // namespace console_session_test
