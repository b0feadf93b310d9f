// A service was lost before its answer was whole: may the request go to another address? Pure.
#pragma once
#include "core/error.hpp"
#include "gateway/request_context.hpp"

#include <cstdint>

namespace recruiting::gateway {

/// What became of one attempt at one address. lost: it may be tried again, if after_loss says so.
enum class attempt_outcome { answered, refused, client_gone, lost };

/// The service was lost before its answer began. What now?
enum class loss_action { retry, unavailable, outcome_unknown };
struct loss {
    bool sent{false};        // any byte of the request
    bool silent{false};      // the connection ended, without a byte of an answer
    bool body_gone{false};   // parts of the body were read from the client and are kept no more
    bool sent_before{false}; // on an earlier try
    std::int64_t tries_left{0};
};
/// Unsent, a request may go to another address whatever it is. Sent, it is repeated once at most, and only if its
/// method is safe (RFC 9110 section 9.2.2): a POST never, with an Idempotency-Key neither, its client does that.
[[nodiscard]] loss_action after_loss(request_context const& x, loss const& what) noexcept;
/// What the client gets when the action is not to retry: whether the service may have seen the request decides what it
/// may conclude.
[[nodiscard]] api_error error_after(request_context const& x, loss_action action, loss const& what);
/// May the same request be made twice (RFC 9110 section 9.2.2; an Idempotency-Key makes a POST to /api/v1 so)?
[[nodiscard]] bool is_repeatable(request_context const& x) noexcept;

} // namespace recruiting::gateway
