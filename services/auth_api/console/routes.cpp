#include "auth_api/console/routes.hpp"

#include "auth_api/console/endpoints.hpp"
#include "auth_api/console/session_endpoints.hpp"
#include "auth_api/resources/endpoints.hpp"

#include <array>

namespace recruiting::auth_api::console {
namespace {

using sessions = session_endpoints;

constexpr action changes(change_function change) { return {.change = change}; }
constexpr action changes_with_body(change_function change) { return {.change = change, .takes_body = true}; }
constexpr action of_session(session_function call) { return {.session = call}; }
constexpr action of_session_with_body(session_function call) { return {.session = call, .takes_body = true}; }
constexpr action open(session_function call) { return {.session = call, .is_open = true}; }
constexpr action open_with_query(session_function call) {
    return {.session = call, .is_open = true, .takes_query = true};
}
constexpr action open_with_body(session_function call) {
    return {.session = call, .takes_body = true, .is_open = true};
}

constexpr auto console_table = std::to_array<route>({
    {"GET", "/console/api/settings", open(&sessions::show_settings)},
    {"POST", "/console/api/sign-in-links", open_with_body(&sessions::request_link)},
    {"POST", "/console/api/sign-in-links/inspect", open_with_body(&sessions::inspect_link)},
    {"POST", "/console/api/session", open_with_body(&sessions::open_session)},
    {"GET", "/console/api/session", of_session(&sessions::show_session)},
    {"DELETE", "/console/api/session", of_session(&sessions::end_session)},
    {"PUT", "/console/api/session/organization", of_session_with_body(&sessions::choose_organization)},
    {"GET", "/console/api/oidc/start", open_with_query(&sessions::start_provider_sign_in)},
    {"GET", "/console/api/oidc/callback", open_with_query(&sessions::finish_provider_sign_in)},
    {"GET", "/console/api/sessions", of_session(&sessions::list_sessions)},
    {"DELETE", "/console/api/sessions", of_session(&sessions::end_sessions)},
    {"DELETE", "/console/api/sessions/{id}", of_session(&sessions::end_one)},
    {"GET", "/console/api/limits", of_session(&sessions::show_limits)},
    {"GET", "/console/api/scopes", reads(list_scopes)},
    {"GET", "/console/api/organization", reads(get_organization), "organization:read"},
    {"GET", "/console/api/members", reads(list_members), "members:read"},
    {"GET", "/console/api/jobs", reads(list_jobs), "jobs:read"},
    {"GET", "/console/api/jobs/{id}", reads(get_job), "jobs:read"},
    {"GET", "/console/api/candidates/{id}", reads(get_candidate), "candidates:read"},
    {"GET", "/console/api/billing", reads(get_billing), "billing:read"},
    {"GET", "/console/api/audit", reads(list_audit), "audit:read"},
    {"GET", "/console/api/audit/chain", reads(get_audit_chain), "audit:read"},
    {"GET", "/console/api/agent/sessions", reads(auth_api::list_sessions), "agents:read"},
    {"GET", "/console/api/agent/sessions/{id}", reads(auth_api::get_session), "agents:history"},
    {"POST", "/console/api/agent/invocations", invokes_agent(), "agents:invoke"},
    {"GET", "/console/api/api-keys", reads(list_keys)},
    {"POST", "/console/api/api-keys", changes_with_body(create_key)},
    {"POST", "/console/api/api-keys/{id}/revoke", changes_with_body(revoke_key)},
    {"POST", "/console/api/members", changes_with_body(invite_member)},
    {"PATCH", "/console/api/members/{id}", changes_with_body(change_member)},
    {"DELETE", "/console/api/members/{id}", changes(remove_member)},
    {"POST", "/console/api/members/{id}/restore", changes(restore_member)},
    {"POST", "/console/api/members/{id}/invitation", changes(renew_invitation)},
    {"GET", "/console/api/members/{id}/key-effects", reads(list_key_effects)},
    {"GET", "/console/api/webhooks", reads(list_webhooks)},
    {"POST", "/console/api/webhooks", changes_with_body(create_webhook)},
    {"PATCH", "/console/api/webhooks/{id}", changes_with_body(change_webhook)},
    {"DELETE", "/console/api/webhooks/{id}", changes(remove_webhook)},
    {"POST", "/console/api/webhooks/{id}/secret", changes(rotate_webhook_secret)},
    {"POST", "/console/api/webhooks/{id}/test", changes(test_webhook)},
    {"GET", "/console/api/webhooks/{id}/deliveries", reads(list_webhook_deliveries)},
    {"POST", "/console/api/webhooks/{id}/deliveries", changes_with_body(resend_webhook_delivery)},
    {"GET", "/console/api/interviews/stages", reads(list_interview_stages)},
    {"PATCH", "/console/api/interviews/stages/{id}", changes_with_body(change_interview_stage)},
    {"GET", "/console/api/interviews/slots", reads(list_interview_slots)},
    {"POST", "/console/api/interviews/slots", changes_with_body(open_interview_slots)},
    {"POST", "/console/api/interviews/slots/{id}/close", changes(close_interview_slot)},
    {"GET", "/console/api/interviews/bookings", reads(list_interview_bookings)},
    {"GET", "/console/api/interviews/bookings/{id}", reads(get_interview_booking)},
    {"GET", "/console/api/interviews/bookings/{id}/timeline", reads(get_booking_timeline)},
    {"POST", "/console/api/interviews/bookings/{id}/cancel", changes(cancel_interview_booking)},
    {"POST", "/console/api/interviews/bookings/{id}/move", changes_with_body(move_interview_booking)},
    {"POST", "/console/api/interviews/bookings/{id}/hand-over", changes_with_body(hand_over_interview_booking)},
    {"POST", "/console/api/interviews/bookings/{id}/resend", changes(resend_interview_confirmation)},
    {"POST", "/console/api/interviews/bookings/{id}/link", changes(create_booking_link)},
    {"GET", "/console/api/interviews/unmatched", reads(list_unmatched_requests)},
    {.method = "GET", .path = pages_path, .action = {}, .takes_all_below = true},
});

} // namespace

std::span<route const> routes() { return console_table; }

} // namespace recruiting::auth_api::console
