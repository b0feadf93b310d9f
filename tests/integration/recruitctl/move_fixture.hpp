// Two installations, and an organization in the first that has rows in every table that is moved.
#pragma once
#include "integration/auth_api/background/mail_harness.hpp"
#include "recruitctl/command.hpp"
#include "recruitctl/move/tables.hpp"
#include "support/catch.hpp"
#include "support/directory.hpp"

#include <boost/json.hpp>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace recruiting::test {

struct move_fixture {
    move_fixture() {
        std::filesystem::create_directory(folder);
        write("pepper", test_key_settings().pepper);
        fill_audit_log();
        old.book(ann);
        fill();
    }
    ~move_fixture() { std::filesystem::remove_all(folder); }
    move_fixture(move_fixture const&) = delete;
    move_fixture& operator=(move_fixture const&) = delete;

    [[nodiscard]] std::string path(std::string const& name) const { return (folder / name).string(); }
    void write(std::string const& name, std::string const& text) const {
        std::ofstream(folder / name, std::ios::binary) << text;
    }
    [[nodiscard]] std::string read(std::string const& name) const {
        std::ifstream in(folder / name, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }

    /// The exit code; leaves out and err.
    int call(test_database const& on, std::vector<std::string> const& arguments, std::string const& pepper = "pepper") {
        recruitctl::settings const environment{{"RECRUITING_DATABASE_URL", on.owner_url()},
                                               {"RECRUITING_KEY_PEPPER_FILE", path(pepper)}};
        std::ostringstream to_out;
        std::ostringstream to_err;
        auto const code = recruitctl::run(recruitctl::all_commands(), arguments, environment, to_out, to_err);
        out = to_out.str();
        err = to_err.str();
        return code;
    }
    int call_of_slug(test_database const& on, std::string const& verb, std::vector<std::string> const& more = {}) {
        std::vector<std::string> arguments{"organization", verb, "--organization", slug};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return call(on, arguments);
    }
    int freeze() { return call_of_slug(source, "freeze"); }
    int export_to(std::string const& file) {
        return call_of_slug(source, "export", {"--settle", "0s", "--wait", "20s", path(file)});
    }
    int import_from(std::string const& file, std::vector<std::string> more = {}, std::string const& pepper = "pepper") {
        more.insert(more.begin(), {"organization", "import", path(file)});
        return call(other, more, pepper);
    }
    void move() {
        INFO(err);
        REQUIRE(freeze() == recruitctl::done);
        REQUIRE(export_to("file") == recruitctl::done);
        REQUIRE(import_from("file") == recruitctl::done);
    }

    /// A number or text of one row.
    static std::string value(test_database& on, std::string const& sql) {
        return std::string(on.owner().run("SELECT (" + sql + ")::text").text(0, 0));
    }
    /// All rows that the organization has in the table, but for transaction numbers.
    [[nodiscard]] std::string rows(test_database& on, std::string_view table) const {
        auto const condition =
            table == "organizations" ? "t.id = '" + id + "'"
            : table == "users"
                ? "t.id IN (SELECT user_id FROM recruiting.memberships WHERE organization_id = '" + id + "')"
                : "t.organization_id = '" + id + "'";
        return value(on, "SELECT coalesce(string_agg(r, E'\\n' ORDER BY r), '') FROM (SELECT (to_jsonb(t) - "
                         "'changed_xid')::text AS r FROM recruiting." +
                             std::string(table) + " t WHERE " + condition + ") x");
    }
    [[nodiscard]] bool has_organization(test_database& on) const {
        return value(on, "SELECT count(*) FROM recruiting.organizations WHERE id = '" + id + "'") == "1";
    }
    static void seal(test_database& on) {
        while (value(on, "SELECT recruiting.seal_audit_rows(1000)") != "0") {
        }
    }

    std::filesystem::path folder = std::filesystem::temp_directory_path() / ("move_" + new_slug());
    mail_system old;
    test_database other;
    test_database& source = old.booking.database;
    std::string slug = old.booking.slug;
    std::string id = to_string(old.booking.organization);
    std::string admin = "admin@" + slug + ".example";
    std::string out;
    std::string err;

private:
    // A chain whose first row retention has dropped, with rows of a month that the other installation has no partition
    // for. A row of the dropped month that came later is kept as a seal.
    void fill_audit_log() {
        old.booking.change("DELETE FROM recruiting.audit_intake");
        old.booking.change("SELECT recruiting.add_audit_months(ARRAY(SELECT DISTINCT date_trunc('month', now() - "
                           "make_interval(days => d))::date FROM unnest(ARRAY[130, 65]) d))");
        for (auto const* days : {"130", "65", "130", "65", "0"})
            old.booking.change(
                "INSERT INTO recruiting.audit_log (id, occurred_at, organization_id, actor_type, action, success, "
                "user_agent) VALUES (gen_random_uuid(), now() - interval '" +
                std::string(days) + " days', '" + id +
                "', 'system', 'member.added', true, E'tab\\tline\\nbackslash\\\\')");
        seal(source);
        old.booking.change("SELECT recruiting.drop_audit_partitions('90 days')");
    }

    void fill() {
        auto const of_all = [&](std::string sql) {
            for (auto at = sql.find("{}"); at != std::string::npos; at = sql.find("{}"))
                sql.replace(at, 2, "'" + id + "'");
            old.booking.change(sql);
        };
        of_all(
            "INSERT INTO recruiting.invoices (id, organization_id, number, status, amount_cents, currency, issued_at) "
            "VALUES (gen_random_uuid(), {}, '1', 'paid', 1200, 'EUR', now())");
        of_all(
            "INSERT INTO recruiting.hiring_teams (organization_id, job_id, membership_id) SELECT {}, j.id, m.id FROM "
            "recruiting.jobs j, recruiting.memberships m WHERE m.role = 'interviewer'");
        of_all("INSERT INTO recruiting.unmatched_booking_requests (id, organization_id, job_id, stage_id, email, "
               "email_key, starts_at, first_received_at, last_received_at) SELECT gen_random_uuid(), {}, job_id, id, "
               "'x@y.example', 'x@y.example', now(), now(), now() FROM recruiting.stages");
        of_all(
            "INSERT INTO recruiting.booking_tokens (hash, join_hash, organization_id, booking_id, expires_at) SELECT "
            "sha256(id::text::bytea), sha256(id::text::bytea), {}, id, now() + interval '1 day' FROM "
            "recruiting.bookings");
        of_all("INSERT INTO recruiting.decline_tokens (hash, organization_id, booking_id, membership_id, calendar_uid, "
               "starts_at, ends_at, expires_at) SELECT sha256(id::text::bytea), {}, id, membership_id, calendar_uid, "
               "starts_at, ends_at, now() + interval '1 day' FROM recruiting.bookings");
        of_all(
            "INSERT INTO recruiting.agent_sessions (id, organization_id, membership_id, title, status, last_run_at) "
            "SELECT gen_random_uuid(), {}, id, E'A title with a\\ttab', 'completed', now() FROM recruiting.memberships "
            "WHERE role = 'admin'");
        of_all("INSERT INTO recruiting.agent_runs (id, organization_id, session_id, membership_id, idempotency_key, "
               "prompt_hash, status, model, reply, lease_owner, lease_expires_at, finished_at) SELECT "
               "gen_random_uuid(), {}, "
               "id, membership_id, 'a key', sha256('x'), 'completed', 'm', E'two\\nlines', gen_random_uuid(), now(), "
               "now() "
               "FROM recruiting.agent_sessions");
        of_all(
            "INSERT INTO recruiting.agent_messages (id, position, organization_id, session_id, run_id, membership_id, "
            "role, content) SELECT gen_random_uuid(), 0, {}, session_id, id, membership_id, 'user', E'\\\\. \\\\N' "
            "FROM "
            "recruiting.agent_runs");
        // An interview in the past: no trigger would let it be written so.
        pg::client superuser(source.superuser_url(), "tests");
        superuser.script(
            "SET session_replication_role = replica; UPDATE recruiting.bookings SET starts_at = starts_at - "
            "interval '90 days', ends_at = ends_at - interval '90 days'");
        old.booking.open_slot(old.interviewer, 60);
        old.booking.add_candidate("bo@mail.example");
        old.booking.ask("bo@mail.example", 60); // and no worker has taken it
        old.booking.change("UPDATE recruiting.jobs SET description_text = E'Grüße\\r\\n\\u0001'");
        old.booking.add_candidate("gone@mail.example");
        old.booking.change("UPDATE recruiting.candidates SET deleted_at = now() WHERE email = 'gone@mail.example'");
        static_cast<void>(make_key(source.owner(), slug, admin, {"*"}));
    }
};

} // namespace recruiting::test
