#include "auth_api/console/endpoints.hpp"
#include "auth_api/console/interview_store.hpp"
#include "directory/rules.hpp"
#include "interviews/interviews.hpp"
#include "interviews/store.hpp"

#include <algorithm>
#include <array>

namespace recruiting::auth_api::console {
namespace {

using presence = http::json_fields::presence;

constexpr std::int64_t shortest = interviews::shortest_interview.count();
constexpr std::int64_t longest = interviews::longest_interview.count();
constexpr interviews::weekday_set working_days{false, true, true, true, true, true, false};

// The wall clock's time of a day and a clock: "2026-11-23" and "09:00".
zones::wall_clock read_clock(http::json_fields& fields, std::string_view day_name, std::string_view clock_name) {
    auto const on = fields.text(day_name, presence::required);
    auto const clock = fields.text(clock_name, presence::required);
    constexpr std::size_t day_size = 10;
    auto const day = on && on->size() == day_size ? interviews::parse_wall_clock(*on, {}) : std::nullopt;
    if (on && !day) fields.problem(day_name, "invalid", "Must be a day such as 2026-11-23.");
    auto const at = clock && day ? interviews::parse_wall_clock(*on + "T" + *clock, {}) : std::nullopt;
    if (clock && day && !at) fields.problem(clock_name, "invalid", "Must be a time such as 09:00.");
    return at.value_or(zones::wall_clock{});
}

interviews::weekday_set read_weekdays(http::json_fields& fields) {
    constexpr std::array names = {"sun", "mon", "tue", "wed", "thu", "fri", "sat"};
    auto const days = fields.texts("weekdays", presence::optional, names.size());
    if (!days) return working_days;
    interviews::weekday_set chosen{};
    for (auto const& day : *days) {
        auto const* const found = std::ranges::find(names, day);
        if (found == names.end()) {
            fields.problem("weekdays", "not_allowed", "Must be mon, tue, wed, thu, fri, sat or sun.");
            return chosen;
        }
        chosen[static_cast<std::size_t>(found - names.begin())] = true;
    }
    if (days->empty()) fields.problem("weekdays", "empty", "Must contain at least one day.");
    return chosen;
}

struct slots_request {
    interviews::wanted_slots wanted;
    bool is_preview{false};
};

result<slots_request> read_slots(std::string_view body) {
    http::json_fields fields(body);
    auto const job = fields.id("jobId");
    auto const stage = fields.id("stageId");
    auto const member = fields.id("memberId");
    interviews::slot_pattern pattern;
    pattern.from = read_clock(fields, "firstDay", "from");
    pattern.to = read_clock(fields, "lastDay", "to");
    pattern.weekdays = read_weekdays(fields);
    pattern.duration = std::chrono::minutes{fields.integer("interviewDurationMinutes", shortest, longest).value_or(0)};
    pattern.zone = fields.text("timeZone", presence::optional).value_or("");
    auto join_url = fields.text("joinUrl", presence::optional);
    bool const is_preview = fields.boolean("preview").value_or(false);
    fields.refuse_others({"jobId", "stageId", "memberId", "firstDay", "lastDay", "from", "to", "weekdays",
                          "interviewDurationMinutes", "timeZone", "joinUrl", "preview"});
    if (!fields.ok()) return fields.error();
    return slots_request{{*job, *stage, *member, std::move(pattern), std::move(join_url)}, is_preview};
}

void write_slot_times(http::json_writer& json, std::string_view name, std::vector<interviews::slot_time> const& times) {
    json.key(name).open_array();
    for (auto const& time : times)
        json.open_object().field("slotStart", time.starts_at).field("slotEnd", time.ends_at).close_object();
    json.close_array();
}

// What follows the slots that are opened.
void write_opening(http::json_writer& json, interviews::opened_slots const& made) {
    auto const minutes = made.stage.bookable ? made.stage.duration_minutes : std::nullopt;
    write_slot_times(json, "existing", made.times.known);
    write_slot_times(json, "skipped", made.times.skipped);
    write_slot_times(json, "past", made.times.past);
    json.field("stageMadeBookable", !made.stage.bookable)
        .field("interviewDurationMinutes", minutes.value_or(made.pattern.duration.count()))
        .field("jobPublished", made.stage.job_is_published);
}

http::response opened_answer(change_input const& in, interviews::opened_slots const& made) {
    auto const slots = in.database.run(interviews::store::slots_by_id(made.ids));
    auto const write = [&](http::json_writer& json) {
        json.open_object().key("opened").open_array();
        for (auto const row : slots) write_interview_slot(json, row);
        json.close_array();
        write_opening(json, made);
        json.close_object();
    };
    return data_answer(write, 201);
}

result<http::response> preview_answer(change_input const& in, interviews::wanted_slots const& wanted,
                                      directory::actor const& by) {
    auto const planned = interviews::preview_slots(in.database, in.organization_slug, wanted, by);
    if (!planned) return planned.error();
    return data_answer([&](http::json_writer& json) {
        json.open_object();
        write_slot_times(json, "opened", planned->times.added);
        write_opening(json, *planned);
        json.close_object();
    });
}

} // namespace

result<http::response> open_interview_slots(change_input& in) {
    auto const by = actor_of(in);
    if (auto refused = directory::refuse_unless(by, {role::admin, role::recruiter, role::hiring_manager}))
        return *refused;
    if (auto const checked = finish_query(in); !checked) return checked.error();
    auto const request = read_slots(in.body);
    if (!request) return request.error();
    if (request->is_preview) return preview_answer(in, request->wanted, by);
    auto const made = interviews::open_slots(in.database, in.organization_slug, request->wanted, by);
    if (!made) return made.error();
    return opened_answer(in, *made);
}

result<http::response> close_interview_slot(change_input& in) {
    auto const by = actor_of(in);
    if (auto refused =
            directory::refuse_unless(by, {role::admin, role::recruiter, role::hiring_manager, role::interviewer}))
        return *refused;
    auto const id = path_id(in);
    if (!id) return id.error();
    if (auto const checked = finish_query(in); !checked) return checked.error();
    std::array const slot{*id};
    auto const closed = interviews::close_slots(in.database, in.member.organization_id, slot, by);
    if (!closed) return closed.error();
    auto const found = in.database.run(interviews::store::slots_by_id(slot));
    if (found.empty()) return make_error(error_code::not_found);
    return data_answer([&](http::json_writer& json) { write_interview_slot(json, found[0]); });
}

result<http::response> change_interview_stage(change_input& in) {
    auto const by = actor_of(in);
    if (auto refused = directory::refuse_unless(by, {role::admin, role::recruiter, role::hiring_manager}))
        return *refused;
    auto const id = path_id(in);
    if (!id) return id.error();
    if (auto const checked = finish_query(in); !checked) return checked.error();
    http::json_fields fields(in.body);
    interviews::stage_change wanted;
    wanted.bookable = fields.boolean("bookable");
    wanted.duration_minutes = fields.integer("interviewDurationMinutes", shortest, longest);
    fields.refuse_others({"bookable", "interviewDurationMinutes"});
    if (fields.ok() && !wanted.bookable && !wanted.duration_minutes)
        fields.problem("bookable", "missing", "Send bookable, interviewDurationMinutes or both.");
    if (!fields.ok()) return fields.error();
    auto const changed = interviews::change_stage(in.database, in.member.organization_id, *id, wanted, by);
    if (!changed && changed.error().code == error_code::not_found) return make_error(error_code::not_found);
    if (!changed) return changed.error();
    auto const found = in.database.run(interview_stage(*id));
    return data_answer([&](http::json_writer& json) { write_interview_stage(json, found[0]); });
}

} // namespace recruiting::auth_api::console
