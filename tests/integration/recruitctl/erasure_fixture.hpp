// Organizations in which a person is everywhere where a database can hold one, and a search of the whole database.
#pragma once
#include "mail/address.hpp"
#include "recruitctl/command.hpp"
#include "support/catch.hpp"
#include "support/database.hpp"
#include "support/directory.hpp"

#include <boost/json.hpp>

#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace recruiting::test {

using names = std::set<std::string>;

struct erasure_world {
    int operator()(std::vector<std::string> const& arguments, test_database& in) {
        recruitctl::settings const environment{
            {"RECRUITING_DATABASE_URL", is_superuser ? in.superuser_url() : in.owner_url()}};
        std::ostringstream to_out;
        std::ostringstream to_err;
        auto const code = recruitctl::run(recruitctl::all_commands(), arguments, environment, to_out, to_err);
        out = to_out.str();
        err = to_err.str();
        return code;
    }
    int operator()(std::vector<std::string> const& arguments) { return (*this)(arguments, database); }
    boost::json::object json(std::vector<std::string> arguments, int expected = recruitctl::done) {
        arguments.emplace_back("--json");
        auto const code = (*this)(arguments);
        INFO(out << err);
        REQUIRE(code == expected);
        return boost::json::parse(out).as_object();
    }
    std::string value(std::string const& sql) {
        return std::string(database.owner().run("SELECT (" + sql + ")::text").text(0, 0));
    }
    void run(std::string const& sql) { database.owner().script(sql); }

    test_database database;
    bool is_superuser{false}; // recruitctl logs in as one
    std::string out, err;
};

/// The tables of which a row holds the text, in whatever column, of whatever type, also as bytes.
inline names tables_with(test_database& in, std::string const& text) {
    names found;
    auto const tables =
        in.owner().run("SELECT relname::text FROM pg_class WHERE relnamespace = 'recruiting'::regnamespace "
                       "AND relkind = 'r' ORDER BY 1");
    for (auto row : tables) {
        std::string const table(row.text());
        auto const rows = in.owner().run("SELECT EXISTS (SELECT FROM recruiting." + table +
                                             " t WHERE lower(t::text) LIKE '%' || lower($1) || '%' "
                                             "OR t::text LIKE '%' || encode(convert_to($1, 'UTF8'), 'hex') || '%')",
                                         pg::params().text(text));
        if (rows.boolean(0, 0)) found.insert(table);
    }
    return found;
}
inline names tables_with(test_database& in, uuid const& id) {
    auto found = tables_with(in, to_string(id));
    found.merge(tables_with(in, to_dashed_string(id)));
    return found;
}

/// One organization with one person. What says who they are holds "quimbleton".
struct person_everywhere {
    person_everywhere(test_database& in, std::string named) : database(in), slug(std::move(named)) {
        auto& owner = database.owner();
        organization = make_organization(owner, slug).id;
        member = make_member(owner, slug, "interviewer@" + slug + ".example", role::interviewer).id;
        insert("jobs (organization_id, id, title, status, published) VALUES ($1, $2, 'Engineer', 'open', true)", job);
        insert("stages (organization_id, id, job_id, name, kind, position, bookable, interview_duration_minutes) "
               "VALUES ($1, $2, $3, 'Interview', 'interview', 1, true, 45)",
               stage, {job});
        insert("hiring_teams (organization_id, membership_id, job_id) VALUES ($1, $2, $3)", member, {job});
        insert("candidates (organization_id, id, external_id, name, email, email_key, phone, current_title, "
               "current_company, location_name, location_city, location_region, location_country_code, links, source, "
               "tags, last_activity_at) VALUES ($1, $2, 'quimbleton-4711', 'Zoë Quimbleton', "
               "'Zoe.Quimbleton@Mail.example', "
               "'zoe.quimbleton@mail.example', 'tel quimbleton', 'Heir of Quimbleton', 'Quimbleton Ltd', 'Quimbleton "
               "Hall', "
               "'Quimbleton', 'Quimbleton', 'DE', '[{\"url\":\"https://quimbleton.example\"}]', 'quimbleton', "
               "'{quimbleton}', now())",
               candidate);
        insert(
            "applications (organization_id, id, candidate_id, job_id, stage_id, external_id, source, rejection_reason) "
            "VALUES ($1, $2, $3, $4, $5, 'quimbleton-app', 'quimbleton', 'too much of a quimbleton')",
            application, {candidate, job, stage});
        insert("interview_slots (organization_id, id, job_id, stage_id, membership_id, starts_at, ends_at) "
               "VALUES ($1, $2, $3, $4, $5, now() + interval '1 day', now() + interval '25 hours')",
               slot, {job, stage, member});
        insert("bookings (organization_id, id, application_id, candidate_id, job_id, stage_id, slot_id, status, "
               "time_zone, "
               "calendar_uid) VALUES ($1, $2, $3, $4, $5, $6, $7, 'confirmed', 'UTC', $2)",
               booking, {application, candidate, job, stage, slot}); // and its mails
        insert("booking_tokens (organization_id, booking_id, hash, join_hash, expires_at) VALUES ($1, $2, "
               "sha256($2::uuid::text::bytea), sha256($2::uuid::text::bytea || 'j'), now() + interval '1 day')",
               booking);
        insert("booking_requests (organization_id, job_id, stage_id, starts_at, email) "
               "VALUES ($1, $2, $3, now(), 'zoe.quimbleton@MAIL.example')",
               job, {stage});
        insert("unmatched_booking_requests (organization_id, id, job_id, stage_id, email, email_key, starts_at, "
               "first_received_at, last_received_at) VALUES ($1, $2, $3, $4, 'Zoe.quimbleton@mail.example', "
               "'zoe.quimbleton@mail.example', now(), now(), now())",
               new_record_id(), {job, stage});
        auto const id = to_string(candidate);
        add_session("Who is new?", "{\"id\":\"" + id + "\"}", "one of quimbleton", "key-1");
        add_session("Quimbleton's address", "", "It is zoe.quimbleton@mail.example.", "key-2");
        add_session("Find them", R"({\"name\":\"Zo\\u00eb Quimbleton\"})", "Found.", "key-3");
        add_session("Repeat", "", "Done.", "zoe-quimbleton-1");
        others_session = add_session("Quimby", "Joanna Quimby", "Zoe Quimby", "key-5");
    }

    /// sql: columns and values; $1 is the organization, $2 the id, then the others.
    void insert(std::string const& sql, uuid const& id, std::vector<uuid> const& others = {}) const {
        pg::params values;
        values.id(organization).id(id);
        for (auto const& other : others) values.id(other);
        database.owner().run("INSERT INTO recruiting." + sql, values);
    }
    uuid add_session(std::string const& title, std::string const& tool_result, std::string const& reply,
                     std::string const& key) const {
        auto& owner = database.owner();
        auto const session = new_record_id();
        auto const run = new_record_id();
        owner.run(
            "INSERT INTO recruiting.agent_sessions (id, organization_id, membership_id, title, status, last_run_at) "
            "VALUES ($1, $2, $3, $4, 'completed', now())",
            pg::params().id(session).id(organization).id(member).text(title));
        owner.run("INSERT INTO recruiting.agent_runs (id, organization_id, session_id, membership_id, idempotency_key, "
                  "prompt_hash, status, model, reply, lease_owner, lease_expires_at, finished_at) VALUES ($1, $2, $3, "
                  "$4, $5, "
                  "sha256('x'), 'completed', 'm', $6, $1, now(), now())",
                  pg::params().id(run).id(organization).id(session).id(member).text(key).text(reply));
        owner.run(
            "INSERT INTO recruiting.agent_messages (id, position, organization_id, session_id, run_id, membership_id, "
            "role, content) VALUES (gen_random_uuid(), 0, $1, $2, $3, $4, 'tool', $5)",
            pg::params().id(organization).id(session).id(run).id(member).text(tool_result));
        return session;
    }

    test_database& database;
    std::string slug;
    uuid organization{}, member{};
    uuid job = new_record_id(), stage = new_record_id(), candidate = new_record_id(), application = new_record_id();
    uuid slot = new_record_id(), booking = new_record_id(), others_session{};
};

inline void send_mails(test_database& in) {
    in.owner().script(
        "UPDATE recruiting.mail_outbox SET status = 'sent', finished_at = now() WHERE status = 'waiting'");
}

} // namespace recruiting::test
