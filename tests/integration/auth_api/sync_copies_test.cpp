// A copy that follows only syncs equals the list at any time: random changes and team changes, transactions that commit
// late, several clients, every role. RECRUITING_TEST_SEED repeats a run that failed.
#include "integration/auth_api/sync_copies.hpp"
#include "integration/auth_api/sync_recruiting.hpp"
#include "integration/support/http_server_harness.hpp"
#include "support/catch.hpp"

#include <cstdlib>
#include <optional>
#include <random>

namespace sync_copies_test {
using namespace recruiting;
using namespace recruiting::test;

namespace {

constexpr int jobs = 3;
constexpr int candidates = 8;

class dice {
public:
    explicit dice(unsigned seed) : random_(seed) {}
    int below(int end) { return static_cast<int>(random_() % static_cast<unsigned>(end)); } // the same everywhere
    template <class T>
    T const& of(std::vector<T> const& these) {
        return these[static_cast<std::size_t>(below(static_cast<int>(these.size())))];
    }

private:
    std::mt19937 random_;
};

// A connection whose transaction may stay open while others commit. What it can't do now (a lock another one holds, a
// second application) takes its transaction back.
class writer {
public:
    explicit writer(std::string const& url) : client_(url, "tests") { client_.script("SET lock_timeout = '10ms'"); }

    void run(std::string const& sql) {
        if (!open_) open_.emplace(client_);
        try {
            client_.script(sql);
        } catch (pg::query_error const&) {
            open_.reset();
        }
    }
    void commit() {
        if (open_) open_->commit();
        open_.reset();
    }
    void roll_back() { open_.reset(); }

private:
    pg::client client_;
    std::optional<pg::transaction> open_;
};

struct world : sync_recruiting {
    explicit world(unsigned seed) : sync_recruiting(jobs, candidates), random(seed) {
        add_member("recruiter", role::recruiter);
        for (auto const* name : {"manager1", "manager2", "manager3"}) add_member(name, role::hiring_manager);
        for (auto const* name : {"interviewer", "viewer"}) add_member(name, role::recruiter); // until they have a key
        for (int i = 0; i < candidates; ++i) apply(i, random.below(jobs));
        join("manager1", 0);
        join("manager2", 1);
        for (int i = 0; i < 3; ++i) writers.push_back(std::make_unique<writer>(database.owner_url()));
        add_copies();
    }

    void add_copies() {
        for (auto const* name : {"admin", "recruiter", "manager1", "manager2", "manager3"}) {
            // One key sees no members, and so no interviewer's name.
            auto const secret = key(name, {name == std::string_view("manager2") ? "candidates:read" : "*"});
            auto const job = "/jobs/" + id("jobs", "J" + std::to_string(random.below(2))) + "/candidates";
            for (auto const& path :
                 {std::string("/candidates?include=applications"), job + "?include=applications", job})
                copies.emplace_back(service, secret, path, 2 + random.below(5));
        }
        copies.emplace_back(service, key("manager1"), "/candidates", 3);
        for (auto const* name : {"admin", "recruiter", "manager1", "interviewer", "viewer"})
            copies.emplace_back(service, key(name), "/jobs", 1 + random.below(3));
        for (auto const* name : {"recruiter", "manager1", "interviewer"})
            copies.emplace_back(service, key(name), "/members", 2 + random.below(5));
        for (std::string const name : {"interviewer", "viewer"})
            run("UPDATE recruiting.memberships m SET role = '" + name +
                "' FROM recruiting.users u WHERE u.id = m.user_id "
                "AND m.email = '" +
                email(name) + "'");
    }

    std::string change();
    void check_all(std::string const& when);
    [[nodiscard]] static bool is_third_managers(std::size_t copy) { return copy >= 12 && copy < 15; }

    dice random;
    auth_api_harness service{database.auth_url()};
    std::vector<std::unique_ptr<writer>> writers;
    std::vector<sync_copy> copies;
};

std::string world::change() {
    int const c = random.below(candidates);
    int const j = random.below(jobs);
    auto const job = "'J" + std::to_string(j) + "'";
    auto const candidate = "'C" + std::to_string(c) + "'";
    auto const number = std::to_string(random.below(1'000'000));
    std::vector<std::string> const members = {"manager1", "manager2", "manager3"};
    auto const member = random.of(members);
    std::vector<std::string> const interviewers = {"interviewer", "recruiter", "viewer", "admin"};
    auto const soon = 20 + random.below(400);
    auto const later = 3'600'000 + random.below(1'000) * 360'000;
    switch (random.below(32)) {
    case 0:
    case 1: return apply_sql(c, j);
    case 2:
        return change_sql(c, j,
                          "stage_id = (SELECT id FROM recruiting.stages s WHERE s.job_id = a.job_id ORDER BY s.id = "
                          "a.stage_id LIMIT 1), stage_entered_at = now()");
    case 3: return change_sql(c, j, "status = 'rejected', rejected_at = now(), rejection_reason = '" + number + "'");
    case 4: return change_sql(c, j, "status = 'hired', hired_at = now()");
    case 5: return change_sql(c, j, "status = 'withdrawn'");
    case 6: return change_sql(c, j, "source = '" + number + "', applied_at = now() - interval '1 day'");
    case 7:
    case 8: return change_sql(c, j, "deleted_at = now()");
    case 9: return change_sql(c, j, "deleted_at = NULL"); // two: refused by the unique index
    case 10:
        return "DELETE FROM recruiting.applications a USING recruiting.candidates c, recruiting.jobs j WHERE c.id = "
               "a.candidate_id AND j.id = a.job_id AND c.external_id = " +
               candidate + " AND j.external_id = " + job;
    case 11: return "UPDATE recruiting.candidates SET phone = '" + number + "' WHERE external_id = " + candidate;
    case 12:
        return "UPDATE recruiting.candidates SET deleted_at = CASE WHEN deleted_at IS NULL THEN now() END WHERE "
               "external_id = " +
               candidate;
    case 13: return "UPDATE recruiting.jobs SET title = 'Job " + number + "' WHERE external_id = " + job;
    case 14:
        return "UPDATE recruiting.jobs SET deleted_at = CASE WHEN deleted_at IS NULL THEN now() END WHERE external_id "
               "= " +
               job;
    case 15:
        return "UPDATE recruiting.stages s SET name = '" + number +
               "' FROM recruiting.jobs j WHERE j.id = s.job_id AND "
               "s.position = 1 AND j.external_id = " +
               job;
    case 16:
    case 26:
    case 27:
    case 28: return book_sql(c, j, random.of(interviewers), later, later + 1'800'000); // books or moves
    case 17:
    case 29: return book_sql(c, j, random.of(interviewers), soon, soon + 200);
    case 18:
        return "UPDATE recruiting.bookings SET status = 'canceled' WHERE candidate_id IN (SELECT id FROM "
               "recruiting.candidates WHERE external_id = " +
               candidate + ")";
    case 19:
    case 20: return join_sql(member, j);
    case 21:
    case 22: return leave_sql(member, j);
    case 23:
        return "UPDATE recruiting.memberships SET invited_name = CASE WHEN random() < 0.5 THEN 'Name " + number +
               "' END WHERE role = 'interviewer'";
    case 30:
        return "UPDATE recruiting.users SET name = 'Name " + number + "' WHERE email_key = '" + email("interviewer") +
               "'";
    case 31: // once: then no candidate has the id
        return "SELECT recruiting.erase_candidates(ARRAY(SELECT id FROM recruiting.candidates WHERE external_id = "
               "'C7'))";
    case 24:
        return "UPDATE recruiting.applications SET source = '" + number +
               "' WHERE job_id IN (SELECT id FROM "
               "recruiting.jobs WHERE external_id = " +
               job + ")"; // many at once
    default:
        return "UPDATE recruiting.memberships m SET role = CASE role WHEN 'recruiter' THEN 'hiring_manager' ELSE "
               "'recruiter' END, title = '" +
               number + "' FROM recruiting.users u WHERE u.id = m.user_id AND m.email = '" + email("manager3") + "'";
    }
}

std::string differences(records const& copy, records const& list) {
    std::string all;
    for (auto const& [id, record] : copy)
        if (auto const at = list.find(id); at == list.end() || at->second != record) all += "\nthe copy: " + record;
    for (auto const& [id, record] : list)
        if (auto const at = copy.find(id); at == copy.end() || at->second != record) all += "\nthe list: " + record;
    return all;
}

// Compares again as long as something may be on its way: an interview that ended between the sync and the walk, another
// test's transaction.
void world::check_all(std::string const& when) {
    for (auto& writer : writers) {
        if (random.below(5) == 0) writer->roll_back();
        else writer->commit();
    }
    for (auto& copy : copies) {
        records list;
        bool seen = true;
        bool const same = eventually([&] {
            copy.round();
            seen = copy.walk(list);
            return !seen || copy.held() == list;
        });
        INFO(when << ": " << copy.path() << differences(copy.held(), list));
        REQUIRE(same);
    }
}

} // namespace

TEST_CASE("a copy that follows only syncs equals the list at any time", "[auth_api][sync][copies]") {
    auto const* const given = std::getenv("RECRUITING_TEST_SEED");
    unsigned const seed = given != nullptr ? static_cast<unsigned>(std::stoul(given)) : std::random_device{}();
    INFO("RECRUITING_TEST_SEED=" << seed);
    world w(seed);
    w.check_all("at first");
    for (int moment = 0; moment < 7; ++moment) {
        std::string history;
        for (int step = 0; step < 40; ++step) {
            auto const sql = w.change();
            history += sql + "\n";
            auto& writer = *w.random.of(w.writers);
            writer.run(sql);
            if (w.random.below(2) == 0) writer.commit();
            auto const copy = static_cast<std::size_t>(w.random.below(static_cast<int>(w.copies.size())));
            w.copies[copy].step();
        }
        w.check_all("moment " + std::to_string(moment) + " after\n" + history);
    }
    for (auto const* table : {"bookings", "reach_changes",
                              "job_candidates k WHERE k.left_at IS NOT NULL OR EXISTS (SELECT FROM "
                              "recruiting.applications a WHERE a.candidate_id = k.candidate_id AND a.deleted_at IS NOT "
                              "NULL)"}) {
        INFO(table); // something has happened
        CHECK(w.database.owner().run(std::string("SELECT FROM recruiting.") + table).size() > 1);
    }
    for (std::size_t i = 0; i < w.copies.size(); ++i) {
        INFO(i << ": " << w.copies[i].path());
        CHECK((w.copies[i].restarts() == 0 || w.is_third_managers(i))); // whose role changes
    }
}

} // namespace sync_copies_test
