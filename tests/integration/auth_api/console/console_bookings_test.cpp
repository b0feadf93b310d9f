// Bookings as members act on them in the console: who may, what the database places, mails and tells of it.
#include "auth/authenticate_store.hpp"
#include "auth_api/console/endpoints.hpp"
#include "core/text.hpp"
#include "integration/auth_api/console/changes.hpp"
#include "interviews/bookings.hpp"
#include "support/catch.hpp"

#include <boost/json/parse.hpp>
#include <thread>

namespace console_bookings_test {
using namespace recruiting;
using namespace recruiting::test;
using namespace recruiting::auth_api;
using namespace recruiting::auth_api::console;

namespace {

using lines = std::vector<std::string>;

// A job with a stage; the hiring manager is on its team, and another one is not.
struct fixture : console_changes {
    digest const recruiter = join("rea", role::recruiter);
    digest const manager = join("max", role::hiring_manager);
    digest const stranger = join("una", role::hiring_manager);
    digest const interviewer = join("ida", role::interviewer);
    digest const viewer = join("vic", role::viewer);
    uuid const job = new_record_id();
    uuid const stage = new_record_id();

    fixture() {
        static_cast<void>(join("ben", role::interviewer));
        owner.run("INSERT INTO recruiting.jobs (id, organization_id, title, status, published) VALUES ($1, $2, "
                  "'Engineer', 'open', true)",
                  pg::params{}.id(job).id(organization.id));
        owner.run("INSERT INTO recruiting.stages (id, organization_id, job_id, name, kind, position, bookable, "
                  "interview_duration_minutes) VALUES ($1, $2, $3, 'Talk', 'interview', 1, true, 60)",
                  pg::params{}.id(stage).id(organization.id).id(job));
        owner.run("INSERT INTO recruiting.hiring_teams (organization_id, job_id, membership_id) VALUES ($1, $2, $3)",
                  pg::params{}.id(organization.id).id(job).id(member("max")));
    }
    uuid member(std::string_view name) {
        return owner
            .run("SELECT m.id FROM recruiting.memberships m JOIN recruiting.users u ON u.id = m.user_id WHERE "
                 "m.organization_id = $1 AND u.email_key = $2",
                 pg::params{}.id(organization.id).text(email(name)))
            .id(0, 0);
    }
    /// An open slot that begins in so many minutes.
    uuid add_slot(std::string_view who, int minutes, std::optional<std::string> const& join_url = std::nullopt) {
        auto const id = new_record_id();
        owner.run("INSERT INTO recruiting.interview_slots (id, organization_id, job_id, stage_id, membership_id, "
                  "starts_at, ends_at, join_url) SELECT $1, $2, $3, $4, $5, t.at, t.at + interval '1 hour', $7 FROM "
                  "(SELECT date_trunc('minute', now()) + $6::bigint * interval '1 minute' AS at) t",
                  pg::params{}
                      .id(id)
                      .id(organization.id)
                      .id(job)
                      .id(stage)
                      .id(member(who))
                      .integer(minutes)
                      .optional_text(join_url));
        return id;
    }
    /// A confirmed booking in the slot, of a candidate on the stage.
    uuid book(uuid const& slot) {
        auto const candidate = new_record_id();
        auto const application = new_record_id();
        auto const id = new_record_id();
        owner.run("INSERT INTO recruiting.candidates (id, organization_id, name, email, email_key) VALUES ($1, $2, "
                  "'Jo', $3, $3)",
                  pg::params{}.id(candidate).id(organization.id).text(to_string(candidate) + "@mail.example"));
        owner.run("INSERT INTO recruiting.applications (id, organization_id, candidate_id, job_id, stage_id) VALUES "
                  "($1, $2, $3, $4, $5)",
                  pg::params{}.id(application).id(organization.id).id(candidate).id(job).id(stage));
        owner.run(
            "INSERT INTO recruiting.bookings (id, organization_id, application_id, candidate_id, job_id, "
            "stage_id, status, slot_id, time_zone, calendar_uid) VALUES ($1, $2, $3, $4, $5, $6, 'confirmed', $7, "
            "'UTC', gen_random_uuid())",
            pg::params{}.id(id).id(organization.id).id(application).id(candidate).id(job).id(stage).id(slot));
        return id;
    }
    void begin(uuid const& booking) {
        owner.run("UPDATE recruiting.bookings SET starts_at = now() - interval '1 minute' WHERE id = $1",
                  pg::params{}.id(booking));
    }
    std::string act(change_function what, digest const& session, uuid const& booking, std::string const& body = "{}") {
        return outcome({what, session, to_string(booking), body});
    }
    std::string cancel(digest const& session, uuid const& booking) {
        return act(cancel_interview_booking, session, booking);
    }
    std::string move(digest const& session, uuid const& booking, uuid const& slot) {
        return act(move_interview_booking, session, booking, R"({"slotId":")" + to_string(slot) + "\"}");
    }
    std::string hand_over(digest const& session, uuid const& booking, std::string_view who) {
        return act(hand_over_interview_booking, session, booking, R"({"memberId":")" + to_string(member(who)) + "\"}");
    }
    /// "candidate rescheduled 1", "interviewer canceled 1 ida": mails since the last call, with their calendar's
    /// SEQUENCE. Counts those whose UID is not the booking's.
    lines mails(uuid const& booking, int* of_other_events = nullptr) {
        auto const found = owner.run(
            "DELETE FROM recruiting.mail_outbox o USING recruiting.bookings b WHERE b.id = $1 AND o.booking_id = b.id "
            "RETURNING concat_ws(' ', o.audience, o.kind, o.sequence, CASE o.audience WHEN 'interviewer' THEN (SELECT "
            "split_part(m.email, '@', 1) FROM recruiting.memberships m WHERE m.id = o.membership_id) END), "
            "o.calendar_uid = b.calendar_uid",
            pg::params{}.id(booking));
        lines out;
        for (auto row : found) {
            out.emplace_back(row.text());
            if (bool const same = row.boolean(); of_other_events == nullptr) CHECK(same);
            else if (!same) ++*of_other_events;
        }
        std::ranges::sort(out);
        return out;
    }
    std::string state(uuid const& booking) {
        auto const found = owner.run(
            "SELECT concat_ws(' ', b.status, split_part(m.email, '@', 1)) FROM recruiting.bookings b LEFT JOIN "
            "recruiting.memberships m ON m.id = b.membership_id WHERE b.id = $1",
            pg::params{}.id(booking));
        return std::string(found.text(0, 0));
    }
    std::string link_of(uuid const& booking) {
        auto const made = call({create_booking_link, admin, to_string(booking)});
        REQUIRE_FALSE(made.error);
        auto const url = boost::json::parse(made.answer.body).at("data").at("url").as_string();
        return std::string(url.subview(url.rfind('/') + 1));
    }
    /// What recruiting_public sees of the booking with this token.
    std::string presented(std::string const& token) {
        pg::client visitor(database.public_url(), "tests");
        visitor.run("SELECT set_config('recruiting.booking_token', $1, false)",
                    pg::params{}.text(to_hex(bytes_of(sha256(token)))));
        auto const found = visitor.run("SELECT status FROM recruiting.presented_booking");
        return found.empty() ? "nothing" : std::string(found.text(0, 0));
    }
    /// "rescheduled by member Rea, 1 h later, with Ida", the first first, or the error's code.
    lines timeline(digest const& session, uuid const& booking) {
        pg::client service(database.auth_url(), "tests");
        http::path_params path;
        auto const id = to_string(booking);
        path.values[0] = id;
        path.count = 1;
        std::string const text_of_query;
        http::query_reader query(text_of_query);
        http::token_signer const signer("secret of the tests");
        bind_input in{path, query, signer};
        auto const prepared = get_booking_timeline(in).value();
        pg::transaction const transaction(service);
        auto const found = service.run(auth::authenticate(auth::credential(session, auth::principal_kind::member)));
        auto const caller = auth::read_principal(found, auth::principal_kind::member).value();
        std::vector<pg::rows> rows;
        for (auto const& statement : prepared.statements) rows.push_back(service.run(statement));
        http::response answer;
        render_context const context{caller, signer, "", text_of_query, ""};
        auto const done = prepared.render(rows, context, answer);
        if (!done) return {std::string(to_string(done.error().code))};
        CHECK(answer.body.find("Jo\"") == std::string::npos); // the candidate
        lines out;
        auto const text = [](boost::json::value const& value) {
            return value.is_null() ? std::string("-") : std::string(value.as_string());
        };
        auto const document = boost::json::parse(answer.body);
        for (auto const& entry : document.at("data").as_array()) {
            auto const& by = entry.at("by");
            out.push_back(text(entry.at("event")) + " " + text(by.at("kind")) + " " + text(by.at("name")) + " " +
                          text(entry.at("interviewer")) + (entry.at("from").is_null() ? "" : " from") +
                          (entry.at("to").is_null() ? "" : " to"));
        }
        return out;
    }
    std::string name_of(std::string_view who) {
        return std::string(owner
                               .run("SELECT coalesce(m.invited_name, u.name) FROM recruiting.memberships m JOIN "
                                    "recruiting.users u ON u.id = m.user_id WHERE m.id = $1",
                                    pg::params{}.id(member(who)))
                               .text(0, 0));
    }
};

} // namespace

TEST_CASE_METHOD(fixture, "members act on the bookings that their role reaches", "[console]") {
    auto const booking = book(add_slot("ida", 600));
    auto const other = add_slot("ida", 900);
    for (auto const* session : {&interviewer, &viewer}) {
        CHECK(cancel(*session, booking) == "403 insufficient_role");
        CHECK(move(*session, booking, other) == "403 insufficient_role");
        CHECK(hand_over(*session, booking, "ben") == "403 insufficient_role");
        CHECK(act(resend_interview_confirmation, *session, booking) == "403 insufficient_role");
        CHECK(act(create_booking_link, *session, booking) == "403 insufficient_role");
    }
    CHECK(cancel(stranger, booking) == "404 not_found");
    console_changes elsewhere;
    CHECK(elsewhere.outcome({cancel_interview_booking, elsewhere.admin, to_string(booking), "{}", "",
                             elsewhere.organization.id}) == "404 not_found");
    CHECK(state(booking) == "confirmed ida");
    CHECK(move(manager, booking, other) == "200");
    CHECK(hand_over(recruiter, booking, "ben") == "200");
    CHECK(cancel(manager, booking) == "200");
    CHECK(cancel(admin, booking) == "200"); // the same again
    CHECK(audited(to_string(booking)) == lines{"booking.confirmed system  ",
                                               "booking.rescheduled member " + email("max") + " hiring_manager",
                                               "booking.handed_over member " + email("rea") + " recruiter",
                                               "booking.canceled member " + email("max") + " hiring_manager"});
}

TEST_CASE_METHOD(fixture, "each change of a member's is mailed with the event's UID and a higher SEQUENCE",
                 "[console]") {
    auto const booking = book(add_slot("ida", 600, "https://meet.example/ida"));
    auto const bens = add_slot("ben", 900);
    CHECK(mails(booking) == lines{"candidate confirmed 0", "interviewer confirmed 0 ida"});
    CHECK(move(admin, booking, add_slot("ida", 800)) == "200");
    CHECK(mails(booking) == lines{"candidate rescheduled 1", "interviewer rescheduled 1 ida"});
    CHECK(move(admin, booking, bens) == "200");
    CHECK(mails(booking) ==
          lines{"candidate rescheduled 2", "interviewer canceled 2 ida", "interviewer confirmed 2 ben"});
    CHECK(hand_over(admin, booking, "ida") == "200");
    CHECK(mails(booking) ==
          lines{"candidate handed_over 3", "interviewer canceled 3 ben", "interviewer confirmed 3 ida"});
    CHECK(hand_over(admin, booking, "ida") == "200"); // hers already
    CHECK(mails(booking).empty());
    CHECK(act(resend_interview_confirmation, admin, booking) == "202");
    CHECK(mails(booking) == lines{"candidate confirmed 3"});
    CHECK(cancel(admin, booking) == "200");
    CHECK(mails(booking) == lines{"candidate canceled 4", "interviewer canceled 4 ida"});
    CHECK(move(admin, booking, bens) == "200");
    CHECK(state(booking) == "confirmed ben");
    CHECK(mails(booking) == lines{"candidate confirmed 0", "interviewer confirmed 0 ben"});
}

TEST_CASE_METHOD(fixture, "an interview is handed to a member who is free, in their slot or a new one", "[console]") {
    auto const booking = book(add_slot("ida", 600, "https://meet.example/ida"));
    auto const bens = add_slot("ben", 600, "https://meet.example/ben");
    CHECK(hand_over(admin, booking, "ben") == "200");
    auto const slot_of = [&] {
        return owner.run("SELECT slot_id FROM recruiting.bookings WHERE id = $1", pg::params{}.id(booking)).id(0, 0);
    };
    CHECK(slot_of() == bens);
    CHECK(hand_over(admin, booking, "rea") == "200");
    auto const opened =
        owner.run("SELECT s.membership_id, s.join_url, s.starts_at = b.starts_at AND s.ends_at = b.ends_at "
                  "FROM recruiting.bookings b JOIN recruiting.interview_slots s ON s.id = b.slot_id WHERE "
                  "b.id = $1",
                  pg::params{}.id(booking));
    CHECK(opened.id(0, 0) == member("rea"));
    CHECK(opened.is_null(0, 1));
    CHECK(opened.boolean(0, 2));
    CHECK(audited(to_string(stage)) == lines{"slot.opened member " + email("admin") + " admin"});

    static_cast<void>(book(add_slot("max", 630))); // overlaps
    CHECK(hand_over(admin, booking, "max") == "409 slot_taken");
    CHECK(audited(to_string(stage)).size() == 1);
    CHECK(act(hand_over_interview_booking, admin, booking, R"({"memberId":")" + to_string(new_record_id()) + "\"}") ==
          "400 memberId unknown");
    CHECK(cancel(admin, booking) == "200");
    CHECK(hand_over(admin, booking, "ben") == "409 booking_closed");
    CHECK(act(resend_interview_confirmation, admin, booking) == "409 booking_closed");
}

TEST_CASE_METHOD(fixture, "an interview is moved into a free slot of its stage", "[console]") {
    auto const booking = book(add_slot("ida", 600));
    auto const taken = add_slot("ben", 600);
    static_cast<void>(book(taken));
    CHECK(move(admin, booking, taken) == "409 slot_taken");
    auto const closed = add_slot("ben", 800);
    owner.run("UPDATE recruiting.interview_slots SET closed_at = now() WHERE id = $1", pg::params{}.id(closed));
    CHECK(move(admin, booking, closed) == "409 slot_taken");
    CHECK(move(admin, booking, add_slot("ben", -30)) == "409 slot_taken");
    CHECK(move(admin, booking, new_record_id()) == "400 slotId unknown");
    CHECK(act(move_interview_booking, admin, booking, R"({"slotStart":"x"})").starts_with("400 "));
    CHECK(state(booking) == "confirmed ida");
    owner.run("UPDATE recruiting.applications SET status = 'rejected' WHERE job_id = $1", pg::params{}.id(job));
    CHECK(move(admin, booking, add_slot("ben", 1000)) == "400 slotId not_allowed");
}

TEST_CASE_METHOD(fixture, "an interview that has begun is changed no more", "[console]") {
    auto const booking = book(add_slot("ida", 600));
    auto const other = add_slot("ida", 900);
    begin(booking);
    for (auto const& session : {admin, manager}) {
        CHECK(cancel(session, booking) == "409 booking_closed");
        CHECK(move(session, booking, other) == "409 booking_closed");
        CHECK(hand_over(session, booking, "ben") == "409 booking_closed");
        CHECK(act(resend_interview_confirmation, session, booking) == "409 booking_closed");
        CHECK(act(create_booking_link, session, booking) == "409 booking_closed");
    }
}

TEST_CASE_METHOD(fixture, "a copied link manages the booking, and links are bounded per hour", "[console]") {
    auto const booking = book(add_slot("ida", 600));
    auto const token = link_of(booking);
    CHECK(token.size() == 43);
    CHECK(presented(token) == "confirmed");
    CHECK(presented(join_token_of(token)) == "nothing"); // joins, and manages nothing
    auto const expiry = owner.run("SELECT expires_at > now() + interval '29 days' FROM recruiting.booking_tokens WHERE "
                                  "booking_id = $1",
                                  pg::params{}.id(booking));
    CHECK(expiry.boolean(0, 0));
    // The confirmation and this link count.
    for (auto sent = 2; sent < interviews::most_links_per_hour; ++sent)
        CHECK(act(resend_interview_confirmation, admin, booking) == "202");
    CHECK(act(resend_interview_confirmation, manager, booking) == "429 rate_limited");
    auto const refused = call({create_booking_link, recruiter, to_string(booking)});
    REQUIRE(refused.error);
    CHECK(refused.error->details.at(0).reason == "booking_changes");
    CHECK(refused.error->retry_after_seconds > 0);
    CHECK(refused.error->retry_after_seconds <= 3600);
    CHECK(audited(to_string(booking)) == lines{"booking.confirmed system  ",
                                               "booking.link_created member " + email("admin") + " admin",
                                               "booking.resent member " + email("admin") + " admin",
                                               "booking.resent member " + email("admin") + " admin",
                                               "booking.resent member " + email("admin") + " admin"});
    owner.run("UPDATE recruiting.booking_tokens SET created_at = created_at - interval '1 hour' WHERE booking_id = $1",
              pg::params{}.id(booking));
    CHECK(act(create_booking_link, admin, booking) == "201");
}

TEST_CASE_METHOD(fixture, "a booking's timeline tells those who see it what happened and who did it", "[console]") {
    auto const booking = book(add_slot("ida", 600));
    CHECK(move(recruiter, booking, add_slot("ida", 900)) == "200");
    CHECK(act(resend_interview_confirmation, admin, booking) == "202");
    CHECK(act(create_booking_link, manager, booking) == "201");
    auto const ida = name_of("ida");
    lines const until_now = {
        "confirmed candidate - " + ida + " to", "rescheduled member " + name_of("rea") + " " + ida + " from to",
        "resent member " + name_of("admin") + " -", "link_created member " + name_of("max") + " -"};
    for (auto const& session : {digest{admin}, digest{recruiter}, digest{manager}, digest{interviewer}})
        CHECK(timeline(session, booking) == until_now);
    CHECK(timeline(stranger, booking) == lines{"not_found"});
    CHECK(timeline(viewer, booking) == lines{"insufficient_role"});
    console_changes elsewhere;
    CHECK(timeline(elsewhere.admin, booking) == lines{"not_found"});
    static_cast<void>(owner.run("SELECT recruiting.seal_audit_rows(10000)"));
    CHECK(timeline(admin, booking) == until_now); // from the audit log itself
    CHECK(hand_over(admin, booking, "ben") == "200");
    CHECK(timeline(admin, booking).back() == "handed_over member " + name_of("admin") + " " + name_of("ben") + " to");
    CHECK(timeline(interviewer, booking) == lines{"not_found"}); // hers no more
    static_cast<void>(mails(booking));
    CHECK(timeline(admin, booking).back() == "handed_over member " + name_of("admin") + " -");
}

TEST_CASE_METHOD(fixture, "what runs with the owner's rights reaches what the caller's role does", "[roles]") {
    auto const booking = book(add_slot("ida", 600));
    pg::client attacker{database.auth_url(), "tests"};
    auto const set = [&](std::string const& name, std::string const& value) {
        attacker.run("SELECT set_config('recruiting.' || $1, $2, false)", pg::params().text(name).text(value));
    };
    auto const resend = [&] {
        return !attacker.run("SELECT recruiting.resend_confirmation($1, 5)", pg::params{}.id(booking)).is_null(0, 0);
    };
    auto const link = [&] {
        return !attacker
                    .run("SELECT recruiting.add_booking_link($1, 5, sha256('a'), sha256('b'), interval '1 day')",
                         pg::params{}.id(booking))
                    .is_null(0, 0);
    };
    auto const seen = [&] {
        return attacker.run("SELECT FROM recruiting.booking_timeline($1)", pg::params{}.id(booking)).size() > 0;
    };
    CHECK_FALSE(seen());
    set("worker", "console");
    set("organization_id", to_string(organization.id));
    set("role", "admin");
    console_changes elsewhere;
    for (auto const& session : {digest{interviewer}, digest{viewer}, digest{stranger}, digest{elsewhere.admin}}) {
        set("session_hash", to_hex(bytes_of(session)));
        CHECK_FALSE(resend());
        CHECK_FALSE(link());
        CHECK(attacker.run("UPDATE recruiting.bookings SET status = 'canceled' WHERE id = $1", pg::params{}.id(booking))
                  .affected() == 0);
    }
    set("session_hash", to_hex(bytes_of(manager)));
    CHECK(resend());
    CHECK(link());
    set("organization_id", to_string(elsewhere.organization.id));
    CHECK_FALSE(seen());
    begin(booking);
    CHECK_FALSE(resend());
    CHECK_FALSE(link());
}

TEST_CASE_METHOD(fixture, "a candidate who moves and a member who cancels at once end as one after the other",
                 "[console]") {
    for (auto round = 0; round < 8; ++round) {
        auto const booking = book(add_slot("ida", 600 + 200 * round));
        auto const free = add_slot("ida", 700 + 200 * round);
        auto const token = link_of(booking);
        static_cast<void>(mails(booking));
        std::thread moving([&] {
            pg::client visitor(database.public_url(), "tests");
            pg::transaction transaction(visitor);
            visitor.run("SELECT set_config('recruiting.booking_token', $1, true)",
                        pg::params{}.text(to_hex(bytes_of(sha256(token)))));
            visitor.run("UPDATE recruiting.bookings SET status = 'confirmed', slot_id = $1", pg::params{}.id(free));
            transaction.commit();
        });
        auto const canceled = cancel(admin, booking);
        moving.join();
        CHECK(canceled == "200");
        int of_other_events = 0;
        auto const told = mails(booking, &of_other_events);
        INFO(state(booking));
        if (state(booking).starts_with("canceled")) {
            CHECK(told == lines{"candidate canceled 2", "candidate rescheduled 1", "interviewer canceled 2 ida",
                                "interviewer rescheduled 1 ida"});
            CHECK(of_other_events == 0);
        } else { // booked anew, as another event
            CHECK(told == lines{"candidate canceled 1", "candidate confirmed 0", "interviewer canceled 1 ida",
                                "interviewer confirmed 0 ida"});
            CHECK(of_other_events == 2);
        }
    }
}

} // namespace console_bookings_test
