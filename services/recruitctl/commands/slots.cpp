// slots list, close: when interviewers can be booked.
#include "directory/organizations.hpp"
#include "interviews/interviews.hpp"
#include "interviews/store.hpp"
#include "mail/address.hpp"
#include "recruitctl/command.hpp"
#include "recruitctl/commands/slot_options.hpp"
#include "recruitctl/output.hpp"

#include <algorithm>
#include <ostream>

namespace recruiting::recruitctl {
namespace {

using interviews::store::slot_filter;

pg::rows select_slots(pg::client& database, slot_filter const& filter) {
    return database.run(interviews::store::slots(filter));
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
            {"startsAt", format_time(slot.starts_at)},
            {"endsAt", format_time(slot.ends_at)},
            {"state", slot.state},
            {"bookingId", json_id(slot.booking)},
            {"joinUrl", json_text(slot.join_url)}};
}

int list_slots(invocation& call) {
    auto const of = or_fail(directory::find_organization(call.database(), call.get("--organization")));
    auto const zone = zone_option(call, of.time_zone);
    auto filter = filter_of(call, of, zone);
    filter.closed = call.has("--all");
    filter.limit = call.number("--limit", filter.limit, 1, 100'000);
    if (!filter.from && !call.has("--all")) filter.from = system_time().now();
    auto const found = select_slots(call.database(), filter);
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
    auto filter = filter_of(call, of, zone_option(call, of.time_zone));
    filter.limit = 100'000;
    auto const found = select_slots(call.database(), filter);
    for (auto row : found) ids.push_back(row.id());
    return ids;
}

int close(invocation& call) {
    auto const of = or_fail(directory::find_organization(call.database(), call.get("--organization")));
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
