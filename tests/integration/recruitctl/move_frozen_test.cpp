// A frozen organization changes nowhere, and goes on in the installation that imports it: keys, runs, mails, links.
#include "integration/auth_api/agent/system.hpp"
#include "integration/auth_api/harness.hpp"
#include "integration/public_api/visitor.hpp"
#include "integration/recruitctl/move_fixture.hpp"

namespace move_frozen_test {
using namespace recruiting;
using namespace recruiting::test;
using namespace std::chrono_literals;
using recruitctl::done;
using recruitctl::failed;

namespace {

std::string sql_state(pg::client& on, std::string const& sql) {
    try {
        on.script(sql);
    } catch (pg::query_error const& error) {
        return error.sqlstate();
    }
    return "done";
}

// How many rows of the table a worker of auth-api sees.
std::string seen_by(test_database const& on, std::string const& worker, std::string const& table) {
    pg::client service(on.auth_url(), "tests");
    pg::transaction whole(service);
    service.run("SELECT set_config('recruiting.worker', $1, true)", pg::params().text(worker));
    return std::string(service.run("SELECT count(*)::text FROM recruiting." + table).text(0, 0));
}

boost::json::array names_of(http_answer const& answer) {
    INFO(answer.body);
    REQUIRE(answer.status == 200);
    return boost::json::parse(answer.body).at("data").as_array();
}

} // namespace

TEST_CASE_METHOD(move_fixture, "keys of a frozen organization get 503 and no audit row, those of others work",
                 "[recruitctl][move]") {
    auto const secret = make_key(source.owner(), slug, admin, {"*"}).secret;
    auto const revoked = make_key(source.owner(), slug, admin, {"*"});
    source.owner().run("UPDATE recruiting.api_keys SET revoked_at = now() WHERE id = $1",
                       pg::params().id(revoked.key.id));
    auto const neighbor = make_organization(source.owner(), new_slug());
    auto const theirs = make_key(source.owner(), neighbor.slug, "admin@" + neighbor.slug + ".example", {"*"}).secret;
    auth_api_harness const service(source.auth_url());
    REQUIRE(service.get("/me", secret).status == 200);
    REQUIRE(service.get("/me", revoked.secret).status == 401);

    REQUIRE(freeze() == done);
    seal(source);
    auto const rows = value(source, "SELECT sequence FROM recruiting.audit_heads WHERE organization_id = '" + id + "'");
    for (auto const& key : {secret, revoked.secret}) {
        auto const answer = service.get("/me", key);
        CHECK(answer.status == 503);
        CHECK(!answer.header("retry-after").empty());
        CHECK(service.get("/jobs", key).status == 503);
        CHECK(service.post("/agent/invoke", key, R"({"prompt":"How many jobs?"})").status == 503);
    }
    CHECK(service.get("/me", theirs).status == 200);
    seal(source);
    CHECK(value(source, "SELECT sequence FROM recruiting.audit_heads WHERE organization_id = '" + id + "'") == rows);
    CHECK(value(source, "SELECT count(*) FROM recruiting.audit_refusals WHERE minute > now() - interval '1 minute'") ==
          "1");

    REQUIRE(call_of_slug(source, "unfreeze") == done);
    CHECK(service.get("/me", secret).status == 200);
}

TEST_CASE_METHOD(move_fixture, "keys, revocations and idempotency keys hold in the other installation",
                 "[recruitctl][move]") {
    auto const secret = make_key(source.owner(), slug, admin, {"*"}).secret;
    auto const revoked = make_key(source.owner(), slug, admin, {"*"});
    source.owner().run("UPDATE recruiting.api_keys SET revoked_at = now() WHERE id = $1",
                       pg::params().id(revoked.key.id));
    auto const ask = [&](auth_api_harness const& service) {
        return read_invoke_answer(service.post("/agent/invoke", secret, R"({"prompt":"How many jobs are open?"})",
                                               "Idempotency-Key: once\r\n"));
    };
    std::string token;
    agent_answer first;
    {
        auth_api_harness const service(source.auth_url());
        first = ask(service);
        REQUIRE(first.state == "completed");
        auto const page = boost::json::parse(service.get("/candidates?syncToken=", secret).body);
        token = page.at("page").at("syncToken").as_string().c_str();
    }
    move();
    auth_api_harness const service(other.auth_url());
    CHECK(service.get("/me", secret).status == 200);
    CHECK(service.get("/me", revoked.secret).status == 401);
    auto const again = ask(service);
    CHECK(again.replay);
    CHECK(again.session_id == first.session_id);
    CHECK(again.reply == first.reply);
    CHECK(value(other, "SELECT count(*) FROM recruiting.agent_runs WHERE idempotency_key = 'once'") == "1");
    // Both databases are one server's here, so the token holds, and everything comes again. Of another server it is
    // refused (sync_copies_test).
    CHECK(names_of(service.get("/candidates?syncToken=" + token, secret)).size() == 3);
    CHECK(names_of(service.get("/candidates?syncToken=", secret)).size() == 2); // one of them is deleted
}

TEST_CASE_METHOD(move_fixture, "a frozen organization's pages are served, its times are not", "[recruitctl][move]") {
    old.booking.work();
    auto const link = make_link(old.booking, "bo@mail.example");
    old.booking.open_slot(old.interviewer, 72);
    visitor someone(old.booking);
    REQUIRE(names_of(someone.slots()).size() == 3);

    REQUIRE(freeze() == done);
    CHECK(someone.get("/careers/" + slug).status == 200);
    CHECK(someone.get("manage/" + link).status == 200);
    CHECK(names_of(someone.slots()).empty());
    CHECK(someone.book("cy@mail.example", old.booking.at(72)).status >= 400);
    CHECK(old.booking.waiting() == "0");
    CHECK(someone.post("manage/" + link + "/cancel", "").status == 503);
    CHECK(someone.post("manage/" + link + "/reschedule", R"({"slotStart":")" + format_time(old.booking.at(72)) + "\"}")
              .status >= 409);
    CHECK(value(source, "SELECT string_agg(status, ' ') FROM recruiting.bookings") == "confirmed confirmed");

    REQUIRE(call_of_slug(source, "unfreeze") == done);
    CHECK(someone.book("cy@mail.example", old.booking.at(72)).status == 200);
    CHECK(old.booking.waiting() == "1");
    CHECK(someone.post("manage/" + link + "/cancel", "").status == 200);
}

TEST_CASE_METHOD(move_fixture, "nobody changes the records of a frozen organization", "[recruitctl][move]") {
    old.booking.work();
    REQUIRE(freeze() == done);
    for (auto const* table : {"memberships", "jobs", "stages", "hiring_teams", "candidates", "applications",
                              "interview_slots", "bookings"}) {
        CAPTURE(table);
        CHECK(sql_state(source.owner(),
                        "UPDATE recruiting." + std::string(table) + " SET organization_id = organization_id" +
                            (std::string_view(table) == "bookings" ? " WHERE starts_at > now()" : "")) ==
              pg::lock_not_available);
    }
    CHECK(sql_state(source.owner(), "UPDATE recruiting.api_keys SET revoked_at = now()") == pg::lock_not_available);
    CHECK(sql_state(source.owner(), "UPDATE recruiting.api_keys SET last_used_at = now()") == "done");
    write("jobs", R"({"externalId":"1","title":"New"})");
    CHECK(call(source, {"import", "jobs", "--organization", slug, path("jobs")}) == failed);
    CHECK(err.find("frozen") != std::string::npos);
}

TEST_CASE_METHOD(move_fixture, "list and show say since when an organization is frozen", "[recruitctl][move]") {
    auto const shown = [&] {
        REQUIRE(call_of_slug(source, "show", {"--json"}) == done);
        return boost::json::parse(out).at("frozenAt");
    };
    CHECK(shown().is_null());
    REQUIRE(freeze() == done);
    auto const since = std::string(shown().as_string());
    CHECK(parse_time(since).has_value());
    REQUIRE(call(source, {"organization", "list"}) == done);
    CHECK(out.find(since) != std::string::npos);
    REQUIRE(call_of_slug(source, "unfreeze") == done);
    CHECK(shown().is_null());
}

TEST_CASE_METHOD(move_fixture, "mails and booking requests are the other installation's from the freeze on",
                 "[recruitctl][move]") {
    REQUIRE(seen_by(source, "mailer", "mail_outbox") == "2");
    REQUIRE(seen_by(source, "booking", "booking_requests") == "1");
    REQUIRE(freeze() == done);
    CHECK(seen_by(source, "mailer", "mail_outbox") == "0");
    CHECK(seen_by(source, "booking", "booking_requests") == "0");
    REQUIRE(export_to("file") == done);
    REQUIRE(import_from("file") == done);

    event_loop loop;
    auth_api::booking::booking_settings quick;
    quick.interval = 20ms;
    running_booking_worker const worker(loop, other.auth_url(), quick);
    running_mailer mailer(loop, other.auth_url(), old.settings);
    loop.run_until([&] {
        return value(other, "SELECT count(*) FROM recruiting.booking_requests") == "0" &&
               value(other, "SELECT count(*) FROM recruiting.mail_outbox WHERE status = 'waiting'") == "0";
    });
    mailer.worker->stop();
    loop.run_until([&] { return mailer.worker->idle(); });
    CHECK(old.mails_to("bo@mail.example").size() == 1);
    CHECK(value(source, "SELECT count(*) FROM recruiting.mail_outbox WHERE status <> 'waiting'") == "0");
}

TEST_CASE("no service can say that it moves an organization", "[recruitctl][move]") {
    for (auto const& url : {shared_database().auth_url(), shared_database().public_url()}) {
        pg::client service(url, "tests");
        pg::transaction whole(service);
        service.run("SELECT set_config('recruiting.moving', 'on', true)");
        CHECK(service.run("SELECT recruiting.is_moving()::text").text(0, 0) == "false");
        CHECK(sql_state(service,
                        "INSERT INTO recruiting.frozen_organizations (organization_id) VALUES (gen_random_uuid())") ==
              "42501");
    }
}

} // namespace move_frozen_test
