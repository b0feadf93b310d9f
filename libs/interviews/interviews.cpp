#include "interviews/interviews.hpp"

#include "directory/organizations.hpp"
#include "directory/rules.hpp"
#include "directory/store.hpp"
#include "mail/meeting_url.hpp"

namespace recruiting::interviews {
namespace {

using directory::actor;
using directory::refusal;

// Whose jobs alone may be planned: a hiring manager's, who is on their hiring teams. nullopt: every job may be.
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
    if (!ends_within(pattern, horizon, clock.now()))
        return refusal("lastDay", "out_of_range",
                       "slots are opened for at most " + std::to_string(horizon.count()) + " days ahead");
    auto planned = plan_slots(pattern, clock.now(), most + 1);
    if (planned.size() > most)
        return refusal("lastDay", "too_many",
                       "that is more than " + std::to_string(most) + " slots; choose a shorter period");
    if (planned.empty())
        return refusal("lastDay", "no_slots", "no future slot fits these days, times and this duration");
    return planned;
}

// The bound that these counts and the added slots exceed.
std::optional<api_error> refuse_beyond(store::slot_counts const& now, std::int64_t added) {
    auto const beyond = [&](std::string_view field, std::string_view whose, std::int64_t open, std::int64_t most) {
        return refusal(field, "too_many_slots",
                       std::string(whose) + " has " + std::to_string(open) + " open slots and may have " +
                           std::to_string(most) + "; close some, or open fewer than these " + std::to_string(added));
    };
    if (now.of_interviewer + added > most_open_of_interviewer)
        return beyond("memberId", "the interviewer", now.of_interviewer, most_open_of_interviewer);
    if (now.of_stage + added > most_open_of_stage)
        return beyond("stageId", "the stage", now.of_stage, most_open_of_stage);
    if (now.of_organization + added > most_open_of_organization)
        return beyond("lastDay", "the organization", now.of_organization, most_open_of_organization);
    if (now.of_hour + added > most_opened_per_hour)
        return rate_limited(
            "slots", now.seconds_left,
            "This organization would open more interview slots in this hour than it may. Try again later.");
    return std::nullopt;
}

struct slot_plan {
    store::new_slots to;
    opened_slots slots; // times.added are to be opened
};

// Holds the locks of the organization's counts and of the interviewer, so that what is compared here stays true until
// the transaction ends.
result<slot_plan> compare(pg::client& database, store::new_slots const& to, opened_slots found,
                          std::vector<slot_time> const& planned, timestamp now) {
    auto const counts = store::lock_slot_counts(database, to.organization, to.stage, to.membership);
    store::lock_interviewer(database, to.membership);
    slot_time const span{planned.front().starts_at, planned.back().ends_at};
    found.times = sort_slots(planned, store::select_occupied(database, to.membership, to.stage, span));
    found.times.past = slots_gone_by(found.pattern, now);
    auto const added = static_cast<std::int64_t>(found.times.added.size());
    if (added > 0)
        if (auto refused = refuse_beyond(counts, added)) return *refused;
    return slot_plan{to, std::move(found)};
}

// Inside a transaction, which keeps what it compares as it is.
result<slot_plan> plan_opening(pg::client& database, std::string_view organization_slug, wanted_slots const& wanted,
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

    auto const stage = store::select_stage(database, of->id, wanted.job, wanted.stage, team_member(by));
    if (!stage) return refusal("stageId", "unknown", "there is no such job and stage");
    out.stage = *stage;
    auto const interviewer = find_interviewer(database, *of, wanted.interviewer);
    if (!interviewer) return interviewer.error();
    if (out.pattern.duration.count() == 0) {
        if (!stage->duration_minutes)
            return refusal("interviewDurationMinutes", "missing", "the stage has no duration yet");
        out.pattern.duration = std::chrono::minutes{*stage->duration_minutes};
    }
    auto const planned = plan(out.pattern, wanted.most, clock);
    if (!planned) return planned.error();
    store::new_slots const to{of->id, wanted.job, wanted.stage, interviewer->id, wanted.join_url};
    return compare(database, to, std::move(out), *planned, clock.now());
}

void insert_new(pg::client& database, slot_plan& plan, actor const& by) {
    auto const& to = plan.to;
    auto const& added = plan.slots.times.added;
    if (!added.empty()) {
        plan.slots.ids = store::insert_slots(database, to, added);
        auto const count = static_cast<std::int64_t>(added.size());
        directory::record_change(database, {to.organization, "slot.opened", "stage", to.stage, count}, by);
    }
    if (plan.slots.stage.bookable) return;
    store::update_stage(database, to.stage, true, plan.slots.pattern.duration.count());
    directory::record_change(database, {to.organization, "stage.changed", "stage", to.stage}, by);
}

} // namespace

result<opened_slots> preview_slots(pg::client& database, std::string_view organization_slug, wanted_slots const& wanted,
                                   actor const& by, time_source const& clock) {
    pg::transaction const transaction(database);
    auto planned = plan_opening(database, organization_slug, wanted, by, clock);
    if (!planned) return planned.error();
    return std::move(planned->slots);
}

result<opened_slots> open_slots(pg::client& database, std::string_view organization_slug, wanted_slots const& wanted,
                                actor const& by, time_source const& clock) {
    pg::transaction transaction(database);
    auto planned = plan_opening(database, organization_slug, wanted, by, clock);
    if (!planned) return planned.error();
    insert_new(database, *planned, by);
    transaction.commit();
    return std::move(planned->slots);
}

result<uuid> provide_slot(pg::client& database, store::new_slots const& where, slot_time const& when, actor const& by) {
    auto const counts = store::lock_slot_counts(database, where.organization, where.stage, where.membership);
    store::lock_interviewer(database, where.membership);
    if (auto const known = store::select_open_slot(database, where, when.starts_at)) return *known;
    if (auto refused = refuse_beyond(counts, 1)) return *refused;
    auto const ids = store::insert_slots(database, where, std::span(&when, 1));
    directory::record_change(database, {where.organization, "slot.opened", "stage", where.stage, 1}, by);
    return ids.front();
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
    if (!ids.empty())
        directory::record_changes(database, {organization_id, "slot.closed", "interview_slot", {}}, ids, by);
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
