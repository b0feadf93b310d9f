// slots open: plans slots, compares them with what the interviewer has already, and inserts the new ones.
#include "core/text.hpp"
#include "directory/organizations.hpp"
#include "mail/address.hpp"
#include "recruitctl/command.hpp"
#include "recruitctl/commands/slot_times.hpp"
#include "recruitctl/output.hpp"
#include "words/words.hpp"

#include <algorithm>
#include <ostream>

namespace recruiting::recruitctl {
namespace {

using namespace std::chrono_literals;

constexpr std::int64_t most_slots = 1000;

struct stage_to_book {
    std::string name;
    std::string job_title;
    bool job_is_published{false};
    bool bookable{false};
    std::optional<std::int64_t> duration_minutes;
};

struct new_slots {
    uuid organization, job, stage, membership;
    std::optional<std::string> join_url;
    std::vector<slot_time> times;
};

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

// Two who open slots for one interviewer wait for each other.
void lock_interviewer(pg::client& database, uuid const& membership) {
    database.run(lock_sql, pg::params{}.id(membership));
}

// When the interviewer is booked or offered already within the span.
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

std::chrono::minutes duration_of(std::string const& text) {
    auto const length = parse_duration(text);
    if (!length || *length < 5min || *length > 8h || *length % 1min != 0min)
        throw usage_error("--duration must be whole minutes from 5m to 8h, as in 45m");
    return std::chrono::duration_cast<std::chrono::minutes>(*length);
}

slot_pattern pattern_of(invocation const& call, directory::organization const& of) {
    slot_pattern pattern;
    pattern.zone = zone_option(call, of.time_zone);
    pattern.from = clock_option("--from", call.get("--from"), {9, 0});
    pattern.to = clock_option("--to", call.get("--to"), {17, 0});
    pattern.duration = duration_of(call.get("--duration"));
    auto const days = call.list("--weekdays");
    auto const weekdays = parse_weekdays(days.empty() ? std::vector<std::string>{"mon-fri"} : days);
    if (!weekdays) throw usage_error("--weekdays are mon, tue, wed, thu, fri, sat and sun, or as in mon-fri");
    pattern.weekdays = *weekdays;
    return pattern;
}

std::vector<slot_time> planned_slots(invocation const& call, slot_pattern const& pattern) {
    auto const most = static_cast<std::size_t>(call.number("--most", most_slots, 1, 10'000));
    auto planned = plan_slots(pattern, system_time().now(), most + 1);
    if (planned.size() > most)
        throw failure("that is more than " + std::to_string(most) + " slots; take a shorter span, or --most");
    if (planned.empty()) throw failure("no slot fits: from, to, --weekdays and --duration leave none that is ahead");
    return planned;
}

uuid interviewer_of(invocation& call, directory::organization const& of) {
    auto const email = call.get("--interviewer");
    auto const members = or_fail(directory::list_members(call.database(), of.slug));
    auto const found = std::ranges::find_if(members, [&](auto const& m) { return iequals(m.email, email); });
    if (found == members.end() || found->status != "active") throw failure(email + " is no active member");
    return found->id;
}

void print_opened(invocation& call, stage_to_book const& stage, slot_pattern const& pattern,
                  sorted_slots const& slots) {
    auto const lines = [&](std::string_view what, std::vector<slot_time> const& times) {
        for (auto const& time : times)
            call.out << what << "  " << describe_time(time.starts_at, pattern.zone, words_for("en")) << '\n';
    };
    lines("opened ", slots.added);
    lines("skipped", slots.skipped);
    call.out << slots.added.size() << " slots opened for " << stage.job_title << ", " << stage.name << "; "
             << slots.known.size() << " were there already; " << slots.skipped.size()
             << " skipped: the interviewer has another slot or interview then\n";
    if (!stage.bookable)
        call.out << "The stage could not be booked until now: it can, with " << pattern.duration.count()
                 << " minutes\n";
    else if (stage.duration_minutes != pattern.duration.count())
        call.out << "The stage is shown with " << stage.duration_minutes.value_or(0) << " minutes\n";
    if (!stage.job_is_published) call.out << "Nobody sees these slots until the job is open and published\n";
}

boost::json::array json_times(std::vector<slot_time> const& times) {
    boost::json::array out;
    for (auto const& time : times)
        out.push_back({{"startsAt", format_time(time.starts_at)}, {"endsAt", format_time(time.ends_at)}});
    return out;
}

int open(invocation& call) {
    auto const of = or_fail(directory::find_organization(call.database(), call.get("--organization")));
    auto const pattern = pattern_of(call, of);
    auto const planned = planned_slots(call, pattern);
    new_slots wanted{of.id, *find_id(call, "--job"), *find_id(call, "--stage"), interviewer_of(call, of), {}, {}};
    wanted.join_url = call.find("--join-url");
    if (auto const problem = wanted.join_url ? mail::meeting_url_problem(*wanted.join_url) : std::nullopt)
        throw usage_error("--join-url " + *problem);
    auto const stage = select_stage(call.database(), of.id, wanted.job, wanted.stage);
    if (!stage) throw failure("the organization has no such job and stage");

    pg::transaction change(call.database());
    lock_interviewer(call.database(), wanted.membership);
    slot_time const span{planned.front().starts_at, planned.back().ends_at};
    auto const slots = sort_slots(planned, select_occupied(call.database(), wanted.membership, wanted.stage, span));
    wanted.times = slots.added;
    insert_slots(call.database(), wanted);
    if (!stage->bookable) make_bookable(call.database(), wanted.stage, pattern.duration);
    change.commit();

    if (!call.json()) print_opened(call, *stage, pattern, slots);
    else
        print_json(call.out, {{"opened", json_times(slots.added)},
                              {"known", json_times(slots.known)},
                              {"skipped", json_times(slots.skipped)},
                              {"stageMadeBookable", !stage->bookable},
                              {"jobIsPublished", stage->job_is_published}});
    return done;
}

} // namespace

std::vector<command> slots_open_commands() {
    return {
        {"slots open",
         "Open times at which an interviewer can be booked for a stage.",
         {{"--organization", "SLUG", "of which organization", true},
          {"--job", "ID", "which job", true},
          {"--stage", "ID", "which of its stages", true},
          {"--interviewer", "E-MAIL", "a member", true},
          {"--from", "TIME", "first day, and when slots begin on each: 2026-11-23T09:00", true},
          {"--to", "TIME", "last day, and when the last slot ends on each: 2026-11-27T17:00", true},
          {"--duration", "LENGTH", "of one slot: 45m", true},
          {"--time-zone", "ZONE", "whose wall clock --from and --to are (the organization's)"},
          {"--weekdays", "DAYS", "mon-fri, or as in tue,thu (mon-fri)", false, true},
          {"--join-url", "URL", "where they meet; default: the interviewer's address, else the organization's"},
          {"--most", "N", "more slots than that are a mistake (" + std::to_string(most_slots) + ")"}},
         open,
         "On each chosen day slots follow each other from the time of --from to the time of --to, by the wall clock: "
         "9:00 stays 9:00 when clocks change. A day alone means 09:00 and 17:00. What has passed is left out, and so "
         "is what overlaps another open slot or interview of the interviewer. Again adds nothing. A stage that can't "
         "be booked yet can be from then on, with this duration."}};
}

} // namespace recruiting::recruitctl
