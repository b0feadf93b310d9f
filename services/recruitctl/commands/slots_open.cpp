// slots open: when an interviewer can be booked from now on.
#include "directory/organizations.hpp"
#include "interviews/interviews.hpp"
#include "mail/meeting_url.hpp"
#include "recruitctl/command.hpp"
#include "recruitctl/commands/slot_options.hpp"
#include "recruitctl/output.hpp"
#include "words/words.hpp"

#include <algorithm>
#include <ostream>

namespace recruiting::recruitctl {
namespace {

using interviews::slot_pattern;
using interviews::slot_time;

std::chrono::minutes duration_of(std::string const& text) {
    using namespace std::chrono_literals;
    auto const length = parse_duration(text);
    if (!length || *length < interviews::shortest_interview || *length > interviews::longest_interview ||
        *length % 1min != 0min)
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
    auto const weekdays = interviews::parse_weekdays(days.empty() ? std::vector<std::string>{"mon-fri"} : days);
    if (!weekdays) throw usage_error("--weekdays are mon, tue, wed, thu, fri, sat and sun, or as in mon-fri");
    pattern.weekdays = *weekdays;
    return pattern;
}

void print_opened(invocation& call, interviews::opened_slots const& slots) {
    auto const& [stage, pattern, times, ids] = slots;
    auto const lines = [&](std::string_view what, std::vector<slot_time> const& at) {
        for (auto const& time : at)
            call.out << what << "  " << describe_time(time.starts_at, slots.pattern.zone, words_for("en")) << '\n';
    };
    lines("opened ", times.added);
    lines("skipped", times.skipped);
    call.out << times.added.size() << " slots opened for " << stage.job_title << ", " << stage.name << "; "
             << times.known.size() << " existed already; " << times.skipped.size()
             << " skipped: the interviewer has another slot or interview then\n";
    if (!stage.bookable)
        call.out << "The stage could not be booked until now: it can, with " << pattern.duration.count()
                 << " minutes\n";
    else if (stage.duration_minutes != pattern.duration.count())
        call.out << "The stage is shown with " << stage.duration_minutes.value_or(0) << " minutes\n";
    if (!stage.job_is_published) call.out << "No one sees these slots until the job is open and published\n";
}

boost::json::array json_times(std::vector<slot_time> const& times) {
    boost::json::array out;
    for (auto const& time : times)
        out.push_back({{"startsAt", format_time(time.starts_at)}, {"endsAt", format_time(time.ends_at)}});
    return out;
}

int open(invocation& call) {
    auto const of = or_fail(directory::find_organization(call.database(), call.get("--organization")));
    auto const email = call.get("--interviewer");
    interviews::wanted_slots wanted{*find_id(call, "--job"), *find_id(call, "--stage"), std::string_view(email),
                                    pattern_of(call, of), call.find("--join-url")};
    wanted.most = static_cast<std::size_t>(call.number("--most", interviews::most_slots, 1, 10'000));
    if (auto const problem = wanted.join_url ? mail::meeting_url_problem(*wanted.join_url) : std::nullopt)
        throw usage_error("--join-url " + *problem);
    auto const slots = or_fail(interviews::open_slots(call.database(), of.slug, wanted));
    if (!call.json()) print_opened(call, slots);
    else
        print_json(call.out, {{"opened", json_times(slots.times.added)},
                              {"known", json_times(slots.times.known)},
                              {"skipped", json_times(slots.times.skipped)},
                              {"stageMadeBookable", !slots.stage.bookable},
                              {"jobIsPublished", slots.stage.job_is_published}});
    return done;
}

} // namespace

std::vector<command> slots_open_commands() {
    return {
        {"slots open",
         "Open interview slots of an interviewer for a stage.",
         {{"--organization", "SLUG", "organization slug", true},
          {"--job", "ID", "job ID", true},
          {"--stage", "ID", "stage ID", true},
          {"--interviewer", "E-MAIL", "e-mail address of a member", true},
          {"--from", "TIME", "first day, and each day's start: 2026-11-23T09:00", true},
          {"--to", "TIME", "last day, and each day's end: 2026-11-27T17:00", true},
          {"--duration", "LENGTH", "length of a slot: 45m", true},
          {"--time-zone", "ZONE", "time zone of --from and --to (the organization's)"},
          {"--weekdays", "DAYS", "days or ranges, such as tue,thu (mon-fri)", false, true},
          {"--join-url", "URL", "meeting address; default: the interviewer's, else the organization's"},
          {"--most", "N", "refuse to open more than N slots (" + std::to_string(interviews::most_slots) + ")"}},
         open,
         "On each chosen day, slots follow one another from the time in --from to the time in --to, by the wall clock: "
         "9:00 stays 9:00 when clocks change. A date without a time means 09:00 and 17:00. Slots in the past and slots "
         "that overlap another open slot or interview of the same interviewer are skipped and reported. Running the "
         "command again creates no duplicates. It also makes the stage bookable, with this duration."}};
}

} // namespace recruiting::recruitctl
