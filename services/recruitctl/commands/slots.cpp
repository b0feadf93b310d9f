// slots open, list, close: when interviewers can be booked.
#include "directory/organizations.hpp"
#include "interviews/interviews.hpp"
#include "interviews/slot_times.hpp"
#include "interviews/store.hpp"
#include "mail/address.hpp"
#include "mail/meeting_url.hpp"
#include "recruitctl/command.hpp"
#include "recruitctl/output.hpp"
#include "words/words.hpp"

#include <algorithm>
#include <ostream>

namespace recruiting::recruitctl {
namespace {

directory::organization organization_of(invocation& call) {
    return or_fail(directory::find_organization(call.database(), call.get("--organization")));
}

constexpr char const* wrong_clock = " must be a day or a wall clock's time: 2026-11-23 or 2026-11-23T09:00";

zones::wall_clock clock_option(std::string_view option, std::string_view text, interviews::clock_time fallback) {
    auto const at = interviews::parse_wall_clock(text, fallback);
    if (!at) throw usage_error(std::string(option) + wrong_clock);
    return *at;
}

std::string zone_option(invocation const& call, directory::organization const& of) {
    auto zone = call.find("--time-zone").value_or(of.time_zone);
    if (!zones::is_zone(zone)) throw usage_error(zone + " is not a time zone such as Europe/Berlin");
    return zone;
}

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
    pattern.zone = zone_option(call, of);
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
        out.push_back({{"slotStart", format_time(time.starts_at)}, {"slotEnd", format_time(time.ends_at)}});
    return out;
}

int open(invocation& call) {
    auto const of = organization_of(call);
    auto const email = call.get("--interviewer");
    interviews::wanted_slots wanted{*call.find_id("--job"), *call.find_id("--stage"), std::string_view(email),
                                    pattern_of(call, of), call.find("--join-url")};
    wanted.most =
        static_cast<std::size_t>(call.number("--most", interviews::most_slots, 1, interviews::most_opened_per_hour));
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

using interviews::store::slot_filter;

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
    filter.job = call.find_id("--job");
    filter.stage = call.find_id("--stage");
    if (auto const given = call.find("--interviewer"))
        filter.interviewer_key = mail::canonical_address(*given).value_or(*given);
    filter.from = time_of(call, "--from", zone);
    filter.to = time_of(call, "--to", zone);
    return filter;
}

struct listed_slot {
    explicit listed_slot(pg::row row) {
        row.read(id, job, job_title, stage, stage_name, membership, interviewer_name, interviewer_email, is_active)
            .read(starts_at, ends_at, state, is_past, booking, is_booked, join_url);
    }

    uuid id, job, stage, membership;
    std::string job_title, stage_name, interviewer_name, interviewer_email, state;
    timestamp starts_at, ends_at;
    std::optional<uuid> booking;
    std::optional<std::string> join_url;
    bool is_active{false}, is_past{false}, is_booked{false};
};

boost::json::object slot_json(listed_slot const& slot) {
    return {{"id", to_string(slot.id)},
            {"jobId", to_string(slot.job)},
            {"stageId", to_string(slot.stage)},
            {"interviewer", slot.interviewer_email},
            {"slotStart", format_time(slot.starts_at)},
            {"slotEnd", format_time(slot.ends_at)},
            {"state", slot.state},
            {"bookingId", json_id(slot.booking)},
            {"joinUrl", json_text(slot.join_url)}};
}

int list_slots(invocation& call) {
    auto const of = organization_of(call);
    auto const zone = zone_option(call, of);
    auto filter = filter_of(call, of, zone);
    filter.closed = call.has("--all");
    filter.limit = call.number("--limit", filter.limit, 1, 100'000);
    if (!filter.from && !call.has("--all")) filter.from = system_time().now();
    auto const found = call.database().run(interviews::store::slots(filter));
    auto const json = [](pg::row row) { return slot_json(listed_slot(row)); };
    auto const cells = [&](pg::row row) -> std::vector<std::string> {
        listed_slot const slot(row);
        auto const length = std::chrono::floor<std::chrono::minutes>(slot.ends_at - slot.starts_at);
        return {zones::format_local(slot.starts_at, zone),
                std::to_string(length.count()),
                slot.state,
                slot.interviewer_email,
                slot.job_title,
                slot.stage_name,
                to_string(slot.id)};
    };
    return print_list(call, {"starts", "minutes", "state", "interviewer", "job", "stage", "id"}, found, json, cells);
}

std::vector<uuid> chosen_slots(invocation& call, directory::organization const& of) {
    std::vector<uuid> ids;
    if (call.has("--id")) {
        for (auto const& text : call.list("--id")) {
            auto const id = parse_id(text);
            if (!id) throw usage_error(text + " is not a slot's id: 32 hex characters");
            ids.push_back(*id);
        }
        return ids;
    }
    if (!call.has("--from") || !call.has("--to")) throw usage_error("give either --id, or --from and --to");
    auto filter = filter_of(call, of, zone_option(call, of));
    filter.limit = 100'000;
    auto const found = call.database().run(interviews::store::slots(filter));
    for (auto row : found) ids.push_back(row.id());
    return ids;
}

int close(invocation& call) {
    auto const of = organization_of(call);
    auto const asked = chosen_slots(call, of);
    auto const closed = or_fail(interviews::close_slots(call.database(), of.id, asked));
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
                        "and tells no one\n";
        if (left > 0) call.out << left << " were not open, or are not this organization's\n";
    }
    return left == 0 ? done : partial;
}

} // namespace

std::vector<command> slots_commands() {
    option const organization{"--organization", "SLUG", "organization slug", true};
    option const zone{"--time-zone", "ZONE", "time zone of --from and --to (the organization's)"};
    option const job{"--job", "ID", "only this job"};
    option const stage{"--stage", "ID", "only this stage"};
    option const interviewer{"--interviewer", "E-MAIL", "only this interviewer"};
    return {
        {"slots open",
         "Open interview slots of an interviewer for a stage.",
         {organization,
          {"--job", "ID", "job ID", true},
          {"--stage", "ID", "stage ID", true},
          {"--interviewer", "E-MAIL", "e-mail address of a member", true},
          {"--from", "TIME", "first day, and each day's start: 2026-11-23T09:00", true},
          {"--to", "TIME", "last day, and each day's end: 2026-11-27T17:00", true},
          {"--duration", "LENGTH", "length of a slot: 45m", true},
          zone,
          {"--weekdays", "DAYS", "days or ranges, such as tue,thu (mon-fri)", false, true},
          {"--join-url", "URL", "meeting address; default: the interviewer's, else the organization's"},
          {"--most", "N", "refuse to open more than N slots (" + std::to_string(interviews::most_slots) + ")"}},
         open,
         "On each chosen day, slots follow one another from the time in --from to the time in --to, by the wall clock: "
         "9:00 stays 9:00 when clocks change. A date without a time means 09:00 and 17:00. Slots "
         "that overlap another open slot or interview of the same interviewer are skipped and reported; those in the "
         "past are left out. Running the "
         "command again creates no duplicates. It also makes the stage bookable, with this duration."},
        {"slots list",
         "List future slots, soonest first.",
         {organization,
          job,
          stage,
          interviewer,
          {"--from", "TIME", "slots that begin at or after this time: 2026-11-23 or 2026-11-23T09:00 (now)"},
          {"--to", "TIME", "slots that begin before this time"},
          zone,
          {"--all", "", "include closed and past slots"},
          {"--limit", "N", "maximum number of rows (1000)"}},
         list_slots,
         "A slot is taken when an interview is booked in it or its interviewer has another interview at that time. The "
         "candidate is not shown."},
        {"slots close",
         "Close slots so that they can no longer be booked.",
         {organization,
          {"--id", "ID", "slot IDs", false, true},
          {"--from", "TIME", "slots that begin at or after this time: 2026-11-23 or 2026-11-23T09:00"},
          {"--to", "TIME", "and before this time"},
          job,
          stage,
          interviewer,
          zone},
         close,
         "An interview booked in a closed slot stays, and no one is notified. The candidate can cancel it with their "
         "link; the time is then not offered again."},
    };
}

} // namespace recruiting::recruitctl
