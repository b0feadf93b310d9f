// slots open, list and close as an operator calls them, seen from the public schedule.
#include "integration/auth_api/background/booking_harness.hpp"
#include "interviews/interviews.hpp"
#include "recruitctl/command.hpp"
#include "support/catch.hpp"

#include <boost/json.hpp>
#include <sstream>

namespace slots_test {
using namespace recruiting;
using namespace recruiting::recruitctl;
using recruiting::test::booking_system;

namespace {

struct operator_of {
    operator_of() {
        system.add_interviewer();
        interviewer = "interviewer1@" + system.slug + ".example";
        auto const in = [](int days) {
            return format_time(system_time().now() + std::chrono::days{days}).substr(0, 10);
        };
        first = in(7);
        last = in(8);
    }
    int call(std::vector<std::string> const& arguments) {
        std::ostringstream to_out;
        std::ostringstream to_err;
        auto const code = run(all_commands(), arguments, environment, to_out, to_err);
        out = to_out.str();
        err = to_err.str();
        return code;
    }
    boost::json::object json(std::vector<std::string> arguments, int expected = done) {
        arguments.emplace_back("--json");
        auto const code = call(arguments);
        CAPTURE(err, out);
        REQUIRE(code == expected);
        return boost::json::parse(out).as_object();
    }
    std::vector<std::string> open(std::vector<std::string> const& more = {}) const {
        std::vector<std::string> arguments{"slots",          "open",
                                           "--organization", system.slug,
                                           "--job",          to_string(system.job),
                                           "--stage",        to_string(system.stage),
                                           "--interviewer",  interviewer,
                                           "--from",         first + "T09:00",
                                           "--to",           last + "T11:00",
                                           "--weekdays",     "mon-sun",
                                           "--duration",     "60m"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return arguments;
    }
    std::vector<std::string> of(std::string const& action, std::vector<std::string> const& more = {}) const {
        std::vector<std::string> arguments{"slots", action, "--organization", system.slug};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return arguments;
    }
    std::string published() { return system.value("SELECT count(*) FROM recruiting.published_slots"); }

    booking_system system;
    settings environment{{"RECRUITING_DATABASE_URL", system.database.owner_url()}};
    std::string interviewer, first, last, out, err;
};

std::size_t size(boost::json::object const& of, char const* name) { return of.at(name).as_array().size(); }

} // namespace

TEST_CASE_METHOD(operator_of, "slots are opened by the organization's wall clock, and again adds none",
                 "[recruitctl][slots]") {
    auto const opened = json(open({"--join-url", "https://meet.example/room"}));
    CHECK(size(opened, "opened") == 4);
    CHECK_FALSE(opened.at("stageMadeBookable").as_bool());
    CHECK(system.value("SELECT string_agg(request_count::text || ' ' || target_type, ', ') FROM audit_rows WHERE "
                       "action = 'slot.opened' AND actor_type = 'system' AND target_id = '" +
                       to_string(system.stage) + "'") == "4 stage");
    CHECK(published() == "4");
    CHECK(system.value("SELECT count(*) FROM recruiting.interview_slots WHERE join_url = 'https://meet.example/room' "
                       "AND extract(hour FROM starts_at AT TIME ZONE 'Europe/Berlin') IN (9, 10)") == "4");
    auto const again = json(open());
    CHECK(size(again, "opened") == 0);
    CHECK(size(again, "known") == 4);
    CHECK(published() == "4");
}

TEST_CASE_METHOD(operator_of, "what overlaps another slot or interview of the interviewer is skipped and told",
                 "[recruitctl][slots]") {
    auto const stage = to_string(new_record_id());
    system.change("INSERT INTO recruiting.stages (id, organization_id, job_id, name, kind, position) SELECT '" + stage +
                  "', organization_id, job_id, 'Second', 'interview', 2 FROM recruiting.stages");
    REQUIRE(call(open({"--to", first + "T10:00"})) != done); // an option twice
    json(open());
    auto arguments = open();
    arguments[7] = stage;
    arguments[11] = first + "T09:30";
    auto const second = json(arguments);
    CHECK(size(second, "opened") == 0);
    CHECK(size(second, "skipped") == 2);
    CHECK(second.at("stageMadeBookable").as_bool());
    CHECK(call(arguments) == done);
    CHECK(out.find("skipped") != std::string::npos);
    CHECK(system.value("SELECT bookable AND interview_duration_minutes = 60 FROM recruiting.stages WHERE id = '" +
                       stage + "'") == "true");
}

TEST_CASE_METHOD(operator_of, "what can't be meant is refused", "[recruitctl][slots]") {
    auto const with = [&](std::size_t at, std::string const& value) {
        auto arguments = open();
        arguments[at] = value;
        return call(arguments);
    };
    CHECK(with(3, "nobody-has-this-slug") == failed);
    CHECK(with(5, to_string(new_record_id())) == failed);
    CHECK(with(5, "x") == usage);
    CHECK(with(9, "nobody@example.com") == failed);
    CHECK(with(11, "tomorrow") == usage);
    CHECK(with(13, "2020-01-01") == failed); // nothing is ahead
    CHECK(with(15, "monday") == usage);
    CHECK(with(17, "1m") == usage);
    CHECK(with(17, "9h") == usage);
    CHECK(call(open({"--time-zone", "Mars/Olympus"})) == usage);
    CHECK(call(open({"--join-url", "http://meet.example"})) == usage);
    CHECK(call(open({"--most", "3"})) == failed);
    CHECK(call(open({"--most", std::to_string(interviews::most_opened_per_hour + 1)})) == usage);
    CHECK(with(13, format_time(system_time().now() + std::chrono::days{368}).substr(0, 10)) == failed);
    CHECK(err.find("366 days") != std::string::npos);
    CHECK(published() == "0");
}

TEST_CASE_METHOD(operator_of, "an operator has the bounds of the console's members", "[recruitctl][slots]") {
    auto const fill = [&](std::int64_t count, std::string const& closed_at) {
        system.change(
            "INSERT INTO recruiting.interview_slots (id, organization_id, job_id, stage_id, membership_id, "
            "starts_at, ends_at, closed_at, created_at) SELECT gen_random_uuid(), s.organization_id, s.job_id, s.id, "
            "m.id, "
            "t.at, t.at + interval '1 minute', " +
            closed_at +
            ", now() + interval '1 hour' FROM recruiting.stages s JOIN recruiting.memberships m ON m.organization_id = "
            "s.organization_id AND m.email LIKE 'interviewer1@%' "
            "CROSS JOIN LATERAL (SELECT date_trunc('day', now()) + interval '1 day' * (1 + n / 180) + interval "
            "'1 minute' * (n % 180) AS at FROM generate_series(1, " +
            std::to_string(count) + ") n) t WHERE s.id = '" + to_string(system.stage) + "'");
    };
    fill(interviews::most_opened_per_hour - 3, "now()");
    CHECK(call(open()) == failed);
    CHECK(err.find("more interview slots in this hour") != std::string::npos);
    system.change("DELETE FROM recruiting.interview_slots");
    fill(interviews::most_open_of_interviewer - 3, "NULL");
    CHECK(call(open()) == failed);
    CHECK(err.find("the interviewer has 4997 open slots and may have 5000") != std::string::npos);
    system.change("DELETE FROM recruiting.interview_slots");
    CHECK(size(json(open()), "opened") == 4);
}

TEST_CASE_METHOD(operator_of, "slots are listed with what is taken, without by whom", "[recruitctl][slots]") {
    json(open());
    system.add_candidate("jo@example.com");
    system.change("INSERT INTO recruiting.booking_requests (organization_id, job_id, stage_id, starts_at, email) "
                  "SELECT organization_id, job_id, stage_id, min(starts_at), 'jo@example.com' "
                  "FROM recruiting.interview_slots GROUP BY 1, 2, 3");
    system.work();
    auto const data = json(of("list")).at("data").as_array();
    REQUIRE(data.size() == 4);
    CHECK(data[0].at("state").as_string() == "taken");
    CHECK(data[0].at("bookingId").is_string());
    CHECK(data[1].at("state").as_string() == "open");
    CHECK(out.find("jo@") == std::string::npos);
    CHECK(json(of("list", {"--from", last})).at("data").as_array().size() == 2);
    CHECK(json(of("list", {"--interviewer", "nobody@example.com"})).at("data").as_array().empty());
    CHECK(call(of("list")) == done);
    CHECK(out.find("T09:00:00+0") != std::string::npos);
}

TEST_CASE_METHOD(operator_of, "closed slots leave the schedule, booked interviews stay", "[recruitctl][slots]") {
    json(open());
    system.add_candidate("jo@example.com");
    system.change("INSERT INTO recruiting.booking_requests (organization_id, job_id, stage_id, starts_at, email) "
                  "SELECT organization_id, job_id, stage_id, min(starts_at), 'jo@example.com' "
                  "FROM recruiting.interview_slots GROUP BY 1, 2, 3");
    system.work();
    auto const data = json(of("list")).at("data").as_array();
    std::string const id(std::string_view(data[3].at("id").as_string()));
    CHECK(size(json(of("close", {"--id", id})), "closed") == 1);
    CHECK(json(of("close", {"--id", id}), partial).at("notOpen").as_int64() == 1);
    CHECK(json(of("close", {"--id", to_string(new_record_id())}), partial).at("notOpen").as_int64() == 1);
    auto const closed = json(of("close", {"--from", first, "--to", last}));
    CHECK(size(closed, "closed") == 1);
    CHECK(size(closed, "closedAndBooked") == 1);
    CHECK(published() == "1");
    CHECK(system.value("SELECT count(*) FROM recruiting.bookings WHERE status = 'confirmed'") == "1");
    CHECK(json(of("list")).at("data").as_array().size() == 1);
    CHECK(json(of("list", {"--all"})).at("data").as_array().size() == 4);
    CHECK(call(of("close")) == usage);
    CHECK(call(of("close", {"--id", "x"})) == usage);
    json(open()); // opened again: what is booked is not offered twice
    CHECK(published() == "3");
}

} // namespace slots_test
