// A taken-over public-api: what its database role can learn of bookings and change in them, whatever it sets, asks for
// or breaks (threat_model.md).
#include "core/text.hpp"
#include "integration/auth_api/background/booking_harness.hpp"
#include "support/catch.hpp"

#include <set>

namespace roles_booking_test {
using namespace recruiting;
using namespace recruiting::test;

namespace {

/// Two confirmed bookings of two candidates, and the public role's connection.
struct taken_over {
    booking_system s;
    uuid interviewer = s.add_interviewer();
    uuid ann, bob;
    std::unique_ptr<pg::client> visitor;

    taken_over() {
        for (auto const* who : {"ann", "bob"}) s.add_candidate(std::string(who) + "@mail.example");
        for (int const hours : {24, 48, 72}) s.open_slot(interviewer, hours);
        s.ask("ann@mail.example", 24);
        s.ask("bob@mail.example", 48);
        s.work();
        ann = booking_of("ann");
        bob = booking_of("bob");
        visitor = std::make_unique<pg::client>(s.database.public_url(), "tests");
    }
    uuid booking_of(std::string const& who) {
        return s.database.owner()
            .run("SELECT b.id FROM recruiting.bookings b JOIN recruiting.candidates c ON c.id = b.candidate_id "
                 "WHERE c.email = $1",
                 pg::params().text(who + "@mail.example"))
            .id(0, 0);
    }
    /// A link to the booking, presented on this connection from now on.
    void present_link(uuid const& booking, char const* expires = "1 day") {
        auto const hash = to_string(random_id()) + to_string(random_id());
        s.database.owner().run(
            "INSERT INTO recruiting.booking_tokens (hash, join_hash, organization_id, booking_id, expires_at) "
            "VALUES (decode($1, 'hex'), sha256(decode($1, 'hex')), $2, $3, now() + $4::interval)",
            pg::params().text(hash).id(s.organization).id(booking).text(expires));
        set("booking_token", hash);
    }
    void set(std::string const& name, std::string const& value) {
        visitor->run("SELECT set_config('recruiting.' || $1, $2, false)", pg::params().text(name).text(value));
    }
    /// "" when it succeeds, else the SQLSTATE.
    std::string state_of(std::string const& sql) {
        try {
            static_cast<void>(visitor->run(sql));
            return {};
        } catch (pg::query_error const& error) {
            return error.sqlstate();
        }
    }
    int rows(std::string const& sql) { return visitor->run(sql).size(); }
    std::int64_t changed(std::string const& sql) { return visitor->run(sql).affected(); }
    [[nodiscard]] std::string request(std::string const& columns = "", std::string const& values = "") const {
        return "INSERT INTO recruiting.booking_requests (organization_id, job_id, stage_id, starts_at, email" +
               columns + ") SELECT organization_id, job_id, stage_id, starts_at, 'ann@mail.example'" + values +
               " FROM recruiting.published_slots LIMIT 1";
    }
};

constexpr auto denied = "42501";

} // namespace

TEST_CASE("recruiting_public: exactly these columns of these relations", "[roles]") {
    taken_over t;
    auto const granted = t.s.database.owner().run(
        "SELECT c.relname || ' ' || p.what || ' ' || string_agg(a.attname, ' ' ORDER BY a.attnum) "
        "FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped "
        "CROSS JOIN (VALUES ('SELECT'), ('INSERT'), ('UPDATE'), ('REFERENCES')) AS p (what) "
        "WHERE c.relnamespace = 'recruiting'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'f') "
        "AND has_column_privilege('recruiting_public', c.oid, a.attnum, p.what) "
        "AND NOT (c.relkind = 'v' AND p.what = 'SELECT') GROUP BY c.relname, p.what");
    std::set<std::string> found;
    for (int row = 0; row < granted.size(); ++row) found.emplace(granted.text(row, 0));
    CHECK(found == std::set<std::string>{
                       "booking_requests INSERT organization_id job_id stage_id starts_at email time_zone language "
                       "excess",
                       "bookings SELECT id status",
                       "bookings UPDATE status slot_id time_zone",
                       "published_changes SELECT changed_xid organization_id changed_at",
                   });
}

TEST_CASE("requests can be added and never read back, found out about or taken up", "[roles]") {
    taken_over t;
    CHECK(t.state_of(t.request()).empty());
    for (auto const* sql :
         {"SELECT FROM recruiting.booking_requests", "SELECT count(*) FROM recruiting.booking_requests",
          "DELETE FROM recruiting.booking_requests", "UPDATE recruiting.booking_requests SET attempts = 0",
          "TRUNCATE recruiting.booking_requests",
          "DO $$ BEGIN LOCK TABLE recruiting.booking_requests IN ACCESS EXCLUSIVE MODE; END $$",
          "COPY recruiting.booking_requests TO STDOUT"}) {
        INFO(sql);
        CHECK(t.state_of(sql) == denied);
    }
    CHECK(t.state_of(t.request() + " RETURNING email") == denied);
    CHECK(t.state_of(t.request() + " ON CONFLICT (id) DO NOTHING") == denied);
    // Its own id would tell by a violation when the worker has deleted the row.
    CHECK(t.state_of(t.request(", id", ", gen_random_uuid()")) == denied);
    CHECK(t.state_of(t.request(", received_at", ", now()")) == denied);
    CHECK(t.state_of(t.request(", leased_until", ", 'infinity'::timestamptz")) == denied);
    t.s.change("UPDATE recruiting.jobs SET published = false");
    CHECK(t.state_of("INSERT INTO recruiting.booking_requests (organization_id, job_id, stage_id, starts_at, email) "
                     "VALUES ('" +
                     to_string(t.s.organization) + "', '" + to_string(t.s.job) + "', '" + to_string(t.s.stage) +
                     "', '" + format_time(t.s.at(24)) + "', 'ann@mail.example')") == denied);
}

TEST_CASE("nothing that recruiting_public sets opens anything to it", "[roles]") {
    taken_over t;
    for (auto const* worker : {"booking", "mailer", "sealer", "agent", "last_use"}) {
        INFO(worker);
        t.set("worker", worker);
        t.set("organization_id", to_string(t.s.organization));
        t.set("role", "admin");
        for (std::string const relation :
             {"booking_candidates", "free_slots", "mail_content", "mail_outbox", "booking_tokens", "decline_tokens",
              "booking_requests", "interview_slots", "meetings", "memberships", "organizations", "applications",
              "candidates", "audit_log", "usage_records"}) {
            INFO(relation);
            CHECK(t.state_of("SELECT FROM recruiting." + relation) == denied);
        }
        CHECK(t.rows("SELECT id, status FROM recruiting.bookings") == 0);
        CHECK(t.rows("SELECT FROM recruiting.presented_booking") == 0);
        CHECK(t.rows("SELECT FROM recruiting.presented_availability") == 0);
        CHECK(t.rows("SELECT FROM recruiting.presented_meeting") == 0);
        CHECK(t.rows("SELECT FROM recruiting.presented_join()") == 0);
        CHECK(t.rows("SELECT FROM recruiting.presented_decline") == 0);
        CHECK_FALSE(t.visitor->run("SELECT recruiting.decline_interview()").boolean(0, 0));
        CHECK(t.changed("UPDATE recruiting.bookings SET status = 'canceled'") == 0);
    }
    for (auto const* sql :
         {"SET ROLE recruiting_auth", "SET ROLE recruiting_owner", "SET SESSION AUTHORIZATION recruiting_auth"})
        CHECK(t.state_of(sql) == denied);
}

TEST_CASE("functions that run as their owner can't be called, nor set off from a table of its own", "[roles]") {
    taken_over t;
    CHECK(t.state_of("CREATE TEMPORARY TABLE mine (id uuid, organization_id uuid, status text, slot_id uuid, "
                     "wanted_starts_at timestamptz)")
              .empty());
    for (std::string const function : {"tell_booking", "place_booking"}) {
        INFO(function);
        CHECK(t.state_of("CREATE TRIGGER t AFTER INSERT ON pg_temp.mine FOR EACH ROW EXECUTE FUNCTION recruiting." +
                         function + "()") == denied);
    }
    CHECK(t.state_of("CREATE TRIGGER t AFTER INSERT ON recruiting.booking_requests FOR EACH ROW EXECUTE FUNCTION "
                     "recruiting.refuse_begun()") == denied);
    CHECK(t.state_of("SELECT recruiting.write_booking_mail(NULL, 'candidate', 'confirmed', NULL, NULL)") == denied);
    CHECK(t.s.value("SELECT count(*) FROM audit_rows WHERE action = 'booking.canceled'") == "0");
}

TEST_CASE("a link shows and changes its own booking alone", "[roles]") {
    taken_over t;
    t.present_link(t.ann);
    CHECK(t.rows("SELECT FROM recruiting.presented_booking") == 1);
    CHECK(t.visitor->run("SELECT id, status FROM recruiting.bookings").id(0, 0) == t.ann);
    CHECK(t.rows("SELECT FROM recruiting.presented_availability") == 2); // its own slot and the third
    for (auto const* column : {"candidate_id", "application_id", "membership_id", "slot_id", "starts_at"})
        CHECK(t.state_of(std::string("SELECT ") + column + " FROM recruiting.bookings") == denied);
    for (auto const* column : {"candidate_id", "starts_at", "membership_id", "wanted_starts_at", "room_url"})
        CHECK(t.state_of(std::string("UPDATE recruiting.bookings SET ") + column + " = NULL") == denied);
    CHECK(t.state_of("UPDATE recruiting.bookings SET status = 'unplaced'") == denied);
    CHECK(t.state_of("UPDATE recruiting.bookings SET status = 'canceled' WHERE starts_at > now()") == denied);
    CHECK(t.state_of("DELETE FROM recruiting.bookings") == denied);
    CHECK(t.changed("UPDATE recruiting.bookings SET status = 'canceled' WHERE id = '" + to_string(t.bob) + "'") == 0);
    CHECK(t.changed("UPDATE recruiting.bookings SET status = 'canceled'") == 1);
    CHECK(t.s.value("SELECT string_agg(status, ',' ORDER BY starts_at) FROM recruiting.bookings") ==
          "canceled,confirmed");
}

TEST_CASE("a link that only joins shows where its own booking meets, and changes nothing", "[roles]") {
    taken_over t;
    t.s.change("UPDATE recruiting.organizations SET room_url = 'https://rooms.example/{room}'");
    auto const hash = to_string(random_id()) + to_string(random_id());
    for (auto const* expires : {"1 day", "-1 second"}) {
        t.s.change("DELETE FROM recruiting.booking_tokens");
        t.s.change("INSERT INTO recruiting.booking_tokens (hash, join_hash, organization_id, booking_id, expires_at) "
                   "SELECT sha256(id::text::bytea), decode('" +
                   hash + "', 'hex'), organization_id, id, now() + interval '" + expires +
                   "' FROM recruiting.bookings WHERE id = '" + to_string(t.ann) + "'");
        t.set("booking_token", hash);
        bool const works = std::string_view(expires) == "1 day";
        CHECK(t.rows("SELECT url FROM recruiting.presented_meeting") == (works ? 1 : 0));
        CHECK(t.rows("SELECT FROM recruiting.presented_booking") == 0);
        CHECK(t.rows("SELECT FROM recruiting.presented_availability") == 0);
        CHECK(t.rows("SELECT FROM recruiting.bookings") == 0);
        CHECK(t.changed("UPDATE recruiting.bookings SET status = 'canceled'") == 0);
        if (works)
            CHECK(t.visitor->run("SELECT url FROM recruiting.presented_meeting").text(0, 0) ==
                  t.s.value("SELECT 'https://rooms.example/' || replace(room::text, '-', '') FROM recruiting.bookings "
                            "WHERE id = '" +
                            to_string(t.ann) + "'"));
    }
}

TEST_CASE("a link to decline declines its own interview, and opens nothing else", "[roles]") {
    taken_over t;
    auto const hash = to_string(random_id()) + to_string(random_id());
    t.s.change("INSERT INTO recruiting.decline_tokens (hash, organization_id, booking_id, membership_id, calendar_uid, "
               "starts_at, ends_at, expires_at) SELECT decode('" +
               hash +
               "', 'hex'), organization_id, id, membership_id, calendar_uid, starts_at, ends_at, ends_at "
               "FROM recruiting.bookings WHERE id = '" +
               to_string(t.ann) + "'");
    t.set("booking_token", hash);
    CHECK(t.rows("SELECT FROM recruiting.presented_decline") == 1);
    for (auto const* relation : {"presented_booking", "presented_availability", "presented_meeting", "bookings"})
        CHECK(t.rows(std::string("SELECT FROM recruiting.") + relation) == 0);
    CHECK(t.changed("UPDATE recruiting.bookings SET status = 'canceled'") == 0);
    t.present_link(t.ann); // the candidate's declines nothing
    CHECK_FALSE(t.visitor->run("SELECT recruiting.decline_interview()").boolean(0, 0));
    CHECK(t.state_of("UPDATE recruiting.bookings SET declined_by = NULL") == denied);
    t.set("booking_token", hash);
    CHECK(t.visitor->run("SELECT recruiting.decline_interview()").boolean(0, 0));
    CHECK_FALSE(t.visitor->run("SELECT recruiting.decline_interview()").boolean(0, 0));
    CHECK(t.s.value("SELECT string_agg(status, ',' ORDER BY status) FROM recruiting.bookings") == "confirmed,unplaced");
}

TEST_CASE("an expired link shows nothing", "[roles]") {
    taken_over t;
    t.present_link(t.ann, "-1 second");
    CHECK(t.rows("SELECT FROM recruiting.presented_booking") == 0);
    CHECK(t.changed("UPDATE recruiting.bookings SET status = 'canceled'") == 0);
}

TEST_CASE("what has begun is closed to its link, whatever is set before or within the statement", "[roles]") {
    taken_over t;
    t.s.change("ALTER TABLE recruiting.bookings DISABLE TRIGGER USER; UPDATE recruiting.bookings SET starts_at = now() "
               "- interval '1 minute' WHERE id = '" +
               to_string(t.ann) +
               "'; ALTER TABLE recruiting.bookings ENABLE "
               "TRIGGER USER");
    t.present_link(t.ann);
    t.set("worker", "booking");
    t.set("role", "admin");
    CHECK(t.state_of("UPDATE recruiting.bookings SET status = 'canceled'") == pg::check_violation);
    CHECK(t.state_of("UPDATE recruiting.bookings SET status = 'canceled', "
                     "time_zone = set_config('recruiting.booking_token', '', false)") == pg::check_violation);
}

TEST_CASE("a link reaches no slot of another job, closed, past or of somebody who left", "[roles]") {
    taken_over t;
    auto const other = new_record_id();
    t.s.change("INSERT INTO recruiting.stages (id, organization_id, job_id, name, kind, position) SELECT '" +
               to_string(other) + "', organization_id, job_id, 'Other', 'interview', 2 FROM recruiting.stages");
    auto const slot = t.s.open_slot(t.interviewer, 96);
    t.present_link(t.ann);
    auto const take = "UPDATE recruiting.bookings SET status = 'confirmed', slot_id = '" + to_string(slot) + "'";
    auto const change = GENERATE_COPY("stage_id = '" + to_string(other) + "'", std::string("closed_at = now()"),
                                      std::string("starts_at = now() - interval '1 hour', ends_at = now()"));
    t.s.change("UPDATE recruiting.interview_slots SET " + change + " WHERE id = '" + to_string(slot) + "'");
    CHECK(t.state_of(take) == pg::check_violation);
    t.s.change("UPDATE recruiting.interview_slots SET closed_at = NULL, stage_id = '" + to_string(t.s.stage) +
               "', starts_at = now() + interval '4 days', ends_at = now() + interval '4 days 1 hour' WHERE id = '" +
               to_string(slot) + "'");
    t.s.change("UPDATE recruiting.memberships SET status = 'removed', removed_at = now() WHERE id = '" +
               to_string(t.interviewer) + "'");
    CHECK(t.state_of(take) == pg::check_violation);
    CHECK(t.rows("SELECT FROM recruiting.presented_availability") == 0);
}

TEST_CASE("a link's holder can't write text of their own into the audit log", "[roles]") {
    taken_over t;
    auto const logged = [&](std::string const& request_id) {
        t.set("request_id", request_id);
        t.present_link(t.ann);
        auto const next =
            t.s.value("SELECT status FROM recruiting.bookings WHERE id = '" + to_string(t.ann) + "'") == "confirmed"
                ? "canceled"
                : "confirmed";
        CHECK(t.state_of("UPDATE recruiting.bookings SET status = '" + std::string(next) + "'").empty());
        return t.s.value("SELECT coalesce(request_id, 'none') FROM audit_rows WHERE target_type = 'booking' "
                         "ORDER BY occurred_at DESC LIMIT 1");
    };
    CHECK(logged("request_1234") == "request_1234");
    CHECK(logged("Ann\n2026 key.revoked") == "none");
    CHECK(logged(std::string(65, 'a')) == "none");
    CHECK(logged("") == "none");
}

TEST_CASE("a violation tells nothing of the row that is in the way", "[roles]") {
    taken_over t;
    auto const taken = t.s.value("SELECT slot_id FROM recruiting.bookings WHERE id = '" + to_string(t.bob) + "'");
    t.present_link(t.ann);
    // The booking's own exclusion violation, with everything PostgreSQL says about it.
    t.visitor->script("CREATE TEMPORARY TABLE heard (detail text); DO $$ DECLARE said text; BEGIN "
                      "UPDATE recruiting.bookings SET slot_id = '" +
                      taken +
                      "'; "
                      "EXCEPTION WHEN exclusion_violation THEN GET STACKED DIAGNOSTICS said = PG_EXCEPTION_DETAIL; "
                      "INSERT INTO pg_temp.heard VALUES (said); END $$");
    auto const heard = t.visitor->run("SELECT detail FROM pg_temp.heard");
    REQUIRE(heard.size() == 1);
    CHECK(heard.text(0, 0) == "Key conflicts with existing key."); // neither whose nor when
}

TEST_CASE("the published schedule is the same before and after a booking", "[roles]") {
    booking_system s;
    s.open_slot(s.add_interviewer(), 48);
    s.add_candidate("ann@mail.example");
    pg::client visitor(s.database.public_url(), "tests");
    auto const schedule = [&] {
        return std::string(
            visitor.run("SELECT string_agg(p::text, ';' ORDER BY p::text) FROM recruiting.published_slots p")
                .text(0, 0));
    };
    auto const before = schedule();
    s.ask("ann@mail.example", 48);
    s.work();
    REQUIRE(s.value("SELECT count(*) FROM recruiting.bookings") == "1");
    CHECK(schedule() == before);
    // The plan that shows it reads nothing of bookings: there is nothing to measure.
    auto const plan = visitor.run("EXPLAIN SELECT * FROM recruiting.published_slots");
    for (int row = 0; row < plan.size(); ++row) CHECK(plan.text(row, 0).find("booking") == std::string_view::npos);
}

TEST_CASE("PostgreSQL's counters can be kept from the services, which need none of them", "[roles]") {
    taken_over t;
    constexpr auto added = "SELECT n_tup_ins FROM pg_stat_user_tables WHERE relname = 'bookings'";
    CHECK(t.state_of(added).empty()); // as PostgreSQL comes
    t.s.database.apply("hide_statistics.sql");
    for (std::string const sql :
         {added, "SELECT FROM pg_locks", "SELECT pg_relation_size('recruiting.bookings')",
          "SELECT pg_stat_get_tuples_inserted('recruiting.bookings'::regclass)", "SELECT FROM pg_stat_activity",
          "SELECT pg_current_wal_insert_lsn()", "SELECT pg_database_size(current_database())",
          "SELECT FROM pg_control_checkpoint()"}) {
        INFO(sql);
        CHECK(t.state_of(sql) == denied);
    }
    pg::client visitor(t.s.database.public_url(), "tests"); // which server it speaks to, it is told all the same
    CHECK(visitor.run("SELECT timeline > 0 AND system <> '' FROM recruiting.server_line()").boolean(0, 0));
    t.s.add_candidate("eve@mail.example");
    CHECK(t.state_of(t.request()).empty());
    t.s.ask("eve@mail.example", 72);
    t.s.work();
    CHECK(t.s.value("SELECT count(*) FROM recruiting.bookings") == "3");
}

} // namespace roles_booking_test
