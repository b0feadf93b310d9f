// Interviews in the console: who sees and changes what, through the pool and through reads as the dispatcher makes
// them.
#include "auth/authenticate_store.hpp"
#include "auth_api/console/endpoints.hpp"
#include "integration/auth_api/console/changes.hpp"
#include "interviews/interviews.hpp"
#include "mail/address.hpp"
#include "support/catch.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <thread>

namespace console_interviews_test {
using namespace recruiting;
using namespace recruiting::test;
using namespace recruiting::auth_api;
using namespace recruiting::auth_api::console;

namespace {

using lines = std::vector<std::string>;
namespace json = boost::json;

// Two jobs with a stage each; the hiring manager is on the first's team; the interviewer interviews for both.
struct fixture : console_changes {
    digest const recruiter = join("rea", role::recruiter);
    digest const manager = join("max", role::hiring_manager);
    digest const interviewer = join("ida", role::interviewer);
    digest const viewer = join("vic", role::viewer);
    uuid const job = make_job("Engineer");
    uuid const stage = make_stage(job, true);
    uuid const other_job = make_job("Designer");
    uuid const other_stage = make_stage(other_job, false);
    std::string const first = day(7), last = day(8);

    fixture() {
        owner.run("UPDATE recruiting.organizations SET time_zone = 'Europe/Berlin' WHERE id = $1",
                  pg::params{}.id(organization.id));
        owner.run("INSERT INTO recruiting.hiring_teams (organization_id, job_id, membership_id) VALUES ($1, $2, $3)",
                  pg::params{}.id(organization.id).id(job).id(member("max")));
    }
    uuid make_job(std::string const& title) {
        auto const id = new_record_id();
        owner.run(
            "INSERT INTO recruiting.jobs (id, organization_id, title, status, published) VALUES ($1, $2, $3, 'open', "
            "true)",
            pg::params{}.id(id).id(organization.id).text(title));
        return id;
    }
    uuid make_stage(uuid const& of, bool bookable) {
        auto const id = new_record_id();
        owner.run("INSERT INTO recruiting.stages (id, organization_id, job_id, name, kind, position, bookable, "
                  "interview_duration_minutes) VALUES ($1, $2, $3, 'Interview', 'interview', 1, $4, CASE WHEN $4 THEN "
                  "60 END)",
                  pg::params{}.id(id).id(organization.id).id(of).boolean(bookable));
        return id;
    }
    static std::string day(int ahead) {
        return format_time(system_time().now() + std::chrono::days{ahead}).substr(0, 10);
    }
    uuid member(std::string_view name) {
        return owner
            .run("SELECT m.id FROM recruiting.memberships m JOIN recruiting.users u ON u.id = m.user_id WHERE "
                 "m.organization_id = $1 AND u.email_key = $2",
                 pg::params{}.id(organization.id).text(email(name)))
            .id(0, 0);
    }
    /// An active application there and a confirmed booking in the slot; returns the candidate's id.
    std::string book(std::string const& slot) {
        auto const candidate = new_record_id();
        auto const application = new_record_id();
        auto const slot_id = parse_id(slot).value();
        owner.run("INSERT INTO recruiting.candidates (id, organization_id, name, email, email_key) VALUES ($1, $2, "
                  "'Jo', $3, $3)",
                  pg::params{}.id(candidate).id(organization.id).text(to_string(candidate) + "@mail.example"));
        owner.run(
            "INSERT INTO recruiting.applications (id, organization_id, candidate_id, job_id, stage_id) SELECT $1, "
            "organization_id, $2, job_id, stage_id FROM recruiting.interview_slots WHERE id = $3",
            pg::params{}.id(application).id(candidate).id(slot_id));
        owner.run(
            "INSERT INTO recruiting.bookings (id, organization_id, application_id, candidate_id, job_id, stage_id, "
            "status, slot_id, time_zone, calendar_uid) SELECT gen_random_uuid(), organization_id, $1, $2, job_id, "
            "stage_id, 'confirmed', id, 'UTC', gen_random_uuid() FROM recruiting.interview_slots WHERE id = $3",
            pg::params{}.id(application).id(candidate).id(slot_id));
        return to_string(candidate);
    }
    json::object slots_of(uuid const& of_job, uuid const& of_stage, std::string_view who = "ida") {
        return {{"jobId", to_string(of_job)},
                {"stageId", to_string(of_stage)},
                {"memberId", to_string(member(who))},
                {"firstDay", first},
                {"lastDay", last},
                {"from", "09:00"},
                {"to", "11:00"},
                {"weekdays", {"mon", "tue", "wed", "thu", "fri", "sat", "sun"}}};
    }
    console_call opening(digest const& session, json::object const& body) {
        return {open_interview_slots, session, {}, json::serialize(body)};
    }
    json::object data(console_call const& what, unsigned status = 200) {
        auto const made = call(what);
        if (made.error)
            FAIL(to_string(made.error->code) << (made.error->details.empty() ? "" : made.error->details[0].reason));
        REQUIRE(made.answer.status == status);
        return json::parse(made.answer.body).as_object().at("data").as_object();
    }
    json::object open(digest const& session, uuid const& of_job, uuid const& of_stage) {
        return data(opening(session, slots_of(of_job, of_stage)), 201);
    }
    /// What a GET answers to this session: its data, or an array with the error's code.
    json::array list(bind_function bind, digest const& session, std::string const& query = {}) {
        pg::client service(database.auth_url(), "tests");
        http::path_params const path;
        http::query_reader parameters(query);
        http::token_signer const signer("secret of the tests");
        bind_input in{path, parameters, signer};
        auto const prepared = bind(in);
        if (!prepared) return {to_string(prepared.error().code)};
        pg::transaction const transaction(service);
        auto const found = service.run(auth::authenticate(auth::credential(session, auth::principal_kind::member)));
        auto const caller = auth::read_principal(found, auth::principal_kind::member).value();
        std::vector<pg::rows> rows;
        for (auto const& statement : prepared->statements) rows.push_back(service.run(statement));
        http::response answer;
        render_context const context{caller, signer, "", query, ""};
        auto const done = prepared->render(rows, context, answer);
        if (!done) return {to_string(done.error().code)};
        auto const document = json::parse(answer.body).as_object();
        CHECK_FALSE(document.at("truncated").as_bool());
        return document.at("data").as_array();
    }
    /// A field of each record, sorted.
    static lines column(json::array const& records, char const* name) {
        lines out;
        for (auto const& one : records)
            out.emplace_back(one.is_object() ? json::serialize(one.as_object().at(name)) : json::serialize(one));
        std::ranges::sort(out);
        return out;
    }
    static std::string text(json::value const& of, char const* name) {
        return std::string(of.as_object().at(name).as_string());
    }
    /// The counts in the audit rows of openings, in their order.
    lines opened_in_rows() {
        auto const found =
            owner.run("SELECT request_count::text FROM audit_rows WHERE organization_id = $1 AND action = "
                      "'slot.opened' ORDER BY occurred_at",
                      pg::params{}.id(organization.id));
        lines out;
        for (int row = 0; row < found.size(); ++row) out.emplace_back(found.text(row, 0));
        return out;
    }
    /// So many slots of the member at the stage that were opened two hours ago: short ones in the nights of a year,
    /// beside which the days are free. closed: they were closed at once.
    void fill(std::int64_t count, uuid const& of_stage, std::string_view who, bool closed = false,
              std::string_view opened_ago = "2 hours") {
        owner.run("INSERT INTO recruiting.interview_slots (id, organization_id, job_id, stage_id, membership_id, "
                  "starts_at, ends_at, closed_at, created_at) SELECT gen_random_uuid(), s.organization_id, s.job_id, "
                  "s.id, $3, t.at, t.at + interval '1 minute', CASE WHEN $4 THEN now() END, now() - $5::interval "
                  "FROM recruiting.stages s CROSS JOIN LATERAL (SELECT date_trunc('day', now()) + interval '1 day' "
                  "* (1 + n / 180) + interval '1 minute' * (n % 180) AS at FROM generate_series(1, $1) n) t WHERE s.id "
                  "= $2",
                  pg::params{}.integer(count).id(of_stage).id(member(who)).boolean(closed).text(opened_ago));
    }
    std::int64_t seconds_left_of_hour() {
        return owner.run("SELECT 3600 - floor(extract(epoch FROM clock_timestamp()))::bigint % 3600").integer(0, 0);
    }
    std::int64_t open_slots() {
        return owner
            .run("SELECT count(*) FROM recruiting.interview_slots WHERE organization_id = $1 AND closed_at IS NULL",
                 pg::params{}.id(organization.id))
            .integer(0, 0);
    }
    std::string counts(digest const& session) {
        std::string out;
        for (auto const& one : list(list_interview_stages, session)) {
            if (!one.is_object()) return std::string(one.as_string());
            auto const& stage_json = one.as_object();
            out += text(one, "jobTitle") + " " + json::serialize(stage_json.at("openSlots")) + " " +
                   json::serialize(stage_json.at("freeSlots")) + " " +
                   json::serialize(stage_json.at("upcomingBookings")) + "; ";
        }
        return out;
    }
};

lines const refused{"\"insufficient_role\""};

} // namespace

TEST_CASE_METHOD(fixture, "a preview tells what opening would do, and changes nothing", "[console]") {
    auto wanted = slots_of(job, stage);
    wanted["preview"] = true;
    auto const times = [](json::object const& of, char const* name) { return of.at(name).as_array().size(); };
    auto const before = data(opening(recruiter, wanted));
    CHECK(times(before, "opened") == 4);
    CHECK(times(before, "existing") == 0);
    CHECK(opened_in_rows().empty());
    CHECK(list(list_interview_slots, recruiter).empty());
    auto const made = open(recruiter, job, stage);
    for (std::size_t at = 0; at < 4; ++at)
        for (auto const* field : {"slotStart", "slotEnd"})
            CHECK(before.at("opened").as_array()[at].at(field) == made.at("opened").as_array()[at].at(field));
    auto const again = data(opening(manager, wanted));
    CHECK(times(again, "opened") == 0);
    CHECK(times(again, "existing") == 4);
    auto elsewhere = slots_of(other_job, other_stage);
    elsewhere["preview"] = true;
    elsewhere["interviewDurationMinutes"] = 30;
    auto const overlapping = data(opening(admin, elsewhere));
    CHECK(times(overlapping, "skipped") == 8);
    CHECK(overlapping.at("stageMadeBookable").as_bool());
    CHECK(list(list_interview_stages, admin, "bookable=true").size() == 1);
    CHECK(outcome(opening(manager, elsewhere)) == "400 stageId unknown");
    CHECK(outcome(opening(interviewer, wanted)) == "403 insufficient_role");
    wanted["firstDay"] = day(-1);
    wanted["lastDay"] = day(2);
    wanted["from"] = "00:00";
    wanted["to"] = "23:00";
    CHECK(times(data(opening(admin, wanted)), "past") >= 22); // of a day
    CHECK(opened_in_rows() == lines{"4"});
}

TEST_CASE_METHOD(fixture, "slots are opened by the organization's wall clock, and again opens none", "[console]") {
    auto const made = open(recruiter, job, stage);
    REQUIRE(made.at("opened").as_array().size() == 4);
    CHECK(made.size() == 7);
    CHECK_FALSE(made.at("stageMadeBookable").as_bool());
    CHECK(made.at("interviewDurationMinutes") == 60);
    CHECK(made.at("jobPublished").as_bool());
    auto const slot = made.at("opened").as_array()[0];
    CHECK(slot.as_object().size() == 13);
    CHECK(text(slot, "state") == "open");
    CHECK(text(slot.as_object().at("interviewer"), "email") == email("ida"));
    CHECK(audited(to_string(stage)) == lines{"slot.opened member " + email("rea") + " recruiter"});
    CHECK(opened_in_rows() == lines{"4"});
    auto const hours = owner.run("SELECT count(*) FROM recruiting.interview_slots WHERE organization_id = $1 AND "
                                 "extract(hour FROM starts_at AT TIME ZONE 'Europe/Berlin') IN (9, 10)",
                                 pg::params{}.id(organization.id));
    CHECK(hours.integer(0, 0) == 4);
    auto const again = open(admin, job, stage);
    CHECK(again.at("opened").as_array().empty());
    CHECK(again.at("existing").as_array().size() == 4);
    CHECK(opened_in_rows() == lines{"4"});
}

TEST_CASE_METHOD(fixture, "a stage becomes bookable with its first slots, which overlap nothing of their interviewer's",
                 "[console]") {
    open(admin, job, stage);
    auto body = slots_of(other_job, other_stage);
    CHECK(outcome(opening(admin, body)) == "400 interviewDurationMinutes missing");
    body["interviewDurationMinutes"] = 30;
    body["to"] = "12:00";
    auto const made = data(opening(admin, body), 201);
    CHECK(made.at("opened").as_array().size() == 4);
    CHECK(made.at("skipped").as_array().size() == 8);
    CHECK(made.at("stageMadeBookable").as_bool());
    CHECK(made.at("interviewDurationMinutes") == 30);
    CHECK(audited(to_string(other_stage)) == lines{"slot.opened member " + email("admin") + " admin",
                                                   "stage.changed member " + email("admin") + " admin"});
    CHECK(owner.run("SELECT stages FROM recruiting.jobs WHERE id = $1", pg::params{}.id(other_job))
              .text(0, 0)
              .find(R"("interviewDurationMinutes" : 30)") != std::string_view::npos);
}

TEST_CASE_METHOD(fixture, "hiring managers open slots for their jobs, around those of jobs that they don't see",
                 "[console]") {
    auto for_other = slots_of(other_job, other_stage);
    for_other["interviewDurationMinutes"] = 60;
    for_other["to"] = "10:00";
    data(opening(recruiter, for_other), 201);
    CHECK(list(list_interview_slots, manager).empty());
    auto const made = open(manager, job, stage);
    CHECK(made.at("opened").as_array().size() == 2);
    CHECK(made.at("skipped").as_array().size() == 2);
    CHECK(outcome(opening(manager, slots_of(other_job, other_stage))) == "400 stageId unknown");
    CHECK(list(list_interview_slots, manager).size() == 2);
    CHECK(list(list_interview_slots, recruiter).size() == 4);
    CHECK(list(list_interview_slots, recruiter, "jobId=" + to_string(other_job)).size() == 2);
    CHECK(outcome(opening(interviewer, slots_of(job, stage))) == "403 insufficient_role");
    CHECK(outcome(opening(viewer, {})) == "403 insufficient_role");
}

TEST_CASE_METHOD(fixture, "what can't be meant is refused, field by field", "[console]") {
    auto const with = [&](char const* name, json::value const& value) {
        auto body = slots_of(job, stage);
        body[name] = value;
        return outcome(opening(admin, body));
    };
    CHECK(outcome(opening(admin, {})) == "400 jobId missing");
    CHECK(with("jobId", "x") == "400 jobId invalid");
    CHECK(with("jobId", json::string(to_string(other_job))) == "400 stageId unknown");
    CHECK(with("memberId", json::string(to_string(new_record_id()))) == "400 memberId unknown");
    CHECK(with("firstDay", "tomorrow") == "400 firstDay invalid");
    CHECK(with("firstDay", json::string(first + "T09:00")) == "400 firstDay invalid");
    CHECK(with("from", "9") == "400 from invalid");
    CHECK(with("to", "24:00") == "400 to invalid");
    CHECK(with("lastDay", "2020-01-01") == "400 lastDay no_slots");
    auto many = slots_of(job, stage);
    many["lastDay"] = day(366);
    many["interviewDurationMinutes"] = 30;
    CHECK(outcome(opening(admin, many)) == "400 lastDay too_many");
    CHECK(with("lastDay", json::string(day(368))) == "400 lastDay out_of_range");
    CHECK(with("lastDay", "2199-01-01") == "400 lastDay out_of_range");
    CHECK(with("weekdays", json::array{"monday"}) == "400 weekdays not_allowed");
    CHECK(with("weekdays", json::array{}) == "400 weekdays empty");
    CHECK(with("interviewDurationMinutes", 4) == "400 interviewDurationMinutes out_of_range");
    CHECK(with("interviewDurationMinutes", 7.5) == "400 interviewDurationMinutes out_of_range");
    CHECK(with("interviewDurationMinutes", "60") == "400 interviewDurationMinutes wrong_type");
    CHECK(with("timeZone", "Mars/Olympus").starts_with("400 timeZone"));
    CHECK(with("joinUrl", "http://meet.example").starts_with("400 joinUrl"));
    CHECK(with("unknown", 1) == "400 unknown unknown");
    owner.run("UPDATE recruiting.memberships SET status = 'removed', removed_at = now() WHERE id = $1",
              pg::params{}.id(member("ida")));
    CHECK(outcome(opening(admin, slots_of(job, stage))) == "400 memberId unknown");
    console_changes other;
    CHECK(outcome({open_interview_slots, other.admin, {}, json::serialize(slots_of(job, stage))}) ==
          "400 stageId unknown");
    CHECK(list(list_interview_slots, admin).empty());
}

TEST_CASE_METHOD(fixture, "an interviewer, a stage and an organization have a bound of open slots", "[console]") {
    auto const body = slots_of(job, stage); // four slots
    fill(interviews::most_open_of_interviewer - 3, other_stage, "ida");
    CHECK(outcome(opening(recruiter, body)) == "400 memberId too_many_slots");
    CHECK(outcome(opening(manager, body)) == "400 memberId too_many_slots"); // by slots that they don't see
    owner.run("UPDATE recruiting.interview_slots SET closed_at = now() WHERE id IN (SELECT id FROM "
              "recruiting.interview_slots WHERE organization_id = $1 LIMIT 1)",
              pg::params{}.id(organization.id));
    CHECK(outcome(opening(recruiter, body)) == "201");

    fill(interviews::most_open_of_stage - 7, stage, "ida");
    static_cast<void>(join("ivo", role::interviewer));
    CHECK(outcome(opening(manager, slots_of(job, stage, "ivo"))) == "400 stageId too_many_slots");
    auto elsewhere = slots_of(other_job, other_stage, "ivo");
    elsewhere["interviewDurationMinutes"] = 60;
    CHECK(outcome(opening(recruiter, elsewhere)) == "201");

    fill(interviews::most_open_of_organization - open_slots() - 3, make_stage(make_job("Third"), false), "ida");
    elsewhere["from"] = "13:00";
    elsewhere["to"] = "15:00";
    CHECK(outcome(opening(recruiter, elsewhere)) == "400 lastDay too_many_slots");
    CHECK(open_slots() == interviews::most_open_of_organization - 3);
    CHECK(opened_in_rows() == lines{"4", "4"});
}

TEST_CASE_METHOD(fixture, "many who open slots at once, and close them, open no more than an hour's", "[console]") {
    while (seconds_left_of_hour() < 60) std::this_thread::sleep_for(std::chrono::milliseconds{100});
    fill(interviews::most_opened_per_hour - 100, other_stage, "ida", true, "0 seconds");
    std::vector<std::string> names;
    std::vector<console_call> calls;
    for (int i = 0; i < 8; ++i) {
        names.push_back("interviewer" + std::to_string(i));
        static_cast<void>(join(names.back(), role::interviewer));
        auto body = slots_of(job, stage, names.back());
        body["from"] = "08:00";
        body["to"] = "16:00"; // sixteen slots on two days
        calls.push_back(opening(i % 2 == 0 ? recruiter : manager, body));
    }
    std::vector<change_outcome> made(calls.size());
    {
        std::vector<std::jthread> members;
        for (std::size_t i = 0; i < calls.size(); ++i) members.emplace_back([&, i] { made[i] = call(calls[i]); });
    }
    std::size_t refused_calls = 0;
    for (auto const& one : made) {
        if (!one.error) continue;
        ++refused_calls;
        CHECK(one.error->code == error_code::rate_limited);
        CHECK(one.error->details.at(0).reason == "slots");
        CHECK((one.error->retry_after_seconds >= 1 && one.error->retry_after_seconds <= 3600));
    }
    CHECK(refused_calls == 2);
    CHECK(open_slots() == 96);
    CHECK(opened_in_rows() == lines(6, "16"));
    owner.run("UPDATE recruiting.interview_slots SET closed_at = now() WHERE organization_id = $1",
              pg::params{}.id(organization.id));
    CHECK(outcome(calls.front()) == "429 rate_limited");
    owner.run("UPDATE recruiting.interview_slots SET created_at = created_at - interval '1 hour' WHERE organization_id "
              "= $1",
              pg::params{}.id(organization.id));
    CHECK(outcome(calls.front()) == "201");
}

TEST_CASE_METHOD(fixture, "a slot is closed by who sees it, once, an interview in it stays", "[console]") {
    auto const opened = open(admin, job, stage).at("opened").as_array();
    auto const id = [&](std::size_t at) { return text(opened[at], "id"); };
    book(id(0));
    auto const closed = data({close_interview_slot, interviewer, id(0)});
    CHECK(text(closed, "state") == "closed");
    CHECK(closed.at("booked").as_bool());
    CHECK(closed.at("closedAt").is_string());
    CHECK(data({close_interview_slot, admin, id(0)}).at("closedAt") == closed.at("closedAt"));
    CHECK(audited(id(0)) == lines{"slot.closed member " + email("ida") + " interviewer"});
    CHECK_FALSE(data({close_interview_slot, manager, id(1)}).at("booked").as_bool());
    CHECK(outcome({close_interview_slot, viewer, id(2)}) == "403 insufficient_role");
    CHECK(outcome({close_interview_slot, join("ivo", role::interviewer), id(2)}) == "404 not_found");
    CHECK(outcome({close_interview_slot, join("mia", role::hiring_manager), id(2)}) == "404 not_found");
    CHECK(outcome({close_interview_slot, console_changes().admin, id(2)}) == "404 not_found");
    CHECK(outcome({close_interview_slot, admin, "x"}) == "404 not_found");
    CHECK(list(list_interview_slots, admin).size() == 2);
    CHECK(list(list_interview_slots, admin, "includeClosed=true").size() == 4);
}

TEST_CASE_METHOD(fixture, "slots, stages and bookings show to each role what it reaches", "[console]") {
    auto const opened = open(admin, job, stage).at("opened").as_array();
    auto const candidate = book(text(opened[0], "id"));
    auto for_other = slots_of(other_job, other_stage, "max");
    for_other["interviewDurationMinutes"] = 60;
    auto const of_other = data(opening(admin, for_other), 201).at("opened").as_array();
    book(text(of_other[3], "id"));

    lines const states{"\"open\"", "\"open\"", "\"open\"", "\"taken\""};
    CHECK(column(list(list_interview_slots, interviewer), "state") == states);
    CHECK(list(list_interview_slots, manager).size() == 8); // the job's, and those where they interview
    CHECK(list(list_interview_slots, admin, "memberId=" + to_string(member("max"))).size() == 4);
    CHECK(column(list(list_interview_slots, viewer), "state") == refused);

    CHECK(counts(admin) == "Designer 4 3 1; Engineer 4 3 1; ");
    CHECK(counts(manager) == "Engineer 4 3 1; ");
    CHECK(counts(interviewer) == "Engineer 4 3 1; ");
    CHECK(counts(viewer) == "insufficient_role");
    CHECK(list(list_interview_stages, admin, "bookable=false").empty());

    auto const seen = list(list_interview_bookings, interviewer);
    REQUIRE(seen.size() == 1);
    CHECK(seen[0].as_object().at("candidate").is_null());
    CHECK(seen[0].as_object().at("applicationId").is_null());
    CHECK(seen[0].as_object().at("declinedBy").is_null());
    CHECK(seen[0].as_object().size() == 18);
    auto const of_manager = list(list_interview_bookings, manager, "jobId=" + to_string(job));
    REQUIRE(of_manager.size() == 1);
    CHECK(text(of_manager[0].as_object().at("candidate"), "id") == candidate);
    auto const held = list(list_interview_bookings, manager, "jobId=" + to_string(other_job));
    REQUIRE(held.size() == 1); // they interview there, and are not on the team
    CHECK(held[0].as_object().at("candidate").is_null());
    CHECK(list(list_interview_bookings, admin).size() == 2);
    CHECK(list(list_interview_bookings, admin, "status=canceled,unplaced").empty());
    CHECK(list(list_interview_bookings, admin, "to=" + first + "T00:00:00Z").empty());
    CHECK(column(list(list_interview_bookings, viewer), "id") == refused);
    CHECK(list(list_interview_bookings, console_changes().admin).empty());
}

TEST_CASE_METHOD(fixture, "a time at which the interviewer has an interview elsewhere is taken for everybody",
                 "[console]") {
    auto const opened = open(admin, job, stage).at("opened").as_array();
    auto const elsewhere = new_record_id();
    owner.run(
        "INSERT INTO recruiting.interview_slots (id, organization_id, job_id, stage_id, membership_id, starts_at, "
        "ends_at) SELECT $1, organization_id, $2, $3, membership_id, starts_at + interval '30 minutes', ends_at FROM "
        "recruiting.interview_slots WHERE id = $4",
        pg::params{}.id(elsewhere).id(other_job).id(other_stage).id(parse_id(text(opened[0], "id")).value()));
    book(to_string(elsewhere));
    for (auto const& session : {admin, manager, interviewer}) {
        auto const found = list(list_interview_slots, session, "jobId=" + to_string(job));
        REQUIRE(found.size() == 4);
        CHECK(text(found[0], "state") == "taken");
        CHECK_FALSE(found[0].as_object().at("booked").as_bool());
        CHECK(text(found[1], "state") == "open");
    }
    CHECK(counts(manager) == "Engineer 4 3 0; ");
}

TEST_CASE_METHOD(fixture, "a stage's booking is changed within reach, and recorded where it changes", "[console]") {
    auto const change = [&](digest const& session, uuid const& id, std::string const& body) {
        return outcome({change_interview_stage, session, to_string(id), body});
    };
    CHECK(change(recruiter, other_stage, R"({"bookable":true})") == "400 interviewDurationMinutes missing");
    auto const now = data({change_interview_stage, manager, to_string(stage), R"({"interviewDurationMinutes":45})"});
    CHECK(now.at("interviewDurationMinutes") == 45);
    CHECK(now.at("bookable").as_bool());
    CHECK(now.size() == 13);
    CHECK(change(manager, stage, R"({"interviewDurationMinutes":45})") == "200");
    CHECK(audited(to_string(stage)) == lines{"stage.changed member " + email("max") + " hiring_manager"});
    CHECK(change(manager, other_stage, R"({"bookable":false})") == "404 not_found");
    CHECK(change(interviewer, stage, R"({"bookable":false})") == "403 insufficient_role");
    CHECK(change(viewer, stage, R"({"bookable":false})") == "403 insufficient_role");
    CHECK(change(admin, stage, "{}") == "400 bookable missing");
    CHECK(change(admin, stage, R"({"bookable":1})") == "400 bookable wrong_type");
    CHECK(change(admin, new_record_id(), R"({"bookable":true})") == "404 not_found");
    CHECK(change(console_changes().admin, stage, R"({"bookable":true})") == "404 not_found");
    CHECK_FALSE(
        data({change_interview_stage, admin, to_string(stage), R"({"bookable":false})"}).at("bookable").as_bool());
}

TEST_CASE_METHOD(fixture, "requests that matched nobody show to who reaches the job's candidates", "[console]") {
    auto const add = [&](uuid const& of_job, uuid const& of_stage, std::string const& address) {
        owner.run("INSERT INTO recruiting.unmatched_booking_requests (id, organization_id, job_id, stage_id, email, "
                  "email_key, starts_at, first_received_at, last_received_at) "
                  "VALUES (gen_random_uuid(), $1, $2, $3, $4, $5, now(), now(), now())",
                  pg::params{}
                      .id(organization.id)
                      .id(of_job)
                      .id(of_stage)
                      .text(address)
                      .text(mail::canonical_address(address).value()));
    };
    add(job, stage, "Jo@mail.exmaple");
    add(other_job, other_stage, "kim@mail.example");
    add(job, new_record_id(), "gone@mail.example"); // its stage was deleted
    owner.run("INSERT INTO recruiting.candidates (id, organization_id, name, email, email_key) VALUES "
              "(gen_random_uuid(), $1, "
              "'Kim', 'Kim@mail.example', 'kim@mail.example')",
              pg::params{}.id(organization.id));
    auto const all = list(list_unmatched_requests, recruiter);
    CHECK(column(all, "email") == lines{"\"Jo@mail.exmaple\"", "\"kim@mail.example\""});
    CHECK(all[0].as_object().size() == 12);
    for (auto const& one : all)
        CHECK(one.as_object().at("candidate").is_object() == (text(one, "email") == "kim@mail.example"));
    CHECK(column(list(list_unmatched_requests, manager), "email") == lines{"\"Jo@mail.exmaple\""});
    CHECK(column(list(list_unmatched_requests, interviewer), "email") == refused);
    CHECK(column(list(list_unmatched_requests, viewer), "email") == refused);
    CHECK(list(list_unmatched_requests, console_changes().admin).empty());
    CHECK(list(list_unmatched_requests, admin, "stageId=" + to_string(other_stage)).size() == 1);
}

} // namespace console_interviews_test
