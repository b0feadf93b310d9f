// The booking limits: their names, what counts in a window mean, and the count of what a request uses, for all
// instances together. Called by dispatch, before a plan's statements.
#pragma once
#include "core/error.hpp"
#include "rate_limit/limiter.hpp"

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace recruiting::public_api {

// The names of the limits in refusals, RateLimit fields, metrics, Redis keys and proto-docs/limits.md.
inline constexpr std::string_view booking_client_limit = "booking_client";
// Requests for one e-mail address from one client network.
inline constexpr std::string_view booking_address_limit = "booking_address";
// Requests for one e-mail address from all networks together; this limit refuses nothing.
inline constexpr std::string_view booking_address_total_limit = "booking_address_total";
inline constexpr std::string_view booking_changes_limit = "booking_changes";
inline constexpr std::array limit_names = {booking_client_limit, booking_address_limit, booking_address_total_limit,
                                           booking_changes_limit};

/// A limit that this request counts against, whatever its answer is.
struct counted_use {
    std::string_view name;      // of limit_names
    rate_limit::client_key key; // whose count; nothing of it may be a candidate's data in clear
    std::int64_t most{0};
    std::chrono::seconds window{0}; // fixed, on the clock (UTC)
    /// A count that clients share: beyond it nothing is refused, and the plan's excess_statements are run. It comes
    /// after those that refuse, and does not count what they refuse.
    bool is_silent{false};
};

/// A limit that PostgreSQL counts in the transaction itself, and the constraint it names when the limit is reached.
struct database_limit {
    std::string_view constraint;
    counted_use use;
};

/// rate_limited, with Retry-After until all windows that are full have ended, and which they are: in the error's
/// details and as the values of RateLimit-Policy and RateLimit (draft-ietf-httpapi-ratelimit-headers). The one that
/// ends last comes first.
struct limit_refusal {
    api_error error;
    std::string policy;
    std::string state;
};

/// numbers: of each use, this request included. nullopt: no use is over a limit that refuses.
[[nodiscard]] std::optional<limit_refusal> refuse_over(std::vector<counted_use> const& uses,
                                                       std::vector<std::int64_t> const& numbers, timestamp now);

struct limit_decision {
    std::optional<limit_refusal> refusal; // rate_limited
    bool is_excess{false};                // a silent limit is exceeded
};

/// What the threads share.
struct shared_limits {
    /// most: of the limits that are counted in Redis, in the order of limit_names.
    shared_limits(redis::address const& where, std::array<std::int64_t, 3> const& most, metrics::registry& registry);

    rate_limit::shared_parts counts;
    std::map<std::string_view, metrics::counter*> refused; // by the limit's name
};

class limiter {
public:
    limiter(asio::io_context& context, shared_limits& shared)
        : context_(context), shared_(shared), counts_(context, shared.counts) {}

    /// Counts every use once, but a silent one only when no other refuses. Once one refuses, the rest costs Redis
    /// nothing.
    [[nodiscard]] task<limit_decision> count(std::vector<counted_use> const& uses, timestamp now);
    /// The refusal by a limit that was counted elsewhere.
    [[nodiscard]] limit_refusal refuse(counted_use const& use, timestamp now);
    void stop() { counts_.stop(); }

private:
    [[nodiscard]] task<std::int64_t> number_of(counted_use const& use, timestamp now);
    [[nodiscard]] limit_decision decide(std::vector<counted_use> const& uses, std::vector<std::int64_t> const& numbers,
                                        timestamp now);

    asio::io_context& context_;
    shared_limits& shared_;
    rate_limit::limiter counts_;
};

} // namespace recruiting::public_api
