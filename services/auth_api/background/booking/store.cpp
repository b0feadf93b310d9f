#include "auth_api/background/booking/store.hpp"

#include "auth_api/background/clocks.hpp"
#include "mail/address.hpp"

#include <algorithm>
#include <array>
#include <tuple>

namespace recruiting::auth_api::booking {
namespace {

// A booking that another transaction holds for the moment keeps none of the other requests waiting for long.
constexpr auto as_booking_worker_sql =
    "SELECT now(), set_config('recruiting.worker', 'booking', true), set_config('lock_timeout', '500ms', true)";

// SKIP LOCKED: several workers take different requests. Those in excess come last, so that a flood for one address
// delays no other request. Attempts count here, so that a request whose process died of it counts too. A lease from
// before the server's clock was set back is ignored; its holder notices that the lease is another's.
constexpr auto lease_sql = R"sql(
WITH due AS (
    SELECT id FROM recruiting.booking_requests
    WHERE leased_until <= now()
          OR leased_until > now() + )sql" RECRUITING_LONGEST_WAIT("$2") R"sql( AND leased_until < 'infinity'
    ORDER BY excess, received_at, id LIMIT $1::bigint FOR UPDATE SKIP LOCKED)
UPDATE recruiting.booking_requests r
   SET attempts = r.attempts + 1,
       leased_until = CASE WHEN r.attempts >= $3::bigint THEN 'infinity'
                           ELSE clock_timestamp() + $2::bigint * interval '1 millisecond' END
  FROM due WHERE r.id = due.id
RETURNING r.id, r.organization_id, r.job_id, r.stage_id, r.starts_at, r.email, r.time_zone, r.received_at,
          nullif(r.leased_until, 'infinity'), r.language, r.excess
)sql";

// For the metric: how long bookers have been waiting. Those in excess wait for all others.
constexpr auto oldest_sql = "SELECT received_at FROM recruiting.booking_requests "
                            "WHERE leased_until < 'infinity' AND NOT excess ORDER BY excess, received_at, id LIMIT 1";

constexpr auto held_sql = "SELECT FROM recruiting.booking_requests WHERE id = $1 AND leased_until = $2";

// The candidates on this stage to whom the address belongs, with the booking each has.
constexpr auto matched_sql = R"sql(
SELECT c.application_id, c.candidate_id, c.applied_at, c.organization_time_zone, b.id, b.status, b.starts_at, b.ends_at,
       b.wanted_starts_at, b.updated_at
FROM recruiting.booking_candidates c
LEFT JOIN recruiting.bookings b ON b.application_id = c.application_id AND b.stage_id = c.stage_id
WHERE c.organization_id = $1::uuid AND c.job_id = $2::uuid AND c.stage_id = $3::uuid AND c.email_key = $4::text
)sql";

constexpr auto free_sql = R"sql(
SELECT f.id, f.membership_id, f.interviews_ahead
FROM recruiting.free_slots f WHERE f.job_id = $1::uuid AND f.stage_id = $2::uuid AND f.starts_at = $3::timestamptz
)sql";

// Waits for the transaction that is changing the booking (its link's holder), so that the statement after it sees what
// was committed.
constexpr auto lock_booking_sql = "SELECT FROM recruiting.bookings WHERE id = $1::uuid FOR NO KEY UPDATE";

// Parameters: 1 request, 2 its lease, 3 booking or NULL, 4 the version of it that was decided upon. The worker that
// deletes the request is the one who writes what was decided.
constexpr std::string_view taken = R"sql(
WITH taken AS (
    DELETE FROM recruiting.booking_requests r
     WHERE r.id = $1::uuid AND r.leased_until = $2::timestamptz
       AND ($3::uuid IS NULL
            OR EXISTS (SELECT FROM recruiting.bookings b WHERE b.id = $3::uuid AND b.updated_at = $4::timestamptz))
    RETURNING r.id)
)sql";

constexpr std::string_view discard_sql = "SELECT id FROM taken";

// One row an address and stage. Spelling and time are those of the newest request.
constexpr std::string_view keep_unmatched_sql = R"sql(
INSERT INTO recruiting.unmatched_booking_requests AS u (id, organization_id, job_id, stage_id, email, starts_at, time_zone,
                                                        first_received_at, last_received_at, email_key)
SELECT $5::uuid, $6::uuid, $7::uuid, $8::uuid, $9::text, $10::timestamptz, nullif($11::text, ''), $12::timestamptz,
       $12::timestamptz, $13::text
FROM taken
ON CONFLICT (stage_id, email_key) DO UPDATE
   SET email = excluded.email, starts_at = excluded.starts_at, time_zone = excluded.time_zone, requests = u.requests + 1,
       last_received_at = greatest(u.last_received_at, excluded.last_received_at)
RETURNING id
)sql";

constexpr auto bound_unmatched_sql = R"sql(
DELETE FROM recruiting.unmatched_booking_requests WHERE id IN (
    SELECT excess.id FROM unnest($1::uuid[]) AS o (id) CROSS JOIN LATERAL (
        SELECT u.id FROM recruiting.unmatched_booking_requests u WHERE u.organization_id = o.id
         ORDER BY u.last_received_at DESC, u.id DESC OFFSET $2::bigint) AS excess)
)sql";

constexpr std::string_view insert_sql = R"sql(
INSERT INTO recruiting.bookings (status, slot_id, wanted_starts_at, time_zone, room_url, language, id, organization_id,
                                 application_id, candidate_id, job_id, stage_id, calendar_uid)
SELECT $5::text, $6::uuid, $7::timestamptz, $8::text, $9::text, nullif($10::text, ''), $11::uuid, $12::uuid, $13::uuid,
       $14::uuid, $15::uuid, $16::uuid, $17::uuid
FROM taken RETURNING id
)sql";

constexpr std::string_view update_sql = R"sql(
UPDATE recruiting.bookings b SET status = $5::text, slot_id = $6::uuid, wanted_starts_at = $7::timestamptz,
                                 time_zone = $8::text, room_url = $9::text,
                                 language = nullif($10::text, '')
  FROM taken WHERE b.id = $3::uuid RETURNING b.id
)sql";

// A booking's changes write their own mails (recruiting.tell_booking); this one says how it stands.
constexpr std::string_view remind_sql = R"sql(
INSERT INTO recruiting.mail_outbox (id, organization_id, booking_id, audience, kind, membership_id, starts_at, ends_at,
                                    wanted_starts_at, time_zone, calendar_uid, sequence)
SELECT $6::uuid, b.organization_id, b.id, 'candidate',
       CASE b.status WHEN 'confirmed' THEN 'already_booked' ELSE 'slot_taken' END, b.membership_id, b.starts_at,
       b.ends_at, b.wanted_starts_at, $5::text, b.calendar_uid, b.sequence
FROM recruiting.bookings b, taken WHERE b.id = $3::uuid RETURNING id
)sql";

constexpr std::array<std::string_view, 3> status_names = {"confirmed", "unplaced", "canceled"};

std::optional<known_booking> read_booking(pg::row row) {
    if (row.is_null()) return std::nullopt;
    known_booking out;
    std::string_view status_name;
    row.read(out.id, status_name, out.starts_at, out.ends_at, out.wanted_starts_at, out.updated_at);
    auto const name = std::find(status_names.begin(), status_names.end(), status_name);
    out.status = static_cast<status>(name - status_names.begin());
    return out;
}

void add_placing(pg::params& values, request const& asked, decision const& what,
                 std::optional<std::string> const& room_url) {
    bool const confirms = what.act == act::confirm;
    values.text(confirms ? "confirmed" : "unplaced")
        .optional_id(confirms ? std::optional(what.slot->id) : std::nullopt)
        .optional_time(confirms ? std::nullopt : std::optional(asked.starts_at))
        .text(what.time_zone)
        .optional_text(room_url)
        .text(asked.language);
}

// The statement after `taken`, and its parameters from the fifth on.
std::string_view add_outcome(pg::params& values, request const& asked, decision const& what,
                             std::optional<std::string> const& room_url) {
    if (what.act == act::discard) return discard_sql;
    if (what.act == act::remind) {
        values.text(what.time_zone).id(new_record_id());
        return remind_sql;
    }
    add_placing(values, asked, what, room_url);
    if (what.application->booking) return update_sql;
    values.id(new_record_id()).id(asked.organization_id).id(what.application->id).id(what.application->candidate_id);
    values.id(asked.job_id).id(asked.stage_id).id(random_id());
    return insert_sql;
}

std::string_view add_unmatched(pg::params& values, request const& asked) {
    values.id(random_id()).id(asked.organization_id).id(asked.job_id).id(asked.stage_id).text(asked.email);
    values.time(asked.starts_at).text(asked.time_zone).time(asked.received_at).text(asked.email_key);
    return keep_unmatched_sql;
}

} // namespace

std::vector<pg::statement> lease_requests(booking_settings const& settings) {
    auto const limits = pg::params().integer(settings.batch).integer(settings.lease.count()).integer(settings.attempts);
    return {{as_booking_worker_sql, {}}, {oldest_sql, {}}, {lease_sql, limits}};
}

leased_batch read_leased(std::span<pg::rows const> answer) {
    leased_batch out;
    out.now = answer[0].time(0, 0);
    if (!answer[1].empty()) out.oldest = answer[1].time(0, 0);
    for (auto row : answer[2]) {
        request asked;
        std::optional<timestamp> leased_until;
        row.read(asked.id, asked.organization_id, asked.job_id, asked.stage_id, asked.starts_at, asked.email)
            .read(asked.time_zone, asked.received_at, leased_until, asked.language, asked.is_excess);
        if (!leased_until) {
            out.dead_lettered.push_back(asked.id);
            continue;
        }
        asked.leased_until = *leased_until;
        asked.email_key = mail::canonical_address(asked.email).value_or(asked.email);
        out.requests.push_back(std::move(asked));
    }
    std::ranges::sort(out.requests, {},
                      [](request const& asked) { return std::tuple(asked.is_excess, asked.received_at, asked.id); });
    return out;
}

std::vector<pg::statement> select_facts(request const& asked) {
    return {
        {as_booking_worker_sql, {}},
        {held_sql, pg::params().id(asked.id).time(asked.leased_until)},
        {matched_sql, pg::params().id(asked.organization_id).id(asked.job_id).id(asked.stage_id).text(asked.email_key)},
        {free_sql, pg::params().id(asked.job_id).id(asked.stage_id).time(asked.starts_at)}};
}

std::optional<facts> read_facts(std::span<pg::rows const> answer) {
    if (answer[1].empty()) return std::nullopt;
    facts out;
    out.now = answer[0].time(0, 0);
    for (auto row : answer[2]) {
        auto& matched = out.matched.emplace_back();
        row.read(matched.id, matched.candidate_id, matched.applied_at, matched.organization_time_zone);
        matched.booking = read_booking(row);
    }
    for (auto row : answer[3]) out.free.push_back({row.id(), row.id(), row.integer()});
    return out;
}

std::vector<pg::statement> write_decision(request const& asked, decision const& what,
                                          std::optional<std::string> const& room_url, bool keeps_unmatched) {
    std::vector<pg::statement> segment = {{as_booking_worker_sql, {}}};
    auto values = pg::params().id(asked.id).time(asked.leased_until);
    auto const* const booking = what.application && what.application->booking ? &*what.application->booking : nullptr;
    if (booking != nullptr) {
        segment.push_back({lock_booking_sql, pg::params().id(booking->id)});
        values.id(booking->id).time(booking->updated_at);
    } else {
        values.null().null();
    }
    auto const outcome = keeps_unmatched ? add_unmatched(values, asked) : add_outcome(values, asked, what, room_url);
    segment.push_back({std::string(taken) + std::string(outcome), values});
    return segment;
}

bool read_written(std::span<pg::rows const> answer) { return !answer.back().empty(); }

std::vector<pg::statement> bound_unmatched(std::span<uuid const> organizations, std::int64_t most) {
    return {{as_booking_worker_sql, {}}, {bound_unmatched_sql, pg::params().id_array(organizations).integer(most)}};
}

} // namespace recruiting::auth_api::booking
