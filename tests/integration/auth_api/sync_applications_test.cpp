// Sync of applications (proto-docs/lists.md): every change of an application brings its candidate back,
// and a hiring manager's sync follows their teams.
#include "http/query.hpp"
#include "integration/auth_api/sync_copies.hpp"
#include "integration/auth_api/sync_recruiting.hpp"
#include "integration/support/http_server_harness.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <atomic>
#include <thread>

namespace sync_applications_test {
using namespace recruiting;
using namespace recruiting::test;
namespace json = boost::json;

namespace {

using texts = std::vector<std::string>;

struct fixture : sync_recruiting {
    fixture() : sync_recruiting(3, 4) {
        add_member("manager", role::hiring_manager);
        add_member("interviewer", role::interviewer);
    }
    sync_copy copy(std::string const& secret, std::string const& path) const { return {service, secret, path, 2}; }
    sync_copy of_admin(std::string const& path = "/candidates?include=applications") {
        return copy(key("admin"), path);
    }
    sync_copy of_manager(std::string const& path = "/candidates?include=applications") {
        return copy(key("manager"), path);
    }
    std::string job_list(int job) {
        return "/jobs/" + id("jobs", "J" + std::to_string(job)) + "/candidates?include=applications";
    }
    auth_api_harness service{database.auth_url()};
};

texts ids_of(std::vector<json::object> const& seen) {
    texts out;
    for (auto const& record : seen) out.emplace_back(record.at("id").as_string());
    return out;
}

void check_same(sync_copy const& copy) {
    records list;
    REQUIRE(copy.walk(list));
    CHECK(copy.held() == list);
}

} // namespace

TEST_CASE("every change of an application brings its candidate back in the sync", "[auth_api][sync][applications]") {
    fixture f;
    f.apply(0, 0);
    f.apply(1, 0);
    f.run(f.book_sql(1, 0, "interviewer", 3'600'000, 7'200'000));
    std::string const booking = "UPDATE recruiting.bookings SET ";
    std::string const of_application = "UPDATE recruiting.applications SET ";
    std::vector<std::pair<std::string, std::string>> const changes = {
        {"a move", of_application + "stage_id = (SELECT id FROM recruiting.stages s WHERE s.job_id = "
                                    "applications.job_id AND s.position = 1), stage_entered_at = now()"},
        {"a rejection", of_application + "status = 'rejected', rejected_at = now(), rejection_reason = 'none'"},
        {"a hire", of_application + "status = 'hired', hired_at = now()"},
        {"a withdrawal", of_application + "status = 'withdrawn'"},
        {"the source", of_application + "source = 'agency'"},
        {"a date", of_application + "applied_at = '2026-01-01T00:00:00Z'"},
        {"the stage's name", "UPDATE recruiting.stages SET name = name || ' renamed'"},
        {"the deletion of the job", "UPDATE recruiting.jobs SET deleted_at = now() WHERE external_id = 'J0'"},
        {"the return of the job", "UPDATE recruiting.jobs SET deleted_at = NULL WHERE external_id = 'J0'"},
        {"a deletion", of_application + "deleted_at = now()"},
        {"a restoration", of_application + "deleted_at = NULL"},
    };
    auto everyone = f.of_admin();
    auto of_job = f.of_admin(f.job_list(0));
    everyone.catch_up(f.database.owner());
    of_job.catch_up(f.database.owner());
    auto const both = [&] {
        texts out{f.id("candidates", "C0"), f.id("candidates", "C1")};
        std::sort(out.begin(), out.end());
        return out;
    }();
    for (auto const& [what, sql] : changes) {
        INFO(what);
        f.run(sql);
        auto seen = ids_of(everyone.catch_up(f.database.owner()));
        std::sort(seen.begin(), seen.end());
        CHECK(seen == both);
        check_same(everyone);
        if (what == "the deletion of the job") continue; // its list is 404 now
        seen = ids_of(of_job.catch_up(f.database.owner()));
        std::sort(seen.begin(), seen.end());
        CHECK(seen == both);
        check_same(of_job);
        CHECK(everyone.catch_up(f.database.owner()).empty());
    }
    for (auto const* set : {"status = 'canceled'", "status = 'unplaced', wanted_starts_at = now()"}) {
        INFO(set);
        f.run(f.book_sql(1, 0, "interviewer", 10'800'000, 14'400'000));
        CHECK(ids_of(everyone.catch_up(f.database.owner())) == texts{f.id("candidates", "C1")});
        check_same(everyone);
        f.run(booking + set + " WHERE starts_at > now() + interval '2 hours'");
        CHECK(ids_of(everyone.catch_up(f.database.owner())) == texts{f.id("candidates", "C1")});
        check_same(everyone);
        f.run("UPDATE recruiting.interview_slots SET closed_at = now()");
    }
}

TEST_CASE("an interviewer's new name brings the candidates they interview back", "[auth_api][sync][applications]") {
    fixture f;
    f.apply(0, 0);
    f.apply(1, 0);
    f.run(f.book_sql(0, 0, "interviewer", 3'600'000, 7'200'000));
    auto copy = f.of_admin();
    copy.catch_up(f.database.owner());
    auto const rename = [&](std::string const& sql, std::string const& name) {
        f.run(sql);
        CHECK(ids_of(copy.catch_up(f.database.owner())) == texts{f.id("candidates", "C0")});
        CHECK(copy.held().at(f.id("candidates", "C0")).find(name) != std::string::npos);
        check_same(copy);
    };
    rename("UPDATE recruiting.memberships SET invited_name = 'Renamed' WHERE role = 'interviewer'", "Renamed");
    rename("UPDATE recruiting.memberships SET invited_name = NULL WHERE role = 'interviewer'",
           std::string(name_given_elsewhere));
    rename("UPDATE recruiting.users SET name = 'Once more' WHERE email_key = '" + f.email("interviewer") + "'",
           "Once more");
}

TEST_CASE("an interview that has ended brings its candidate back, though no row changed",
          "[auth_api][sync][applications]") {
    fixture f;
    f.apply(0, 0);
    f.join("manager", 0);
    f.run(f.book_sql(0, 0, "interviewer", 50, 600));
    std::vector<sync_copy> copies = {f.of_admin(), f.of_manager(), f.of_admin(f.job_list(0)),
                                     f.of_manager(f.job_list(0))};
    auto const candidate = f.id("candidates", "C0");
    for (auto& copy : copies) {
        copy.catch_up(f.database.owner());
        REQUIRE(copy.held().at(candidate).find("bookingId") != std::string::npos);
    }
    REQUIRE(eventually([&] {
        return f.database.owner().run("SELECT FROM recruiting.bookings WHERE ends_at > clock_timestamp()").empty();
    }));
    for (auto& copy : copies) {
        CHECK(ids_of(copy.catch_up(f.database.owner())) == texts{candidate});
        check_same(copy);
        CHECK(copy.catch_up(f.database.owner()).empty());
    }
}

TEST_CASE("a booking changed by its worker brings the candidate back", "[auth_api][sync][applications]") {
    fixture f; // a role that may not change candidates itself
    f.apply(0, 0);
    f.run(f.book_sql(0, 0, "interviewer", 3'600'000, 7'200'000));
    auto copy = f.of_admin();
    copy.catch_up(f.database.owner());
    pg::client worker(f.database.auth_url(), "tests");
    worker.script("SET recruiting.worker = 'booking'");
    REQUIRE(worker.run("UPDATE recruiting.bookings SET status = 'canceled'").affected() == 1);
    CHECK(ids_of(copy.catch_up(f.database.owner())) == texts{f.id("candidates", "C0")});
    check_same(copy);
}

TEST_CASE("a hiring manager's sync brings what enters and tells what leaves their reach",
          "[auth_api][sync][applications]") {
    fixture f;
    for (int candidate = 0; candidate < 3; ++candidate) f.apply(candidate, 0);
    f.apply(2, 1);
    auto copy = f.of_manager();
    CHECK(copy.catch_up(f.database.owner()).empty());
    f.join("manager", 0);
    CHECK(copy.catch_up(f.database.owner()).size() == 3);
    check_same(copy);
    f.join("manager", 1); // one of them there as well, with one application more to see
    CHECK(ids_of(copy.catch_up(f.database.owner())) == texts{f.id("candidates", "C2")});
    check_same(copy);
    f.leave("manager", 0);
    CHECK(copy.catch_up(f.database.owner()).size() == 3);
    CHECK(copy.held().size() == 1);
    check_same(copy);
    f.change(2, 1, "deleted_at = now()");
    auto const left = copy.catch_up(f.database.owner());
    REQUIRE(left.size() == 1);
    CHECK(ids_of(left) == texts{f.id("candidates", "C2")});
    CHECK(copy.held().empty());
    CHECK(copy.catch_up(f.database.owner()).empty());
}

TEST_CASE("a job's sync follows the applications on its hiring manager's other jobs",
          "[auth_api][sync][applications]") {
    fixture f;
    for (int candidate = 0; candidate < 2; ++candidate) f.apply(candidate, 0);
    for (int candidate = 1; candidate < 3; ++candidate) f.apply(candidate, 1);
    f.join("manager", 0);
    auto copy = f.of_manager(f.job_list(0));
    copy.catch_up(f.database.owner());
    auto const on_both_jobs = texts{f.id("candidates", "C1")}; // C2 is on the other job alone
    f.join("manager", 1);
    CHECK(ids_of(copy.catch_up(f.database.owner())) == on_both_jobs);
    check_same(copy);
    f.leave("manager", 1);
    CHECK(ids_of(copy.catch_up(f.database.owner())) == on_both_jobs);
    check_same(copy);
    f.change(1, 0, "source = 'fair'");
    f.join("manager", 1); // the record comes once
    CHECK(ids_of(copy.catch_up(f.database.owner())) == on_both_jobs);
    f.leave("manager", 1);
    f.change(1, 0, "deleted_at = now()");
    CHECK(ids_of(copy.catch_up(f.database.owner())) == on_both_jobs); // has left
    CHECK(copy.held().size() == 1);
    check_same(copy);
}

TEST_CASE("of a candidate out of reach nothing but the id is told, and when it left",
          "[auth_api][sync][applications]") {
    fixture f;
    f.apply(0, 0);
    f.join("manager", 0);
    auto everyone = f.of_manager();
    auto of_job = f.of_manager(f.job_list(0));
    everyone.catch_up(f.database.owner());
    of_job.catch_up(f.database.owner());
    f.run("UPDATE recruiting.candidates SET name = 'Secret', email = 'secret@mail.example', email_key = "
          "'secret@mail.example'");
    f.change(0, 0, "deleted_at = now()");
    for (auto* copy : {&everyone, &of_job}) {
        auto const seen = copy->catch_up(f.database.owner());
        REQUIRE(seen.size() == 1);
        CHECK(seen[0].size() == 2);
        CHECK(ids_of(seen) == texts{f.id("candidates", "C0")});
        CHECK(parse_time(seen[0].at("deletedAt").as_string()).has_value());
    }
}

TEST_CASE("a candidate that was never in reach is never told of", "[auth_api][sync][applications]") {
    fixture f;
    auto everyone = f.of_manager();
    everyone.catch_up(f.database.owner());
    f.apply(0, 0); // applied and went before the manager joined
    f.change(0, 0, "deleted_at = now()");
    f.apply(1, 0);
    f.join("manager", 0);
    auto of_job = f.of_manager(f.job_list(0));
    of_job.catch_up(f.database.owner());
    CHECK(ids_of(everyone.catch_up(f.database.owner())) == texts{f.id("candidates", "C1")});
    f.leave("manager", 0);
    f.apply(2, 0); // applied and went after the manager left
    f.change(2, 0, "deleted_at = now()");
    f.apply(3, 1); // on nobody's job
    f.change(3, 1, "deleted_at = now()");
    CHECK(ids_of(everyone.catch_up(f.database.owner())) == texts{f.id("candidates", "C1")});
    f.join("manager", 0);
    CHECK(ids_of(everyone.catch_up(f.database.owner())) == texts{f.id("candidates", "C1")});
    CHECK(ids_of(of_job.catch_up(f.database.owner())) == texts{f.id("candidates", "C1")});
}

TEST_CASE("a candidate deleted before a copy began, or before a manager joined, is never sent by a sync",
          "[auth_api][sync][applications]") {
    fixture f;
    f.apply(0, 0);
    f.apply(1, 0);
    auto managers = f.of_manager();
    managers.catch_up(f.database.owner());
    f.run("UPDATE recruiting.candidates SET name = 'Secret', deleted_at = now() WHERE external_id = 'C0'");
    f.join("manager", 0);
    for (auto const& record : managers.catch_up(f.database.owner()))
        CHECK((record.at("id").as_string() == f.id("candidates", "C1") || record.size() == 2)); // the id, and when

    std::vector<sync_copy> copies = {f.of_admin(), f.of_manager(), f.of_admin(f.job_list(0)),
                                     f.of_manager(f.job_list(0)), f.of_admin(f.job_list(1))};
    for (auto& copy : copies) copy.catch_up(f.database.owner());
    auto const deleted = f.id("candidates", "C0");
    std::vector<std::pair<std::string, std::string>> const changes = {
        {"an application's change", f.change_sql(0, 0, "source = 'agency'")},
        {"an application's deletion and return",
         f.change_sql(0, 0, "deleted_at = now()") + "; " + f.change_sql(0, 0, "deleted_at = NULL")},
        {"an application for another job", f.apply_sql(0, 1)},
        {"the stage's name", "UPDATE recruiting.stages SET name = name || ' renamed'"},
        {"the job's deletion", "UPDATE recruiting.jobs SET deleted_at = now() WHERE external_id = 'J0'"},
        {"the job's return", "UPDATE recruiting.jobs SET deleted_at = NULL WHERE external_id = 'J0'"},
        {"the manager's leaving", f.leave_sql("manager", 0)},
        {"the manager's return", f.join_sql("manager", 0)},
    };
    for (auto const& [what, sql] : changes) {
        f.run(sql);
        for (auto& copy : copies) {
            INFO(what << ": " << copy.path());
            auto const seen = ids_of(copy.catch_up(f.database.owner()));
            CHECK(std::find(seen.begin(), seen.end(), deleted) == seen.end());
        }
    }
    f.run("UPDATE recruiting.candidates SET deleted_at = NULL");
    for (auto& copy : copies) { // what happened meanwhile comes with the candidate
        INFO(copy.path());
        copy.catch_up(f.database.owner());
        CHECK(copy.held().count(deleted) == 1);
        check_same(copy);
    }
}

TEST_CASE("a change that meets the restoration of its candidate waits for it, and is not missed",
          "[auth_api][sync][applications]") {
    fixture f;
    f.apply(0, 0);
    f.run("UPDATE recruiting.candidates SET deleted_at = now() WHERE external_id = 'C0'");
    bool const joins = GENERATE(true, false);
    if (!joins) f.join("manager", 0);
    auto everyone = f.of_admin();
    auto managers = f.of_manager();
    auto of_job = f.of_admin(f.job_list(0));
    everyone.catch_up(f.database.owner());
    managers.catch_up(f.database.owner());
    of_job.catch_up(f.database.owner());
    pg::client other(f.database.owner_url(), "tests");
    pg::transaction pending(other);
    other.script("UPDATE recruiting.candidates SET deleted_at = NULL WHERE external_id = 'C0'");
    std::thread change([&] {
        pg::client owner(f.database.owner_url(), "tests");
        owner.script(joins ? f.join_sql("manager", 0) : "UPDATE recruiting.stages SET name = name || ' renamed'");
    });
    bool const waits = eventually([&] {
        return !f.database.owner()
                    .run("SELECT FROM pg_stat_activity WHERE datname = current_database() AND "
                         "wait_event_type = 'Lock'")
                    .empty();
    });
    pending.commit();
    change.join();
    CHECK(waits);
    for (auto* copy : {&everyone, &managers, &of_job}) {
        INFO(copy->path());
        copy->catch_up(f.database.owner());
        CHECK(copy->held().count(f.id("candidates", "C0")) == 1);
        check_same(*copy);
    }
}

TEST_CASE("who joins or leaves a team waits for those who change its job's candidates",
          "[auth_api][sync][applications]") {
    fixture f;
    f.apply(0, 0);
    bool const joins = GENERATE(true, false);
    if (!joins) f.join("manager", 0);
    auto copy = f.of_manager();
    copy.catch_up(f.database.owner());
    pg::client other(f.database.owner_url(), "tests");
    pg::transaction pending(other);
    other.script(joins ? f.change_sql(0, 0, "deleted_at = now()") : f.apply_sql(1, 0));
    std::atomic<bool> done{false};
    std::thread team([&] {
        pg::client owner(f.database.owner_url(), "tests");
        owner.script(joins ? f.join_sql("manager", 0) : f.leave_sql("manager", 0));
        done = true;
    });
    bool const waits =
        eventually([&] {
            return done || !f.database.owner()
                                .run("SELECT FROM pg_stat_activity WHERE datname = current_database() AND "
                                     "wait_event_type = 'Lock'")
                                .empty();
        }) &&
        !done;
    pending.commit();
    team.join();
    CHECK(waits);
    auto seen = ids_of(copy.catch_up(f.database.owner()));
    std::sort(seen.begin(), seen.end());
    texts wanted; // one that was deleted before the manager joined is not told of
    if (!joins) wanted = {f.id("candidates", "C0"), f.id("candidates", "C1")};
    std::sort(wanted.begin(), wanted.end());
    CHECK(seen == wanted);
    CHECK(copy.held().empty());
}

TEST_CASE("a syncToken goes with who it was made for and what it included", "[auth_api][sync][applications][400]") {
    fixture f;
    f.apply(0, 0);
    f.join("manager", 0);
    f.add_member("recruiter", role::recruiter);
    f.add_member("other", role::hiring_manager);
    auto const path = "/candidates?include=applications&syncToken=";
    auto made = f.of_admin();
    made.catch_up(f.database.owner());
    auto managers = f.of_manager();
    managers.catch_up(f.database.owner());
    auto const reason = [&](std::string const& target, std::string const& secret) {
        auto const answer = f.service.get(target, secret);
        if (answer.status == 200) return std::string("200");
        return std::string(json::parse(answer.body).at("error").at("details").at(0).at("reason").as_string());
    };
    auto const admin = f.key("admin");
    auto const manager = f.key("manager");
    CHECK(reason(path + made.token(), admin) == "200");
    CHECK(reason(path + made.token(), f.key("recruiter")) == "200"); // sees the same
    CHECK(reason(path + made.token(), manager) == "sync_token_expired");
    CHECK(reason(path + managers.token(), admin) == "sync_token_expired");
    CHECK(reason(path + managers.token(), f.key("other")) == "sync_token_expired");
    CHECK(reason(path + made.token(), f.key("admin", {"candidates:read"})) ==
          "sync_token_expired"); // sees no members' names
    CHECK(reason("/candidates?syncToken=" + made.token(), admin) == "sync_token_expired");
    CHECK(reason("/jobs?syncToken=" + made.token(), admin) == "bad_token");
    auto of_job = f.of_admin(f.job_list(0));
    of_job.catch_up(f.database.owner());
    CHECK(reason(f.job_list(1) + "&syncToken=" + of_job.token(), admin) == "bad_token");

    CHECK(reason(path + managers.token(), manager) == "200");
    f.run("UPDATE recruiting.memberships SET role = 'recruiter' WHERE role = 'hiring_manager'");
    CHECK(reason(path + managers.token(), manager) == "sync_token_expired");
    f.run("UPDATE recruiting.memberships SET role = 'hiring_manager' WHERE role = 'recruiter'");
    CHECK(reason(path + managers.token(), manager) == "200");

    auto const foreign = new_slug();
    make_organization(f.database.owner(), foreign);
    auto const stranger = make_key(f.database.owner(), foreign, "admin@" + foreign + ".example", {"*"}).secret;
    CHECK(reason(path + made.token(), stranger) == "sync_token_expired");
}

TEST_CASE("candidateCount brings its job back, a move is none", "[auth_api][sync][applications]") {
    fixture f;
    auto copy = f.of_admin("/jobs");
    copy.catch_up(f.database.owner());
    f.apply(0, 0);
    CHECK(ids_of(copy.catch_up(f.database.owner())) == texts{f.id("jobs", "J0")});
    check_same(copy);
    f.change(0, 0, "status = 'rejected'");
    f.change(0, 0, "stage_id = (SELECT id FROM recruiting.stages s WHERE s.job_id = a.job_id AND s.position = 1)");
    CHECK(copy.catch_up(f.database.owner()).empty());
    f.change(0, 0, "deleted_at = now()");
    f.run("UPDATE recruiting.jobs SET title = 'New' WHERE external_id = 'J0'"); // both: once
    CHECK(ids_of(copy.catch_up(f.database.owner())) == texts{f.id("jobs", "J0")});
    check_same(copy);
    f.apply(1, 1);
    static_cast<void>(copy.catch_up(f.database.owner()));
    for (auto const* deleted : {"now()", "NULL"}) {
        f.run("UPDATE recruiting.candidates SET deleted_at = " + std::string(deleted) + " WHERE external_id = 'C1'");
        CHECK(ids_of(copy.catch_up(f.database.owner())) == texts{f.id("jobs", "J1")});
        check_same(copy);
    }
}

TEST_CASE("what brings a job back moves its updatedAt, except its candidateCount", "[auth_api][sync][applications]") {
    fixture f;
    auto const admin = f.key("admin");
    auto const job = f.id("jobs", "J0");
    auto copy = f.of_admin("/jobs");
    copy.catch_up(f.database.owner());
    auto const updated_at = [&] {
        auto const answer = f.service.get("/jobs/" + job, admin);
        return std::string(json::parse(answer.body).at("data").at("updatedAt").as_string());
    };
    auto before = updated_at();
    for (auto const& sql :
         {std::string("UPDATE recruiting.jobs SET published = true, status = 'open' WHERE external_id = 'J0'"),
          "UPDATE recruiting.stages SET name = 'New' WHERE name = 'S0' AND job_id = '" + job + "'",
          "DELETE FROM recruiting.stages WHERE name = 'S1' AND job_id = '" + job + "'", f.join_sql("manager", 0),
          f.leave_sql("manager", 0),
          std::string("UPDATE recruiting.organizations SET careers_page_url = 'https://jobs.example/'")}) {
        INFO(sql);
        f.run(sql);
        CHECK(ids_of(copy.catch_up(f.database.owner())) == texts{job});
        CHECK(updated_at() > before);
        before = updated_at();
    }
    f.apply(0, 0);
    CHECK(ids_of(copy.catch_up(f.database.owner())) == texts{job});
    CHECK(updated_at() == before);
}

TEST_CASE("include=applications shows what GET /candidates/{id} shows", "[auth_api][applications]") {
    fixture f;
    for (int job = 0; job < 3; ++job) f.apply(0, job);
    f.apply(1, 1);
    f.run(f.book_sql(0, 1, "interviewer", 3'600'000, 7'200'000));
    f.join("manager", 0);
    f.join("manager", 1);
    for (auto const& secret : {f.key("admin"), f.key("manager"), f.key("manager", {"candidates:read"})}) {
        records list;
        REQUIRE(f.copy(secret, "/candidates?include=applications").walk(list));
        for (auto const& [id, record] : list) {
            auto const one = f.service.get("/candidates/" + id, secret);
            CHECK(json::parse(record) == json::parse(one.body).at("data"));
        }
        REQUIRE(f.copy(secret, f.job_list(1)).walk(list));
        REQUIRE(list.size() == 2);
        for (auto const& [id, record] : list) {
            auto const one = json::parse(f.service.get("/candidates/" + id, secret).body).at("data");
            CHECK(json::parse(record).at("applications") == one.at("applications"));
            CHECK(json::parse(record).at("application").at("jobId").as_string() == f.id("jobs", "J1"));
        }
    }
    CHECK(f.service.get("/candidates?include=stages", f.key("admin")).status == 400);
}

} // namespace sync_applications_test
