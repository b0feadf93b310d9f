// The actions that audit rows name (proto-docs/audit.md). GET /audit takes these and no other.
#pragma once
#include <algorithm>
#include <initializer_list>
#include <string_view>

namespace recruiting::audit {

inline std::initializer_list<std::string_view> const actions = {
    "agent.run_completed",
    "agent.run_failed",
    "agent.run_started",
    "agent.tool_call",
    "api.request",
    "booking.canceled",
    "booking.confirmed",
    "booking.declined",
    "booking.handed_over",
    "booking.link_created",
    "booking.rescheduled",
    "booking.resent",
    "booking.slot_taken",
    "candidate.erased",
    "candidate.expired",
    "console.request",
    "import.finished",
    "key.created",
    "key.revoked",
    "member.added",
    "member.invited",
    "member.join_url_changed",
    "member.joined",
    "member.name_changed",
    "member.removed",
    "member.restored",
    "member.role_changed",
    "member.sign_in_link_created",
    "member.signed_in",
    "member.signed_out",
    "organization.branding_changed",
    "organization.candidate_retention_changed",
    "organization.created",
    "organization.room_url_changed",
    "slot.closed",
    "slot.opened",
    "stage.changed",
    "webhook.created",
    "webhook.deleted",
    "webhook.failed",
    "webhook.gone",
    "webhook.paused",
    "webhook.resent",
    "webhook.resumed",
    "webhook.secret_rotated",
    "webhook.tested",
};

inline bool is_action(std::string_view name) { return std::ranges::find(actions, name) != actions.end(); }

} // namespace recruiting::audit
