#include "interviews/interviews.hpp"

#include "directory/access.hpp"
#include "directory/organizations.hpp"
#include "directory/rules.hpp"
#include "directory/store.hpp"
#include "interviews/store.hpp"
#include "mail/meeting_url.hpp"

namespace recruiting::interviews {
namespace {

using directory::actor;
using directory::refusal;

// Of a hiring manager, whose reach is the jobs whose hiring team they are on.
std::optional<uuid> team_member(actor const& by) {
    return by.role == to_string(role::hiring_manager) ? by.member_id : std::nullopt;
}

std::optional<api_error> refuse_unless_planner(actor const& by) {
    return directory::refuse_unless(by, {role::admin, role::recruiter, role::hiring_manager});
}

result<directory::member> find_interviewer(pg::client& database, directory::organization const& of,
                                           directory::member_selector const& which) {
    auto found = directory::store::select_member(database, of.id, which);
    if (found && found->status == "active") return std::move(*found);
    auto const* const email = std::get_if<std::string_view>(&which);
    auto const named = email != nullptr ? std::string(*email) : to_string(std::get<uuid>(which));
    return refusal("memberId", "unknown", named + " is not an active member");
}

result<std::vector<slot_time>> plan(slot_pattern const& pattern, std::size_t most, time_source const& clock) {
    auto planned = plan_slots(pattern, clock.now(), most + 1);
    if (planned.size() > most)
        return refusal("lastDay", "too_many",
                       "that is more than " + std::to_string(most) + " slots; choose a shorter period");
    if (planned.empty())
        return refusal("lastDay", "no_slots", "no future slot fits these days, times and this duration");
    return planned;
}

void record_slots(pg::client& database, uuid const& organization_id, std::string_view action,
                  std::span<uuid const> slots, actor const& by) {
    directory::record_changes(database, {organization_id, action, "interview_slot", {}}, slots, by);
}

// Under the interviewer's lock: what is compared here is what is true when the slots are added.
opened_slots insert_new(pg::client& database, store::new_slots const& to, opened_slots found,
                        std::vector<slot_time> const& planned, actor const& by) {
    store::lock_interviewer(database, to.membership);
    slot_time const span{planned.front().starts_at, planned.back().ends_at};
    found.times = sort_slots(planned, store::select_occupied(database, to.membership, to.stage, span));
    if (!found.times.added.empty()) {
        found.ids = store::insert_slots(database, to, found.times.added);
        record_slots(database, to.organization, "slot.opened", found.ids, by);
    }
    if (!found.stage.bookable) {
        store::update_stage(database, to.stage, true, found.pattern.duration.count());
        directory::record_change(database, {to.organization, "stage.changed", "stage", to.stage}, by);
    }
    return found;
}

} // namespace

result<opened_slots> open_slots(pg::client& database, std::string_view organization_slug, wanted_slots const& wanted,
                                actor const& by, time_source const& clock) {
    if (auto refused = refuse_unless_planner(by)) return *refused;
    auto const of = directory::find_organization(database, organization_slug);
    if (!of) return of.error();
    opened_slots out;
    out.pattern = wanted.pattern;
    if (out.pattern.zone.empty()) out.pattern.zone = of->time_zone;
    directory::problems wrong;
    if (!zones::is_zone(out.pattern.zone))
        wrong.check("timeZone", out.pattern.zone + " is not a time zone such as Europe/Berlin");
    if (wanted.join_url) wrong.check("joinUrl", mail::meeting_url_problem(*wanted.join_url));
    if (!wrong.empty()) return wrong.error();

    pg::transaction transaction(database);
    auto const stage = store::select_stage(database, of->id, wanted.job, wanted.stage, team_member(by));
    if (!stage) return refusal("stageId", "unknown", "there is no such job and stage");
    out.stage = *stage;
    auto const interviewer = find_interviewer(database, *of, wanted.interviewer);
    if (!interviewer) return interviewer.error();
    if (out.pattern.duration.count() == 0) {
        if (!stage->duration_minutes) return refusal("durationMinutes", "missing", "the stage has no duration yet");
        out.pattern.duration = std::chrono::minutes{*stage->duration_minutes};
    }
    auto const planned = plan(out.pattern, wanted.most, clock);
    if (!planned) return planned.error();
    store::new_slots const to{of->id, wanted.job, wanted.stage, interviewer->id, wanted.join_url};
    out = insert_new(database, to, std::move(out), *planned, by);
    transaction.commit();
    return out;
}

result<std::vector<closed_slot>> close_slots(pg::client& database, uuid const& organization_id,
                                             std::span<uuid const> slots, actor const& by) {
    auto refused =
        directory::refuse_unless(by, {role::admin, role::recruiter, role::hiring_manager, role::interviewer});
    if (refused) return *refused;
    pg::transaction transaction(database);
    auto closed = store::close_slots(database, organization_id, slots);
    std::vector<uuid> ids;
    for (auto const& slot : closed) ids.push_back(slot.id);
    if (!ids.empty()) record_slots(database, organization_id, "slot.closed", ids, by);
    transaction.commit();
    return closed;
}

result<bool> change_stage(pg::client& database, uuid const& organization_id, uuid const& stage,
                          stage_change const& wanted, actor const& by) {
    if (auto refused = refuse_unless_planner(by)) return *refused;
    pg::transaction transaction(database);
    auto const now = store::select_stage(database, organization_id, std::nullopt, stage, team_member(by));
    if (!now) return directory::absent("there is no such stage");
    auto const bookable = wanted.bookable.value_or(now->bookable);
    auto const minutes = wanted.duration_minutes ? wanted.duration_minutes : now->duration_minutes;
    if (bookable && !minutes)
        return refusal("interviewDurationMinutes", "missing", "a bookable stage needs a duration");
    if (bookable == now->bookable && minutes == now->duration_minutes) return false;
    store::update_stage(database, stage, wanted.bookable, wanted.duration_minutes);
    directory::record_change(database, {organization_id, "stage.changed", "stage", stage}, by);
    transaction.commit();
    return true;
}

} // namespace recruiting::interviews
