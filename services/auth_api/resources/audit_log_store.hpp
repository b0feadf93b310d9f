#pragma once
#include "auth_api/http/list_query.hpp"

namespace recruiting::auth_api {

extern list_shape const audit_list;

inline constexpr list_filter audit_since{"occurredAfter", "a.occurred_at >= ?::timestamptz", filter_index::range};
inline constexpr list_filter audit_until{"occurredBefore", "a.occurred_at < ?::timestamptz", filter_index::range};
inline constexpr list_filter audit_of_credential{"credentialId", "a.credential_id = ?::uuid", filter_index::ordered};
inline constexpr list_filter audit_of_member{"memberId", "a.actor_member_id = ?::uuid", filter_index::ordered};
inline constexpr list_filter audit_of_session{"sessionId", "a.session_id = ?::uuid", filter_index::ordered};
inline constexpr list_filter audit_of_request{"requestId", "a.request_id = ?", filter_index::sorted};
// Indexed are the rows of what happens rarely (0025): refusals, and everything but requests.
inline constexpr list_filter audit_of_action{"action", "a.action = ?", filter_index::ordered,
                                             "a.action <> 'api.request'"};
inline constexpr list_filter audit_of_requests{"action", "a.action = ?"};
inline constexpr list_filter audit_of_failures{"success", "a.success = ?::boolean", filter_index::ordered,
                                               "NOT a.success"};
inline constexpr list_filter audit_of_successes{"success", "a.success = ?::boolean"};
inline constexpr list_filter audit_of_endpoint{"endpoint", "a.endpoint = ?"};
inline constexpr list_filter audit_of_status{"statusCode", "a.status_code = ?::smallint"};
inline constexpr list_filter audit_of_address{"ipAddress", "a.ip_address = ?::inet"};

} // namespace recruiting::auth_api
