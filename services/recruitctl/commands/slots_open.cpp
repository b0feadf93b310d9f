#include "recruitctl/commands/slots_open.hpp"

#include "core/text.hpp"
#include "directory/organizations.hpp"
#include "mail/address.hpp"
#include "recruitctl/output.hpp"
#include "words/words.hpp"

#include <algorithm>
#include <ostream>

namespace recruiting::recruitctl {
namespace {

using namespace std::chrono_literals;

constexpr std::int64_t most_slots = 1000;

bool overlap(slot_time const& a, slot_time const& b) noexcept {
    return a.starts_at < b.ends_at && b.starts_at < a.ends_at;
}

std::chrono::minutes duration_of(std::string const& text) {
    auto const length = parse_duration(text);
    if (!length || *length < 5min || *length > 8h || *length % 1min != 0min)
        throw usage_error("--duration must be whole minutes from 5m to 8h, as in 45m");
    return std::chrono::duration_cast<std::chrono::minutes>(*length);
}

zones::wall_clock clock_of(std::string_view option, std::string const& text, clock_time fallback) {
    auto const at = parse_wall_clock(text, fallback);
    if (!at)
        throw usage_error(std::string(option) +
                          " must be a day or a wall clock's time: 2026-11-23 or 2026-11-23T09:00");
    return *at;
}

std::string join_url_of(std::string const& url) {
    if (auto const problem = mail::meeting_url_problem(url)) throw usage_error("--join-url " + *problem);
    return url;
}

slot_pattern pattern_of(invocation const& call, directory::organization const& of) {
    slot_pattern pattern;
    pattern.zone = call.find("--time-zone").value_or(of.time_zone);
    if (!zones::is_zone(pattern.zone)) throw usage_error(pattern.zone + " is no time zone, such as Europe/Berlin");
    pattern.from = clock_of("--from", call.get("--from"), {9, 0});
    pattern.to = clock_of("--to", call.get("--to"), {17, 0});
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

void tell(invocation& call, stage_to_book const& stage, slot_pattern const& pattern, sorted_slots const& slots) {
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
    if (auto const url = call.find("--join-url")) wanted.join_url = join_url_of(*url);
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

    if (!call.json()) tell(call, *stage, pattern, slots);
    else
        print_json(call.out, {{"opened", json_times(slots.added)},
                              {"known", json_times(slots.known)},
                              {"skipped", json_times(slots.skipped)},
                              {"stageMadeBookable", !stage->bookable},
                              {"jobIsPublished", stage->job_is_published}});
    return done;
}

} // namespace

sorted_slots sort_slots(std::vector<slot_time> const& planned, std::vector<occupied_time> const& occupied) {
    sorted_slots sorted;
    for (auto const& time : planned) {
        auto const is_same = [&](occupied_time const& other) {
            return other.same_stage && other.when.starts_at == time.starts_at && other.when.ends_at == time.ends_at;
        };
        auto const is_in_the_way = [&](occupied_time const& other) { return overlap(other.when, time); };
        if (std::ranges::any_of(occupied, is_same)) sorted.known.push_back(time);
        else if (std::ranges::any_of(occupied, is_in_the_way)) sorted.skipped.push_back(time);
        else sorted.added.push_back(time);
    }
    return sorted;
}

std::optional<uuid> find_id(invocation const& call, std::string_view option) {
    auto const text = call.find(option);
    if (!text) return std::nullopt;
    auto const id = parse_id(*text);
    if (!id) throw usage_error(std::string(option) + " must be an id: 32 hex characters");
    return id;
}

command open_slots_command() {
    return {
        "slots open",
        "Open times at which an interviewer can be booked for a stage.",
        "",
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
        "be booked yet can be from then on, with this duration."};
}

} // namespace recruiting::recruitctl
