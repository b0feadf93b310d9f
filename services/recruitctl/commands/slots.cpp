// slots list, close: when interviewers can be booked.
#include "directory/organizations.hpp"
#include "recruitctl/command.hpp"
#include "recruitctl/commands/slot_times.hpp"
#include "recruitctl/output.hpp"

#include <algorithm>
#include <boost/range/irange.hpp>
#include <ostream>

namespace recruiting::recruitctl {
namespace {

struct slot_filter {
    uuid organization;
    std::optional<uuid> job, stage;
    std::optional<std::string> interviewer; // e-mail address
    std::optional<timestamp> from, to;      // of the slot's start; to is exclusive
    bool closed{false};                     // closed ones too
    std::int64_t limit{1000};
};
struct closed_slot {
    uuid id;
    bool booked{false};
};

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

pg::rows select_slots(pg::client& database, slot_filter const& filter) {
    return database.run(list_sql, pg::params{}
                                      .id(filter.organization)
                                      .optional_id(filter.job)
                                      .optional_id(filter.stage)
                                      .optional_text(filter.interviewer)
                                      .optional_time(filter.from)
                                      .optional_time(filter.to)
                                      .boolean(filter.closed)
                                      .integer(filter.limit));
}

// Returns those of the given slots that were open.
std::vector<closed_slot> close_slots(pg::client& database, uuid const& organization, std::vector<uuid> const& ids) {
    std::vector<std::string> texts;
    for (auto const& id : ids) texts.push_back(to_string(id));
    auto const found = database.run(close_sql, pg::params{}.id(organization).text_array(texts));
    std::vector<closed_slot> out;
    for (int row = 0; row < found.size(); ++row)
        out.push_back({found.id(row, closed_columns::id), found.boolean(row, closed_columns::has_booking)});
    return out;
}

// A time that a clock change skips is none.
std::optional<timestamp> time_of(invocation const& call, std::string_view option, std::string const& zone) {
    auto const text = call.find(option);
    if (!text) return std::nullopt;
    auto const time = zones::from_local(clock_option(option, *text, {0, 0}), zone);
    if (!time) throw usage_error(std::string(option) + wrong_clock);
    return time;
}

slot_filter filter_of(invocation const& call, directory::organization const& of, std::string const& zone) {
    slot_filter filter;
    filter.organization = of.id;
    filter.job = find_id(call, "--job");
    filter.stage = find_id(call, "--stage");
    filter.interviewer = call.find("--interviewer");
    filter.from = time_of(call, "--from", zone);
    filter.to = time_of(call, "--to", zone);
    return filter;
}

boost::json::object slot_json(pg::rows const& found, int row) {
    using column = slot_columns;
    auto const booking = found.optional_id(row, column::booking);
    return {{"id", to_string(found.id(row, column::id))},
            {"jobId", to_string(found.id(row, column::job))},
            {"stageId", to_string(found.id(row, column::stage))},
            {"interviewer", found.text(row, column::interviewer)},
            {"startsAt", format_time(found.time(row, column::starts_at))},
            {"endsAt", format_time(found.time(row, column::ends_at))},
            {"state", found.text(row, column::state)},
            {"bookingId", booking ? boost::json::value(to_string(*booking)) : boost::json::value(nullptr)},
            {"joinUrl", json_text(found.optional_text(row, column::join_url))}};
}

int list_slots(invocation& call) {
    auto const of = or_fail(directory::find_organization(call.database(), call.get("--organization")));
    auto const zone = zone_option(call, of.time_zone);
    auto filter = filter_of(call, of, zone);
    filter.closed = call.has("--all");
    filter.limit = call.number("--limit", filter.limit, 1, 100'000);
    if (!filter.from && !call.has("--all")) filter.from = system_time().now();
    auto const found = select_slots(call.database(), filter);
    auto const cells = [&](int row) -> std::vector<std::string> {
        using column = slot_columns;
        auto const start = found.time(row, column::starts_at);
        auto const length = std::chrono::floor<std::chrono::minutes>(found.time(row, column::ends_at) - start);
        auto const text = [&](int at) { return std::string(found.text(row, at)); };
        return {zones::format_local(start, zone),    std::to_string(length.count()), text(column::state),
                text(column::interviewer),           text(column::job_title),        text(column::stage_name),
                to_string(found.id(row, column::id))};
    };
    return print_list(
        call, {"starts", "minutes", "state", "interviewer", "job", "stage", "id"}, boost::irange(0, found.size()),
        [&](int row) { return slot_json(found, row); }, cells);
}

std::vector<uuid> chosen_slots(invocation& call, directory::organization const& of) {
    std::vector<uuid> ids;
    if (call.has("--id")) {
        for (auto const& text : call.list("--id")) {
            auto const id = parse_id(text);
            if (!id) throw usage_error(text + " is no slot's id: 32 hex characters");
            ids.push_back(*id);
        }
        return ids;
    }
    if (!call.has("--from") || !call.has("--to")) throw usage_error("give either --id, or --from and --to");
    auto filter = filter_of(call, of, zone_option(call, of.time_zone));
    filter.limit = 100'000;
    auto const found = select_slots(call.database(), filter);
    for (int row = 0; row < found.size(); ++row) ids.push_back(found.id(row, slot_columns::id));
    return ids;
}

int close(invocation& call) {
    auto const of = or_fail(directory::find_organization(call.database(), call.get("--organization")));
    auto const asked = chosen_slots(call, of);
    auto const closed = close_slots(call.database(), of.id, asked);
    boost::json::array ids;
    boost::json::array booked;
    for (auto const& slot : closed) (slot.booked ? booked : ids).emplace_back(to_string(slot.id));
    auto const left = asked.size() - closed.size();
    if (call.json()) {
        print_json(call.out, {{"closed", ids}, {"closedAndBooked", booked}, {"notOpen", left}});
    } else {
        call.out << closed.size() << " slots closed\n";
        if (!booked.empty())
            call.out << booked.size()
                     << " of them are booked. Those interviews stay: closing a slot cancels nothing, "
                        "and tells nobody\n";
        if (left > 0) call.out << left << " were not open, or are not this organization's\n";
    }
    return left == 0 ? done : partial;
}

} // namespace

std::vector<command> slots_commands() {
    option const organization{"--organization", "SLUG", "of which organization", true};
    option const zone{"--time-zone", "ZONE", "whose wall clock is meant (the organization's)"};
    option const job{"--job", "ID", "of one job only"};
    option const stage{"--stage", "ID", "of one stage only"};
    option const interviewer{"--interviewer", "E-MAIL", "of one interviewer only"};
    return {
        {"slots list",
         "List the slots that are ahead, the next one first.",
         {organization,
          job,
          stage,
          interviewer,
          {"--from", "TIME", "those that begin then or later: 2026-11-23 or 2026-11-23T09:00 (now)"},
          {"--to", "TIME", "those that begin before"},
          zone,
          {"--all", "", "closed and past ones too"},
          {"--limit", "N", "at most so many (1000)"}},
         list_slots,
         "taken: an interview is booked in it, or its interviewer has one at that time. By whom is not shown."},
        {"slots close",
         "Close slots: they can't be booked any more.",
         {organization,
          {"--id", "ID", "which", false, true},
          {"--from", "TIME", "all that begin then or later: 2026-11-23 or 2026-11-23T09:00"},
          {"--to", "TIME", "and before that"},
          job,
          stage,
          interviewer,
          zone},
         close,
         "An interview that is booked in a closed slot stays, and nobody is told: it is canceled by the candidate's "
         "link. When that happens, the time is not offered again."},
    };
}

} // namespace recruiting::recruitctl
