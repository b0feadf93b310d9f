// What recruiters see of bookings (proto-docs/booking.md): the next interview in /pipeline and /candidates/{id}, audit
// rows and usage; and what their roles and keys keep from them.
#include "auth_api/settings.hpp"
#include "integration/auth_api/background/booking_harness.hpp"
#include "integration/auth_api/harness.hpp"
#include "integration/support/http_server_harness.hpp"
#include "support/catch.hpp"
#include "support/directory.hpp"

#include <boost/json.hpp>

namespace booking_records_test {
using namespace recruiting;
using namespace recruiting::test;
namespace json = boost::json;

namespace {

// A booking made by auth-api's own worker, and keys of people who look at it.
struct booked {
    booking_system s;
    uuid interviewer = s.add_interviewer();
    uuid application = s.add_candidate("ann@mail.example");
    auth_api_harness service{s.database.auth_url(), true, [](auth_api::settings& config) {
                                 config.booking.interval = std::chrono::milliseconds{20};
                             }};

    booked() {
        s.open_slot(interviewer, 48);
        s.ask("ann@mail.example", 48);
        REQUIRE(eventually([&] { return s.waiting() == "0"; }));
    }
    std::string key_of(std::string const& email, std::vector<std::string> const& scopes = {"*"}) {
        return make_key(s.database.owner(), s.slug, email, scopes).secret;
    }
    std::string admin(std::vector<std::string> const& scopes = {"*"}) {
        return key_of("admin@" + s.slug + ".example", scopes);
    }
    json::value get(std::string const& path, std::string const& secret) {
        auto const answer = service.get(path, secret);
        INFO(path << " " << answer.body);
        REQUIRE(answer.status == 200);
        return json::parse(answer.body).at("data");
    }
    std::string candidate_path() {
        return "/candidates/" + s.value("SELECT replace(id::text, '-', '') FROM recruiting.candidates");
    }
    json::value in_candidate(std::string const& secret) {
        return get(candidate_path(), secret).at("applications").at(0).at("nextInterview");
    }
    json::value in_pipeline(std::string const& secret) {
        auto const pipeline = get("/pipeline?jobId=" + to_string(s.job), secret);
        return pipeline.at("stages").at(0).at("applications").at(0).at("nextInterview");
    }
};

} // namespace

TEST_CASE("the next interview is shown with its time, its stage and who interviews", "[booking_records]") {
    booked b;
    auto const secret = b.admin();
    json::value const expected = {
        {"bookingId", b.s.value("SELECT replace(id::text, '-', '') FROM recruiting.bookings")},
        {"startsAt", format_time(b.s.at(48))},
        {"endsAt", format_time(b.s.at(48) + std::chrono::minutes{45})},
        {"stageId", to_string(b.s.stage)},
        {"interviewer", {{"memberId", to_string(b.interviewer)}, {"name", "Member interviewer1"}}},
    };
    CHECK(b.in_candidate(secret) == expected);
    CHECK(b.in_pipeline(secret) == expected);
}

TEST_CASE("no interview is ahead: none asked for, canceled, over", "[booking_records]") {
    booked b;
    auto const secret = b.admin();
    auto const change = GENERATE("UPDATE recruiting.bookings SET status = 'canceled'",
                                 "UPDATE recruiting.bookings SET status = 'unplaced', wanted_starts_at = now()",
                                 "ALTER TABLE recruiting.bookings DISABLE TRIGGER USER; UPDATE recruiting.bookings SET "
                                 "starts_at = now() - interval '2 hours', ends_at = now() - interval '1 minute'");
    b.s.change(change);
    CHECK(b.in_candidate(secret).is_null());
    CHECK(b.in_pipeline(secret).is_null());
}

TEST_CASE("an interview that is going on is shown until it ends", "[booking_records]") {
    booked b;
    b.s.change("ALTER TABLE recruiting.bookings DISABLE TRIGGER USER; UPDATE recruiting.bookings SET "
               "starts_at = now() - interval '7 hours', ends_at = now() + interval '1 hour'");
    CHECK(b.in_candidate(b.admin()).is_object());
    CHECK(b.in_pipeline(b.admin()).is_object());
}

TEST_CASE("an interviewer's name is shown only to a key that could read the member", "[booking_records]") {
    booked b;
    CHECK(b.in_candidate(b.admin({"candidates:read"})).at("interviewer").at("name").is_null());
    CHECK(b.in_pipeline(b.admin({"pipeline:read"})).at("interviewer").at("name").is_null());
    CHECK(b.in_pipeline(b.admin({"pipeline:read", "members:read"})).at("interviewer").at("name").is_string());
    CHECK(b.in_pipeline(b.admin({"pipeline:read"})).at("startsAt").is_string());
}

TEST_CASE("interviews follow the roles of their applications", "[booking_records]") {
    booked b;
    auto const& s = b.s;
    make_member(b.s.database.owner(), s.slug, "manager@" + s.slug + ".example", role::hiring_manager);
    auto const manager = b.key_of("manager@" + s.slug + ".example");
    CHECK(b.service.get(b.candidate_path(), manager).status == 404);
    CHECK(b.service.get("/pipeline?jobId=" + to_string(s.job), manager).status == 404);
    b.s.change("INSERT INTO recruiting.hiring_teams (organization_id, job_id, membership_id) SELECT j.organization_id, "
               "j.id, m.id FROM recruiting.jobs j, recruiting.memberships m WHERE m.role = 'hiring_manager'");
    CHECK(b.in_candidate(manager).is_object());
    CHECK(b.in_pipeline(manager).is_object());
}

TEST_CASE("bookings are metered and in the audit log", "[booking_records]") {
    booked b;
    auto const secret = b.admin();
    CHECK(b.get("/billing", secret).at("usage").at("bookings") == 1);
    auto const rows = b.get("/audit?action=booking.confirmed", secret).as_array();
    REQUIRE(rows.size() == 1);
    CHECK(rows[0].at("target") ==
          json::value{{"type", "booking"},
                      {"id", b.s.value("SELECT replace(id::text, '-', '') FROM recruiting.bookings")}});
    CHECK(rows[0].at("actor").at("type") == "system");
    CHECK(rows[0].at("success") == true);
}

} // namespace booking_records_test
