// What happens next to a request on its way to its service, decided from what has happened so far. Pure:
// phases/forward.cpp carries the steps out.
#pragma once
#include "core/error.hpp"
#include "gateway/client_request.hpp"

namespace recruiting::gateway {

/// What has become of a request. From body_late on, the gateway answers it (error_of).
enum class forward_outcome {
    pending, // not answered: it goes on, unless too much was tried
    answered,
    client_gone,
    body_late,
    body_too_large,
    body_malformed,
    trailers_too_large,
    too_many_uploads, // of this client, at the same time
    no_permit,        // too many requests wait for the service, or this one has waited too long
    no_address,       // of the service can be called
};

/// What one call of the service, at one address, came to. pending: it was lost before its answer began.
struct call_result {
    forward_outcome outcome{forward_outcome::pending};
    bool sent{false};      // any byte of the request
    bool silent{false};    // the connection ended without a byte of an answer
    bool body_gone{false}; // parts of the request's body were read from the client and are not kept
};

/// How far a request has come.
struct forward_progress {
    forward_outcome outcome{forward_outcome::pending};
    bool awaits_body{false}; // a small body is complete before its request takes a permit
    bool has_permit{false};  // to be in progress at the service
    unsigned calls{0};
    bool sent{false}; // any byte of the request, by any call
    call_result last{};
};

enum class forward_step { await_body, await_permit, call, refuse, done };

/// A call that was lost is made once more, at another address. A request that was not sent may be, whatever it is. One
/// that was sent only if its method is safe (RFC 9110 section 9.2.2) and the service said nothing: a POST never, with
/// an Idempotency-Key neither, because its client does that.
[[nodiscard]] forward_step next_step(client_request const& request, forward_progress const& progress) noexcept;

/// refuse: what the client gets. Whether the service may have seen the request decides what the client may conclude.
[[nodiscard]] api_error error_of(client_request const& request, forward_progress const& progress);

/// May the same request be made twice (RFC 9110 section 9.2.2; an Idempotency-Key makes a POST to /api/v1 so)?
[[nodiscard]] bool is_repeatable(client_request const& request) noexcept;

} // namespace recruiting::gateway
