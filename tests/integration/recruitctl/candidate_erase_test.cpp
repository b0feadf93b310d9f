// candidate erase: nothing of the person stays but ids, whatever runs beside it, and a restore brings no one back.
#include "integration/database/restore_dump.hpp"
#include "integration/recruitctl/erasure_fixture.hpp"

#include <filesystem>
#include <fstream>
#include <thread>

namespace candidate_erase_test {
using namespace recruiting;
using namespace recruiting::test;
namespace ctl = recruiting::recruitctl;

namespace {

// What keeps the id, and why: the candidate with the time of its deletion and what syncs report of it, the audit log,
// and the list that is replayed after a restore.
names const places_of_ids = {"candidates", "job_candidates", "reach_changes", "audit_intake", "erasures"};

std::vector<std::string> erase(person_everywhere const& who, std::vector<std::string> const& more) {
    std::vector<std::string> words{"candidate", "erase", "--organization", who.slug, "--id", to_string(who.candidate)};
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

void cancel(erasure_world& w, person_everywhere const& who) {
    REQUIRE(w(erase(who, {"--yes", "--cancel-interviews"})) == ctl::partial);
    send_mails(w.database);
}

boost::json::array named_sessions(boost::json::object const& document) { return document.at("sessions").as_array(); }

struct file_of_heads {
    explicit file_of_heads(std::string const& text)
        : path((std::filesystem::temp_directory_path() / ("recruiting_erasures_" + new_slug())).string()) {
        std::ofstream(path) << text;
    }
    ~file_of_heads() { std::filesystem::remove(path); }
    file_of_heads(file_of_heads const&) = delete;
    file_of_heads& operator=(file_of_heads const&) = delete;
    std::string path;
};

} // namespace

TEST_CASE("after candidate erase no row of any table says who the person was", "[recruitctl][erasure]") {
    erasure_world w;
    person_everywhere const who(w.database, "acme");
    person_everywhere const elsewhere(w.database, "globex");
    auto const everywhere = tables_with(w.database, std::string("quimbleton"));
    CHECK(everywhere == names{"candidates", "candidate_terms", "applications", "booking_requests",
                              "unmatched_booking_requests", "agent_sessions", "agent_runs", "agent_messages"});
    auto const of_others = w.value("SELECT md5(string_agg(c::text, '' ORDER BY id)) FROM recruiting.candidates c "
                                   "WHERE organization_id = '" +
                                   to_string(elsewhere.organization) + "'");

    auto const shown = w.json(erase(who, {}));
    CHECK_FALSE(shown.at("erased").as_bool());
    CHECK(named_sessions(shown).size() == 4);
    CHECK(shown.at("bookingRequests").as_int64() == 2);
    CHECK(shown.at("interviewsAhead").as_array().size() == 1);
    CHECK(tables_with(w.database, std::string("quimbleton")) == everywhere); // shown, not erased

    CHECK(w(erase(who, {"--yes"})) == ctl::failed); // its interviewer would wait
    CHECK(w.err.find("--cancel-interviews") != std::string::npos);
    CHECK(w(erase(who, {"--yes", "--cancel-interviews"})) == ctl::partial);
    CHECK(w.value("SELECT string_agg(audience || ' ' || kind, ', ' ORDER BY audience) FROM recruiting.mail_outbox "
                  "WHERE kind = 'canceled'") == "candidate canceled, interviewer canceled");
    CHECK(w(erase(who, {"--yes"})) == ctl::partial); // the mails still name the candidate
    send_mails(w.database);

    auto const done = w.json(erase(who, {"--yes"}));
    CHECK(done.at("erased").as_bool());
    CHECK(done.at("applications").as_int64() == 1);
    CHECK(done.at("bookings").as_int64() == 1);
    CHECK(done.at("bookingRequests").as_int64() == 2);
    CHECK(named_sessions(done).size() == 4);

    auto const others = "organization_id = '" + to_string(who.organization) + "'";
    for (auto const* const table : {"candidates", "applications", "booking_requests", "unmatched_booking_requests",
                                    "candidate_terms", "agent_sessions", "agent_runs", "agent_messages"}) {
        INFO(table);
        CHECK(w.value(std::string("SELECT count(*) FROM recruiting.") + table + " t WHERE " + others +
                      " AND lower(t::text) LIKE '%quimbleton%'") == "0");
    }
    CHECK(w.value("SELECT md5(string_agg(c::text, '' ORDER BY id)) FROM recruiting.candidates c "
                  "WHERE organization_id = '" +
                  to_string(elsewhere.organization) + "'") == of_others);
    for (auto const& table : tables_with(w.database, who.candidate)) {
        INFO(table);
        CHECK(places_of_ids.contains(table));
    }
    CHECK(w.value("SELECT string_agg(action, ' ') FROM audit_rows WHERE action LIKE 'candidate.%'") ==
          "candidate.erased");
    CHECK(w.value("SELECT count(*) FROM recruiting.agent_sessions WHERE id = '" + to_string(who.others_session) +
                  "'") == "1");
}

TEST_CASE("candidate erase leaves no row of the database that names the person when no other organization knows them",
          "[recruitctl][erasure]") {
    erasure_world w;
    person_everywhere const who(w.database, "acme");
    cancel(w, who);
    REQUIRE(w({"candidate", "erase", "--organization", "acme", "--email", "ZOE.quimbleton@mail.example", "--yes"}) ==
            ctl::done);
    CHECK(tables_with(w.database, std::string("quimbleton")).empty());
    // What stays of the candidate, column by column: a new one has to be emptied, too.
    names left;
    auto const columns = w.database.owner().run(
        "SELECT key FROM recruiting.candidates c, jsonb_each_text(to_jsonb(c)) WHERE value IS NOT NULL ORDER BY 1");
    for (auto row : columns) left.insert(std::string(row.text()));
    CHECK(left == names{"changed_xid", "created_at", "deleted_at", "erased_at", "id", "links", "name",
                        "organization_id", "record", "sort_name", "tags", "updated_at"});
    CHECK(w.value("SELECT name || links || tags::text FROM recruiting.candidates") == "-[]{}");
}

TEST_CASE("syncs report an erased candidate once, by the number of its deletion", "[recruitctl][erasure]") {
    erasure_world w;
    person_everywhere const who(w.database, "acme");
    cancel(w, who);
    auto const before = w.value("SELECT pg_current_xact_id()");
    REQUIRE(w(erase(who, {"--yes"})) == ctl::done);
    CHECK(w.value("SELECT changed_xid > '" + before + "'::xid8 FROM recruiting.candidates") == "true");
    CHECK(w.value("SELECT record LIKE '\"id\":\"" + to_string(who.candidate) +
                  "\",\"deletedAt\":\"20%' FROM recruiting.candidates") == "true");
    CHECK(w.value("SELECT count(*) FROM recruiting.candidates c JOIN recruiting.reach_changes r "
                  "ON r.candidate_id = c.id AND r.changed_xid = c.changed_xid") == "1");
    CHECK(w.value("SELECT sum(applications) FROM recruiting.job_counts") == "0");
    auto const number = w.value("SELECT changed_xid FROM recruiting.candidates");
    REQUIRE(w(erase(who, {"--yes"})) == ctl::done); // harmless
    CHECK(w.value("SELECT changed_xid FROM recruiting.candidates") == number);
    CHECK(w.value("SELECT count(*) FROM audit_rows WHERE action = 'candidate.erased'") == "1");
}

TEST_CASE("sessions found by name are kept where another person has it, and further names find more",
          "[recruitctl][erasure]") {
    erasure_world w;
    person_everywhere const who(w.database, "acme");
    cancel(w, who);
    auto const namesake = who.add_session("The other Zoe Quimbleton", "", "She is a judge.", "key-6");
    auto const nickname = who.add_session("Call Zoe Q.", "", "Done.", "key-7");
    auto const shown = w.json(erase(who, {}));
    CHECK(named_sessions(shown).size() == 5);
    REQUIRE(w(erase(who, {"--yes", "--keep-session", to_string(namesake), "--name", "Zoe Q"})) == ctl::done);
    CHECK(w.value("SELECT string_agg(id::text, ' ' ORDER BY created_at) FROM recruiting.agent_sessions") ==
          to_dashed_string(who.others_session) + " " + to_dashed_string(namesake));
    CHECK(w.out.find(to_string(nickname)) != std::string::npos);
}

TEST_CASE("what a run of the agent in progress writes of the person is erased, too", "[recruitctl][erasure]") {
    erasure_world w;
    person_everywhere const who(w.database, "acme");
    cancel(w, who);
    auto const session = who.add_session("Anybody new?", "", "", "key-8");
    auto const of_session = " WHERE session_id = '" + to_string(session) + "'";
    w.run("UPDATE recruiting.agent_runs SET status = 'in_progress', reply = NULL, finished_at = NULL, "
          "lease_expires_at = now() + interval '1 hour'" +
          of_session);
    int code = -1;
    erasure_world other; // a console of its own
    std::thread operators([&] { code = other(erase(who, {"--yes"}), w.database); });
    while (w.value("SELECT deleted_at IS NULL FROM recruiting.candidates") == "true") std::this_thread::yield();
    w.run("UPDATE recruiting.agent_messages SET content = 'Zoe Quimbleton is'" + of_session);
    w.run("UPDATE recruiting.agent_runs SET status = 'completed', reply = 'zoe.quimbleton@mail.example', "
          "finished_at = now()" +
          of_session);
    operators.join();
    CHECK(code == ctl::done);
    CHECK(tables_with(w.database, std::string("quimbleton")).empty());
}

TEST_CASE("candidate erase names one person of one organization", "[recruitctl][erasure]") {
    erasure_world w;
    person_everywhere const who(w.database, "acme");
    person_everywhere const elsewhere(w.database, "globex");
    CHECK(w({"candidate", "erase", "--organization", "acme", "--id", to_string(elsewhere.candidate), "--yes"}) ==
          ctl::failed);
    CHECK(w({"candidate", "erase", "--organization", "acme", "--email", "stranger@mail.example", "--yes"}) ==
          ctl::failed);
    CHECK(w({"candidate", "erase", "--organization", "acme", "--email", "no address", "--yes"}) == ctl::usage);
    CHECK(w({"candidate", "erase", "--organization", "acme", "--yes"}) == ctl::usage);
    CHECK(w({"candidate", "erase", "--id", to_string(who.candidate), "--yes"}) == ctl::usage);
    CHECK(w(erase(who, {"--from", "x"})) == ctl::usage);
    CHECK(w(erase(who, {"--keep-session", "x", "--yes"})) == ctl::usage);
    CHECK(w.value("SELECT count(*) FROM recruiting.candidates WHERE deleted_at IS NULL") == "2");
}

TEST_CASE("after a restore what audit head had listed is erased again, and doctor's warning stays until then",
          "[restore][recruitctl][erasure]") {
    erasure_world w;
    person_everywhere const who(w.database, "acme");
    auto const namesake = who.add_session("The other Zoe Quimbleton", "", "", "key-6");
    dump const backup(w.database); // its interview was not canceled yet
    cancel(w, who);
    REQUIRE(w(erase(who, {"--yes", "--keep-session", to_string(namesake)})) == ctl::done);
    REQUIRE(w({"audit", "head", "--json"}) == ctl::done);
    file_of_heads const kept(w.out);

    test_database restored(migrated::no);
    backup.restore_into(restored);
    REQUIRE(w({"key", "revoke", "--from", kept.path}, restored) == ctl::done);
    CHECK(w.err.find("candidate erase --from") != std::string::npos);
    REQUIRE(w({"candidate", "erase", "--from", kept.path}, restored) == ctl::done);
    CHECK(w.out.find("candidate " + to_string(who.candidate) + " erased again") == 0);
    CHECK(tables_with(restored, std::string("quimbleton")) == names{"agent_sessions"});
    CHECK(restored.owner().run("SELECT count(*) FROM recruiting.mail_outbox").integer(0, 0) == 0);
    REQUIRE(w({"candidate", "erase", "--from", kept.path}, restored) == ctl::done); // harmless
    CHECK(w.out.find("0 erased again, 1 were not restored or are erased already") == 0);
    REQUIRE(w({"key", "revoke", "--from", kept.path}, restored) == ctl::done);
    CHECK(w.err.empty());
}

} // namespace candidate_erase_test
