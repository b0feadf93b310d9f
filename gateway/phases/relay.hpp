// What forward uses of the phase relay: the request's body on its way up, beside the answer's on its way down.
#pragma once
#include "gateway/session.hpp"

namespace recruiting::gateway {

/// false: the client is gone.
[[nodiscard]] bool start_upload(session& s, upstream_connection& connection);
/// Waits until nothing touches the client's stream but the session. An upload that goes on is of no use any more.
[[nodiscard]] task<void> end_upload(session& s, upstream_connection& connection);
/// What the client is told when its body failed; nullopt: it is gone.
[[nodiscard]] std::optional<api_error> fault_of(relay_result result);
/// The answer's head is complete: relays it and its body, and says in s.x and s.reusable what became of it.
[[nodiscard]] task<void> relay_answer(session& s, upstream_connection& connection);
/// How long the service may take.
[[nodiscard]] std::chrono::milliseconds answer_limit(session const& s) noexcept;
[[nodiscard]] upstream& service_of_request(session& s) noexcept;

} // namespace recruiting::gateway
