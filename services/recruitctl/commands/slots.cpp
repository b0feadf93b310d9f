// slots open, list, close: when interviewers can be booked.
#include "directory/organizations.hpp"
#include "recruitctl/commands.hpp"
#include "recruitctl/commands/slot_store.hpp"
#include "recruitctl/commands/slots_open.hpp"
#include "recruitctl/output.hpp"

#include <algorithm>
#include <ostream>

namespace recruiting::recruitctl {
namespace {

std::optional<timestamp> time_of(invocation const& call, std::string_view option, std::string const& zone) {
    auto const text = call.find(option);
    if (!text) return std::nullopt;
    auto const at = parse_wall_clock(*text, {0, 0});
    auto const time = at ? zones::from_local(*at, zone) : std::nullopt;
    if (!time)
        throw usage_error(std::string(option) +
                          " must be a day or a wall clock's time: 2026-11-23 or 2026-11-23T09:00");
    return time;
}

std::string zone_of(invocation const& call, directory::organization const& of) {
    auto zone = call.find("--time-zone").value_or(of.time_zone);
    if (!zones::is_zone(zone)) throw usage_error(zone + " is no time zone, such as Europe/Berlin");
    return zone;
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

boost::json::object to_json(listed_slot const& slot) {
    boost::json::value booking = nullptr;
    if (slot.booking) booking = to_string(*slot.booking);
    return {{"id", to_string(slot.id)},
            {"jobId", to_string(slot.job)},
            {"stageId", to_string(slot.stage)},
            {"interviewer", slot.interviewer},
            {"startsAt", format_time(slot.when.starts_at)},
            {"endsAt", format_time(slot.when.ends_at)},
            {"state", slot.state},
            {"bookingId", std::move(booking)},
            {"joinUrl", json_text(slot.join_url)}};
}

int list_slots(invocation& call) {
    auto const of = or_fail(directory::find_organization(call.database(), call.get("--organization")));
    auto const zone = zone_of(call, of);
    auto filter = filter_of(call, of, zone);
    filter.closed = call.has("--all");
    filter.limit = call.number("--limit", filter.limit, 1, 100'000);
    if (!filter.from && !call.has("--all")) filter.from = system_time().now();
    boost::json::array data;
    std::vector<std::vector<std::string>> table{{"starts", "minutes", "state", "interviewer", "job", "stage", "id"}};
    for (auto const& slot : select_slots(call.database(), filter)) {
        data.push_back(to_json(slot));
        auto const length = std::chrono::floor<std::chrono::minutes>(slot.when.ends_at - slot.when.starts_at);
        table.push_back({zones::format_local(slot.when.starts_at, zone), std::to_string(length.count()), slot.state,
                         slot.interviewer, slot.job_title, slot.stage_name, to_string(slot.id)});
    }
    if (call.json()) print_json(call.out, {{"data", std::move(data)}});
    else print_table(call.out, table);
    return done;
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
    auto filter = filter_of(call, of, zone_of(call, of));
    filter.limit = 100'000;
    for (auto const& slot : select_slots(call.database(), filter)) ids.push_back(slot.id);
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
        open_slots_command(),
        {"slots list",
         "List the slots that are ahead, the next one first.",
         "",
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
         "",
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
