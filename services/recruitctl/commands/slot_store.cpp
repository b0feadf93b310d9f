#include "recruitctl/commands/slot_store.hpp"

namespace recruiting::recruitctl {
namespace {

// The names of a stage and its job, and whether anybody would see its slots.
constexpr std::string_view stage_sql = R"(
SELECT s.name, j.title, j.published AND j.status = 'open', s.bookable, s.interview_duration_minutes
FROM recruiting.stages s JOIN recruiting.jobs j ON j.id = s.job_id
WHERE s.organization_id = $1 AND s.job_id = $2 AND s.id = $3 AND j.deleted_at IS NULL)";
struct stage_columns {
    enum : int { name, job_title, is_visible, is_bookable, duration_minutes };
};

constexpr std::string_view bookable_sql = R"(
UPDATE recruiting.stages SET bookable = true, interview_duration_minutes = $2 WHERE id = $1)";

constexpr std::string_view lock_sql = R"(
SELECT FROM recruiting.memberships WHERE id = $1 FOR NO KEY UPDATE)";

// Open slots of whatever job, and interviews whose slot is closed by now. Callers compare the planned times with these.
constexpr std::string_view occupied_sql = R"(
SELECT starts_at, ends_at, stage_id = $2 FROM recruiting.interview_slots
WHERE membership_id = $1 AND closed_at IS NULL AND starts_at < $4 AND ends_at > $3
UNION ALL
SELECT starts_at, ends_at, false FROM recruiting.bookings
WHERE membership_id = $1 AND status = 'confirmed' AND tstzrange(starts_at, ends_at) && tstzrange($3, $4))";
struct occupied_columns {
    enum : int { starts_at, ends_at, is_of_stage };
};

constexpr std::string_view insert_sql = R"(
INSERT INTO recruiting.interview_slots (id, organization_id, job_id, stage_id, membership_id, starts_at, ends_at,
                                        join_url)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8))";

// taken: an interview is booked in this slot, or its interviewer has one at that time.
constexpr std::string_view list_sql = R"(
SELECT s.id, s.job_id, s.stage_id, j.title, st.name, u.email, s.starts_at, s.ends_at,
       CASE WHEN s.closed_at IS NOT NULL THEN 'closed' WHEN b.id IS NOT NULL THEN 'taken' ELSE 'open' END,
       b.id, s.join_url
FROM recruiting.interview_slots s
JOIN recruiting.jobs j ON j.id = s.job_id
JOIN recruiting.stages st ON st.id = s.stage_id
JOIN recruiting.memberships m ON m.id = s.membership_id
JOIN recruiting.users u ON u.id = m.user_id
LEFT JOIN LATERAL (SELECT o.id FROM recruiting.bookings o
                   WHERE o.membership_id = s.membership_id AND o.status = 'confirmed'
                     AND tstzrange(o.starts_at, o.ends_at) && tstzrange(s.starts_at, s.ends_at)
                   ORDER BY o.slot_id = s.id DESC, o.starts_at LIMIT 1) b ON true
WHERE s.organization_id = $1 AND ($2::uuid IS NULL OR s.job_id = $2) AND ($3::uuid IS NULL OR s.stage_id = $3)
  AND ($4::text IS NULL OR lower(u.email) = lower($4))
  AND ($5::timestamptz IS NULL OR s.starts_at >= $5) AND ($6::timestamptz IS NULL OR s.starts_at < $6)
  AND ($7::boolean OR s.closed_at IS NULL)
ORDER BY s.starts_at, u.email, s.id LIMIT $8::bigint)";
struct slot_columns {
    enum : int { id, job, stage, job_title, stage_name, interviewer, starts_at, ends_at, state, booking, join_url };
};

// A booking made in a slot stays when the slot is closed.
constexpr std::string_view close_sql = R"(
UPDATE recruiting.interview_slots s SET closed_at = clock_timestamp()
WHERE s.organization_id = $1 AND s.id = ANY ($2::uuid[]) AND s.closed_at IS NULL
RETURNING s.id, EXISTS (SELECT FROM recruiting.bookings b WHERE b.slot_id = s.id AND b.status = 'confirmed'))";
struct closed_columns {
    enum : int { id, has_booking };
};

listed_slot to_slot(pg::rows const& found, int row) {
    listed_slot out;
    out.id = found.id(row, slot_columns::id);
    out.job = found.id(row, slot_columns::job);
    out.stage = found.id(row, slot_columns::stage);
    out.job_title = found.text(row, slot_columns::job_title);
    out.stage_name = found.text(row, slot_columns::stage_name);
    out.interviewer = found.text(row, slot_columns::interviewer);
    out.when = {found.time(row, slot_columns::starts_at), found.time(row, slot_columns::ends_at)};
    out.state = found.text(row, slot_columns::state);
    out.booking = found.optional_id(row, slot_columns::booking);
    out.join_url = found.optional_text(row, slot_columns::join_url);
    return out;
}

} // namespace

std::optional<stage_to_book> select_stage(pg::client& database, uuid const& organization, uuid const& job,
                                          uuid const& stage) {
    auto const found = database.run(stage_sql, pg::params{}.id(organization).id(job).id(stage));
    if (found.empty()) return std::nullopt;
    return stage_to_book{std::string(found.text(0, stage_columns::name)),
                         std::string(found.text(0, stage_columns::job_title)),
                         found.boolean(0, stage_columns::is_visible), found.boolean(0, stage_columns::is_bookable),
                         found.optional_integer(0, stage_columns::duration_minutes)};
}

void make_bookable(pg::client& database, uuid const& stage, std::chrono::minutes duration) {
    database.run(bookable_sql, pg::params{}.id(stage).integer(duration.count()));
}

void lock_interviewer(pg::client& database, uuid const& membership) {
    database.run(lock_sql, pg::params{}.id(membership));
}

std::vector<occupied_time> select_occupied(pg::client& database, uuid const& membership, uuid const& stage,
                                           slot_time const& span) {
    auto const found =
        database.run(occupied_sql, pg::params{}.id(membership).id(stage).time(span.starts_at).time(span.ends_at));
    std::vector<occupied_time> out;
    for (int row = 0; row < found.size(); ++row)
        out.push_back({{found.time(row, occupied_columns::starts_at), found.time(row, occupied_columns::ends_at)},
                       found.boolean(row, occupied_columns::is_of_stage)});
    return out;
}

void insert_slots(pg::client& database, new_slots const& wanted) {
    for (auto const& time : wanted.times)
        database.run(insert_sql, pg::params{}
                                     .id(new_record_id())
                                     .id(wanted.organization)
                                     .id(wanted.job)
                                     .id(wanted.stage)
                                     .id(wanted.membership)
                                     .time(time.starts_at)
                                     .time(time.ends_at)
                                     .optional_text(wanted.join_url));
}

std::vector<listed_slot> select_slots(pg::client& database, slot_filter const& filter) {
    auto const found = database.run(list_sql, pg::params{}
                                                  .id(filter.organization)
                                                  .optional_id(filter.job)
                                                  .optional_id(filter.stage)
                                                  .optional_text(filter.interviewer)
                                                  .optional_time(filter.from)
                                                  .optional_time(filter.to)
                                                  .boolean(filter.closed)
                                                  .integer(filter.limit));
    std::vector<listed_slot> out;
    for (int row = 0; row < found.size(); ++row) out.push_back(to_slot(found, row));
    return out;
}

std::vector<closed_slot> close_slots(pg::client& database, uuid const& organization, std::vector<uuid> const& ids) {
    std::vector<std::string> texts;
    for (auto const& id : ids) texts.push_back(to_string(id));
    auto const found = database.run(close_sql, pg::params{}.id(organization).text_array(texts));
    std::vector<closed_slot> out;
    for (int row = 0; row < found.size(); ++row)
        out.push_back({found.id(row, closed_columns::id), found.boolean(row, closed_columns::has_booking)});
    return out;
}

} // namespace recruiting::recruitctl
