#include "recruitctl/erasure/erase_store.hpp"

#include "core/text.hpp"
#include "directory/store.hpp"
#include "recruitctl/command.hpp"

namespace recruiting::recruitctl::erasure {
namespace {

constexpr std::string_view select_booked = R"(
SELECT b.id, b.starts_at, m.email FROM recruiting.bookings b JOIN recruiting.memberships m ON m.id = b.membership_id
 WHERE b.candidate_id = ANY ($1::uuid[]) AND b.status = 'confirmed' AND b.ends_at > now()
 ORDER BY b.starts_at, b.id)";

// Without them an interview would stay in the interviewer's calendar, with the candidate's name.
constexpr std::string_view count_cancellations = R"(
SELECT count(*) FROM recruiting.mail_outbox o JOIN recruiting.bookings b ON b.id = o.booking_id
 WHERE b.candidate_id = ANY ($1::uuid[]) AND o.audience = 'interviewer' AND o.kind IN ('canceled', 'declined')
   AND o.status = 'waiting' AND o.ends_at > now())";

// An interview that has begun can't be canceled.
constexpr std::string_view cancel_booked = R"(
UPDATE recruiting.bookings SET status = 'canceled'
 WHERE candidate_id = ANY ($1::uuid[]) AND status = 'confirmed' AND starts_at > now())";

constexpr std::string_view count_all = R"(
SELECT (SELECT count(*) FROM recruiting.applications WHERE candidate_id = ANY ($1::uuid[])),
       (SELECT count(*) FROM recruiting.bookings WHERE candidate_id = ANY ($1::uuid[])),
       (SELECT count(*) FROM recruiting.mail_outbox o JOIN recruiting.bookings b ON b.id = o.booking_id
         WHERE b.candidate_id = ANY ($1::uuid[])),
       (SELECT count(*) FROM recruiting.unmatched_booking_requests
         WHERE organization_id = $2 AND email_key = ANY ($3::text[])))";

constexpr std::string_view hide_candidates = R"(
UPDATE recruiting.candidates SET deleted_at = clock_timestamp()
 WHERE id = ANY ($1::uuid[]) AND deleted_at IS NULL)";

// Applications before candidates, as changes of applications lock them; a booking that is being made is waited for.
// Imports of the organization lock both in another order, and have a lock of their own.
constexpr std::string_view lock_imports =
    "SELECT pg_advisory_xact_lock(hashtextextended('recruiting.import.' || $1::uuid::text, 0))::text";
constexpr std::string_view lock_applications =
    "SELECT FROM recruiting.applications WHERE candidate_id = ANY ($1::uuid[]) ORDER BY id FOR UPDATE";
constexpr std::string_view lock_candidates =
    "SELECT FROM recruiting.candidates WHERE id = ANY ($1::uuid[]) ORDER BY id FOR UPDATE";

constexpr std::string_view delete_unmatched = R"(
DELETE FROM recruiting.unmatched_booking_requests WHERE organization_id = $1 AND email_key = ANY ($2::text[]))";
constexpr std::string_view delete_requests = "DELETE FROM recruiting.booking_requests WHERE id = ANY ($1::uuid[])";

// What retention does as well. A name of "-" is left; a naming finds no character in it.
constexpr std::string_view erase_candidates = "SELECT recruiting.erase_candidates($1::uuid[])::text";

constexpr std::string_view list_erased = R"(
INSERT INTO recruiting.erasures (subject_id, organization_id, kept_sessions)
SELECT c, $2, $3::uuid[] FROM unnest($1::uuid[]) AS c
    ON CONFLICT DO NOTHING RETURNING subject_id)";

constexpr std::string_view select_list = R"(
SELECT subject_id, organization_id, erased_at, array_to_string(kept_sessions, ',') FROM recruiting.erasures
 WHERE $1::uuid IS NULL OR organization_id = $1 ORDER BY subject_id)";

constexpr std::string_view select_present = R"(
SELECT s.subject_id FROM unnest($1::uuid[], $2::uuid[]) AS s (subject_id, organization_id)
 WHERE NOT EXISTS (SELECT FROM recruiting.erasures e WHERE e.subject_id = s.subject_id)
   AND (EXISTS (SELECT FROM recruiting.candidates c
                 WHERE c.id = s.subject_id AND c.organization_id = s.organization_id)
        OR EXISTS (SELECT FROM recruiting.organizations o WHERE o.id = s.subject_id AND o.id = s.organization_id))
 ORDER BY s.subject_id)";

pg::params candidates_of(person const& of) { return pg::params{}.id_array(of.candidates); }

} // namespace

interviews_ahead select_interviews(pg::client& database, person const& of) {
    interviews_ahead ahead;
    auto const booked = database.run(select_booked, candidates_of(of));
    for (auto row : booked) {
        auto& one = ahead.booked.emplace_back();
        row.read(one.booking_id, one.starts_at, one.interviewer_email);
    }
    ahead.cancellations_waiting = database.run(count_cancellations, candidates_of(of)).integer(0, 0);
    return ahead;
}

void cancel_interviews(pg::client& database, person const& of) { database.run(cancel_booked, candidates_of(of)); }

record_counts count_records(pg::client& database, person const& of) {
    record_counts counts;
    auto const found = database.run(count_all, candidates_of(of).id(of.organization_id).text_array(of.address_keys));
    found[0].read(counts.applications, counts.bookings, counts.mails, counts.booking_requests);
    counts.booking_requests += static_cast<std::int64_t>(find_booking_requests(database, of).size());
    return counts;
}

void hide(pg::client& database, person const& of) { database.run(hide_candidates, candidates_of(of)); }

record_counts erase_records(pg::client& database, person const& of, std::span<uuid const> kept_sessions,
                            bool interviews_are_told) {
    pg::transaction transaction(database);
    database.run(lock_imports, pg::params{}.id(of.organization_id));
    database.run(lock_applications, candidates_of(of));
    database.run(lock_candidates, candidates_of(of));
    auto const ahead = interviews_are_told ? interviews_ahead{} : select_interviews(database, of);
    if (!ahead.booked.empty() || ahead.cancellations_waiting > 0)
        throw failure("an interview was booked or canceled meanwhile: the candidate is hidden; run the command again");
    hide(database, of); // an import may have restored the candidate
    auto const counts = count_records(database, of);
    auto const requests = find_booking_requests(database, of);
    database.run(erase_candidates, candidates_of(of));
    database.run(delete_requests, pg::params{}.id_array(requests));
    database.run(delete_unmatched, pg::params{}.id(of.organization_id).text_array(of.address_keys));
    auto const added = database.run(list_erased, candidates_of(of).id(of.organization_id).id_array(kept_sessions));
    for (auto row : added)
        directory::record_change(database, {of.organization_id, "candidate.erased", "candidate", row.id()}, {});
    transaction.commit();
    return counts;
}

std::vector<erased_subject> select_erasures(pg::client& database, std::optional<uuid> const& of) {
    std::vector<erased_subject> listed;
    auto const found = database.run(select_list, pg::params{}.optional_id(of));
    for (auto row : found) {
        auto& one = listed.emplace_back();
        std::string_view kept;
        row.read(one.subject_id, one.organization_id, one.erased_at, kept);
        if (kept.empty()) continue;
        for (auto const id : split(kept, ',')) one.kept_sessions.push_back(parse_id(id).value());
    }
    return listed;
}

std::vector<erased_subject> select_restored(pg::client& database, std::map<uuid, erased_subject> const& among) {
    std::vector<uuid> subjects;
    std::vector<uuid> organizations;
    for (auto const& [id, one] : among) {
        subjects.push_back(id);
        organizations.push_back(one.organization_id);
    }
    std::vector<erased_subject> restored;
    auto const found = database.run(select_present, pg::params{}.id_array(subjects).id_array(organizations));
    for (auto row : found) restored.push_back(among.at(row.id()));
    return restored;
}

} // namespace recruiting::recruitctl::erasure
