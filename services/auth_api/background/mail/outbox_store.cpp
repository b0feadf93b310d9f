#include "auth_api/background/mail/outbox_store.hpp"

#include "auth_api/background/clocks.hpp"
#include "pg/periodic_task.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace recruiting::auth_api::mailing {
namespace {

// SKIP LOCKED: several senders take different mails. A recipient who is owed an earlier mail about a booking gets that
// one first, even while it is being sent or waits for another attempt; not while it is held back. The time of the first
// attempt begins anew when attempts do (recruitctl mail resend), and when the server's clock was set back.
constexpr auto lease_sql = R"sql(
WITH due AS (
    SELECT m.id FROM recruiting.mail_outbox m
     WHERE m.status = 'waiting' AND m.next_attempt_at <= clock_timestamp()
       AND (m.leased_until IS NULL OR m.leased_until <= clock_timestamp())
       AND NOT EXISTS (SELECT FROM recruiting.mail_outbox e
                        WHERE e.booking_id = m.booking_id AND e.status = 'waiting' AND e.audience = m.audience
                          AND (m.audience = 'candidate' OR e.membership_id = m.membership_id)
                          AND (e.held_until IS NULL OR e.held_until <= clock_timestamp())
                          AND (e.created_at, e.id) < (m.created_at, m.id))
     ORDER BY m.next_attempt_at, m.id LIMIT 1 FOR UPDATE OF m SKIP LOCKED)
UPDATE recruiting.mail_outbox o
   SET lease = $1::uuid, leased_until = clock_timestamp() + $2::bigint * interval '1 millisecond',
       attempts = o.attempts + 1,
       first_attempt_at = least(clock_timestamp(), CASE WHEN o.attempts > 0 THEN o.first_attempt_at END)
  FROM due WHERE o.id = due.id
RETURNING o.id, o.audience = 'member'
)sql";

constexpr auto open_sql = R"sql(
SELECT m.id, m.booking_id, m.audience, m.kind, m.starts_at, m.ends_at, m.previous_starts_at, m.wanted_starts_at,
       m.time_zone, m.calendar_uid, m.sequence, m.attempts, m.first_attempt_at, m.created_at, clock_timestamp(),
       c.organization_name, c.organization_time_zone, c.job_title, c.stage_name, c.candidate_name, c.candidate_email,
       c.candidate_email_key, c.interviewer_name, c.interviewer_email, c.language, c.has_meeting_url, c.logo_url, c.accent_color
FROM recruiting.mail_outbox m JOIN recruiting.mail_content c ON c.id = m.id
WHERE m.id = $1::uuid AND m.lease = $2::uuid AND m.status = 'waiting'
)sql";

// Counts the mail for its recipient's UTC day, once; no row: it waits for the next. An address is counted for each
// organization, an interviewer for each interview: one candidate must not use up what another's interview needs. Anyone
// who knows an address can cause replies (a mail that says how things stand), so these have half of the day's mails,
// and never those that a candidate's own changes need. The count of all organizations spares the person's mailbox. It
// holds back no booking's first mails of the day, replies not counted: otherwise one organization, or a stranger who
// causes replies, could hold back another's. It is read without a lock, so mails that are sent at the same moment may
// exceed it.
constexpr auto count_sql = R"sql(
WITH mail AS (
    SELECT m.id, m.counted_on, day.today, (m.kind IN ('slot_taken', 'already_booked'))::integer AS reply,
           sha256(convert_to(CASE m.audience
                                 WHEN 'candidate' THEN 'candidate of ' || m.organization_id || ' ' || $4::text
                                 ELSE 'interviewer ' || m.membership_id || ' ' || m.booking_id END, 'UTF8')) AS recipient,
           CASE m.audience WHEN 'candidate' THEN sha256(convert_to('candidate ' || $4::text, 'UTF8')) END AS address,
           (SELECT count(*) FROM recruiting.mail_outbox e
             WHERE e.booking_id = m.booking_id AND e.audience = m.audience AND e.counted_on = day.today
               AND e.kind NOT IN ('slot_taken', 'already_booked')) < $5::bigint AS is_early
      FROM recruiting.mail_outbox m CROSS JOIN (SELECT (clock_timestamp() AT TIME ZONE 'UTC')::date AS today) AS day
     WHERE m.id = $1::uuid AND m.lease = $2::uuid AND m.status = 'waiting'),
admitted AS (
    SELECT * FROM mail WHERE counted_on IS DISTINCT FROM today
       AND ((is_early AND reply = 0) OR NOT EXISTS (
                SELECT FROM recruiting.booking_mail_counts n
                 WHERE n.recipient = mail.address AND n.day = mail.today
                   AND (n.mails >= $3::bigint OR (mail.reply > 0 AND n.replies >= $3::bigint / 2))))),
counted AS (
    INSERT INTO recruiting.booking_mail_counts AS n (recipient, day, mails, replies)
    SELECT recipient, today, 1, reply FROM admitted
        ON CONFLICT (recipient, day) DO UPDATE SET mails = n.mails + 1, replies = n.replies + excluded.replies
     WHERE n.mails < $3::bigint AND (excluded.replies = 0 OR n.replies < $3::bigint / 2)
    RETURNING recipient),
counted_for_address AS (
    INSERT INTO recruiting.booking_mail_counts AS n (recipient, day, mails, replies)
    SELECT address, today, 1, reply FROM admitted WHERE address IS NOT NULL AND EXISTS (SELECT FROM counted)
        ON CONFLICT (recipient, day) DO UPDATE SET mails = n.mails + 1, replies = n.replies + excluded.replies)
UPDATE recruiting.mail_outbox o SET counted_on = mail.today
  FROM mail WHERE o.id = mail.id AND (mail.counted_on = mail.today OR EXISTS (SELECT FROM counted))
RETURNING o.id
)sql";
// A day's confirmation, change and cancellation of an interview.
constexpr std::int64_t early_mails_of_booking = 3;

// Every attempt has links of its own, for no link is kept in clear. They work before the mail can be read. An
// interviewer is sent the one that joins, and never the one that manages. No link of a booking ends before another.
constexpr auto add_link_sql = R"sql(
INSERT INTO recruiting.booking_tokens (hash, join_hash, membership_id, told_starts_at, organization_id, booking_id,
                                       expires_at)
SELECT $3::bytea, $5::bytea, CASE m.audience WHEN 'interviewer' THEN m.membership_id END, m.starts_at,
       m.organization_id, m.booking_id,
       greatest(coalesce(m.ends_at, m.wanted_starts_at) + interval '1 day',
                clock_timestamp() + $4::bigint * interval '1 millisecond',
                (SELECT max(t.expires_at) FROM recruiting.booking_tokens t WHERE t.booking_id = m.booking_id))
FROM recruiting.mail_outbox m
WHERE m.id = $1::uuid AND m.lease = $2::uuid AND m.status = 'waiting'
  AND m.counted_on = (clock_timestamp() AT TIME ZONE 'UTC')::date
  AND (m.audience = 'candidate' OR m.kind NOT IN ('canceled', 'declined'))
RETURNING expires_at
)sql";

// Works until the interview begins, and says so for a day after its end.
constexpr auto add_decline_link_sql = R"sql(
INSERT INTO recruiting.decline_tokens (hash, organization_id, booking_id, membership_id, calendar_uid, starts_at, ends_at,
                                       expires_at)
SELECT $3::bytea, m.organization_id, m.booking_id, m.membership_id, m.calendar_uid, m.starts_at, m.ends_at,
       m.ends_at + interval '1 day'
FROM recruiting.mail_outbox m
WHERE m.id = $1::uuid AND m.lease = $2::uuid AND m.status = 'waiting'
  AND m.counted_on = (clock_timestamp() AT TIME ZONE 'UTC')::date
  AND m.audience = 'interviewer' AND m.kind IN ('confirmed', 'rescheduled')
)sql";

// Before a mail is sent or itself held back: deletes earlier ones that are held back, which it overtakes. A reply
// overtakes replies alone, for it brings no invitation. What cancels an interview stays when the recipient was told of
// that interview.
constexpr auto drop_overtaken_sql = R"sql(
DELETE FROM recruiting.mail_outbox e
 USING recruiting.mail_outbox m
 WHERE m.id = $1::uuid AND m.lease = $2::uuid AND e.booking_id = m.booking_id AND e.audience = m.audience
   AND (m.audience = 'candidate' OR e.membership_id = m.membership_id)
   AND e.status = 'waiting' AND e.held_until IS NOT NULL
   AND (e.leased_until IS NULL OR e.leased_until <= clock_timestamp())
   AND (e.created_at, e.id) < (m.created_at, m.id)
   AND (e.kind IN ('slot_taken', 'already_booked') OR m.kind NOT IN ('slot_taken', 'already_booked'))
   AND (e.kind NOT IN ('canceled', 'declined')
        OR NOT EXISTS (SELECT FROM recruiting.mail_outbox s
                        WHERE s.booking_id = e.booking_id AND s.audience = e.audience
                          AND (e.audience = 'candidate' OR s.membership_id = e.membership_id)
                          AND s.calendar_uid = e.calendar_uid AND s.status = 'sent'))
)sql";

// How an attempt ends: what changes when the sender gives the mail back, if it is still the sender's.
constexpr auto end_sql = "UPDATE recruiting.mail_outbox SET lease = NULL, leased_until = NULL, ";
constexpr auto if_ours = " WHERE id = $1::uuid AND lease = $2::uuid AND status = 'waiting'";
constexpr auto sent_change = "status = 'sent', finished_at = clock_timestamp(), last_error = NULL";
constexpr auto dead_change = "status = 'dead', finished_at = clock_timestamp(), last_error = $3::text";
constexpr auto delayed_change =
    "next_attempt_at = clock_timestamp() + $4::bigint * interval '1 millisecond', last_error = $3::text";
constexpr auto untried_change = "attempts = attempts - 1";
constexpr auto held_change = R"sql(
       attempts = attempts - 1,
       held_until = date_bin('1 day', clock_timestamp(), 'epoch'::timestamptz) + interval '1 day',
       next_attempt_at = date_bin('1 day', clock_timestamp(), 'epoch'::timestamptz) + interval '1 day'
)sql";

// For the metrics. Finished mails are not touched: there is an index of the waiting and one of the dead.
constexpr auto state_sql = R"sql(
SELECT (SELECT count(*) FROM recruiting.mail_outbox WHERE status = 'waiting'),
       (SELECT count(*) FROM recruiting.mail_outbox WHERE status = 'dead'),
       (SELECT greatest(0, extract(epoch FROM clock_timestamp() - min(greatest(created_at, held_until))))::bigint
          FROM recruiting.mail_outbox WHERE status = 'waiting')
)sql";

// Times that the server's clock gave before it was set back. A mail waits for its first attempt from its beginning on,
// for another one as long as the settings say, and is held back until the next day. A lease is left to its sender,
// except for one that no sender gets.
constexpr auto bring_forward_sql = R"sql(
UPDATE recruiting.mail_outbox SET next_attempt_at = clock_timestamp(), held_until = NULL, lease = NULL, leased_until = NULL
 WHERE id IN (
    SELECT id FROM recruiting.mail_outbox
     WHERE status = 'waiting'
       AND (leased_until > clock_timestamp() + )sql" RECRUITING_LONGEST_WAIT("$2") R"sql(
            OR (leased_until IS NULL OR leased_until <= clock_timestamp())
               AND next_attempt_at > clock_timestamp()
                                     + CASE WHEN held_until IS NOT NULL THEN interval '1 day'
                                            WHEN attempts = 0 THEN interval '1 second'
                                            ELSE )sql" RECRUITING_LONGEST_WAIT("$1") R"sql( END)
     LIMIT 1000 FOR UPDATE SKIP LOCKED)
)sql";

constexpr std::array<std::string_view, 2> audience_names = {"candidate", "interviewer"};
constexpr std::array<std::string_view, 7> kind_names = {"confirmed",  "rescheduled",    "handed_over", "canceled",
                                                        "slot_taken", "already_booked", "declined"};

template <class Value>
Value value_of(auto const& names, std::string_view name) {
    return static_cast<Value>(std::find(names.begin(), names.end(), name) - names.begin());
}

outbox_mail read_mail(pg::row row) {
    outbox_mail out;
    std::string_view to, about;
    row.read(out.id, out.booking, to, about, out.starts_at, out.ends_at, out.previous_starts_at, out.wanted_starts_at)
        .read(out.time_zone, out.calendar_uid, out.sequence, out.attempts, out.first_attempt_at, out.created_at)
        .read(out.now, out.organization_name, out.organization_time_zone, out.job_title, out.stage_name)
        .read(out.candidate_name, out.candidate_email, out.candidate_email_key)
        .read(out.interviewer_name, out.interviewer_email, out.language, out.has_meeting_url)
        .read(out.logo_url, out.accent_color);
    out.to = value_of<audience>(audience_names, to);
    out.about = value_of<kind>(kind_names, about);
    return out;
}

pg::params of_lease(lease const& of) { return pg::params().id(of.mail).id(of.fence); }

} // namespace

std::string_view to_string(audience to) noexcept { return audience_names[static_cast<std::size_t>(to)]; }
std::string_view to_string(kind about) noexcept { return kind_names[static_cast<std::size_t>(about)]; }

pg::statement as_mailer() { return pg::as_worker("mailer"); }

std::vector<pg::statement> lease_mail(uuid const& fence, std::chrono::milliseconds duration) {
    return {as_mailer(), {lease_sql, pg::params().id(fence).integer(duration.count())}};
}

std::optional<lease> read_lease(std::span<pg::rows const> answer, uuid const& fence) {
    if (answer[1].empty()) return std::nullopt;
    return lease{answer[1].id(0, 0), fence, answer[1].boolean(0, 1)};
}

std::vector<pg::statement> open_mail(lease const& of) { return {as_mailer(), {open_sql, of_lease(of)}}; }

std::optional<outbox_mail> read_opened(std::span<pg::rows const> answer) {
    if (answer[1].empty()) return std::nullopt;
    return read_mail(answer[1][0]);
}

std::vector<pg::statement> count_mail(lease const& of, std::string const& recipient, std::int64_t per_recipient,
                                      link_hashes const& links, std::chrono::milliseconds link_lifetime) {
    return {as_mailer(),
            {count_sql, of_lease(of).integer(per_recipient).text(recipient).integer(early_mails_of_booking)},
            {add_link_sql,
             of_lease(of).bytes(bytes_of(links.manage)).integer(link_lifetime.count()).bytes(bytes_of(links.join))},
            {add_decline_link_sql, of_lease(of).bytes(bytes_of(links.decline))}};
}

opened_mail read_counted(outbox_mail mail, std::span<pg::rows const> answer) {
    opened_mail out{std::move(mail), std::nullopt, answer[1].empty()};
    if (!answer[2].empty()) out.link_expires_at = answer[2].time(0, 0);
    return out;
}

std::vector<pg::statement> conclude(lease const& of, attempt_outcome const& outcome) {
    using result = attempt_outcome::result;
    auto const ending = [&of](char const* change, pg::params more = {}) {
        return pg::statement{end_sql + std::string(change) + if_ours, of_lease(of).append(more)};
    };
    std::vector<pg::statement> segment = {as_mailer()};
    if (outcome.what == result::sent || outcome.what == result::held_back)
        segment.push_back({drop_overtaken_sql, of_lease(of)});
    switch (outcome.what) {
    case result::sent: segment.push_back(ending(sent_change)); break;
    case result::dead: segment.push_back(ending(dead_change, pg::params().text(outcome.why))); break;
    case result::delayed:
        segment.push_back(ending(delayed_change, pg::params().text(outcome.why).integer(outcome.pause.count())));
        break;
    case result::held_back: segment.push_back(ending(held_change)); break;
    case result::given_back: segment.push_back(ending(untried_change)); break;
    }
    return segment;
}

bool read_written(std::span<pg::rows const> answer) { return answer.back().affected() > 0; }

pg::statement bring_forward(std::chrono::milliseconds longest_pause, std::chrono::milliseconds lease) {
    return {bring_forward_sql, pg::params().integer(longest_pause.count()).integer(lease.count())};
}

std::vector<pg::statement> select_state() { return {as_mailer(), {state_sql, {}}}; }

outbox_state read_state(std::span<pg::rows const> answer) {
    auto row = answer[1][0];
    return {row.integer(), row.integer(), std::chrono::seconds{row.optional_integer().value_or(0)}};
}

} // namespace recruiting::auth_api::mailing
