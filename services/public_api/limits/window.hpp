// The booking limits: their names, their fixed windows on the clock, what counts in a window mean, and the counts that
// this process keeps itself. Without I/O.
#pragma once
#include "core/error.hpp"
#include "core/time.hpp"

#include <array>
#include <chrono>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace recruiting::public_api {

// The names of the limits in refusals, RateLimit fields, metrics, Redis keys and proto-docs/limits.md.
inline constexpr std::string_view booking_client_limit = "booking_client";
// Of one e-mail address, from one client network.
inline constexpr std::string_view booking_address_limit = "booking_address";
// Of one e-mail address, from all networks together; refuses nothing.
inline constexpr std::string_view booking_address_total_limit = "booking_address_total";
inline constexpr std::string_view booking_changes_limit = "booking_changes";
inline constexpr std::array limit_names = {booking_client_limit, booking_address_limit, booking_address_total_limit,
                                           booking_changes_limit};

/// A limit that this request counts against, whatever becomes of it.
struct counted_use {
    std::string_view name; // "booking_address", for metrics; a literal
    std::string key;       // whose count; nothing of it may be a candidate's data in clear
    std::int64_t most{0};
    std::chrono::seconds window{0}; // fixed, on the clock (UTC)
    /// A count that clients share: beyond it nothing is refused, and the plan's excess_segment is run. It comes after
    /// those that refuse, and does not count what they refuse.
    bool is_silent{false};
};

/// A limit that PostgreSQL counts in the segment itself, and the constraint it names when the limit is reached.
struct database_limit {
    std::string_view constraint;
    counted_use use;
};

struct window {
    std::int64_t number{0}; // since the epoch: hours begin at :00, days at midnight UTC
    timestamp ends_at;
};

[[nodiscard]] window window_at(timestamp now, std::chrono::seconds length) noexcept;

/// "bl:booking_address:…:20780": the window is part of the name, so that an expiry that comes late changes no answer.
[[nodiscard]] std::string count_key(counted_use const& use, timestamp now);

/// rate_limited, with Retry-After until all windows that are full have ended, and which they are: in the error's
/// details and as the values of RateLimit-Policy and RateLimit (draft-ietf-httpapi-ratelimit-headers). The one that
/// ends last comes first.
struct limit_refusal {
    api_error error;
    std::string policy;
    std::string state;
};

/// counts: of each use, this request included. Nothing when none that refuses is over.
[[nodiscard]] std::optional<limit_refusal> refuse_over(std::vector<counted_use> const& uses,
                                                       std::vector<std::int64_t> const& counts, timestamp now);

struct local_count {
    std::int64_t count{0};
    bool is_shared{false}; // also counted in Redis
    bool operator==(local_count const&) const = default;
};

/// The counts of this process, for all its threads. They hold the limits while Redis is unavailable, slow, or has been
/// flushed, and they decide which counts are sent to Redis, so that no number of clients and addresses fills it.
class window_counts {
public:
    /// most: counts of each limit that are shared through Redis in one window, none of which is ever forgotten before
    /// the window ends. As many again are kept in the process alone; a further one replaces any of those.
    explicit window_counts(std::size_t most) : most_(most) {}

    /// Adds one to each and returns what they are now. What another limit refuses adds nothing to a silent one.
    [[nodiscard]] std::vector<local_count> add(std::vector<counted_use> const& uses, timestamp now);
    [[nodiscard]] std::size_t size() const;

private:
    using counts_by_key = std::map<std::string, std::int64_t, std::less<>>;
    // All counts of a limit have the same window.
    struct table {
        std::int64_t window{0};
        counts_by_key shared;
        counts_by_key own;
    };
    local_count add_one(counted_use const& use, timestamp now);

    std::size_t most_;
    mutable std::mutex mutex_;
    std::map<std::string_view, table> tables_; // by limit
};

} // namespace recruiting::public_api
