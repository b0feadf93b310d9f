// The SQL of bookings that members change.
#pragma once
#include "crypto/digest.hpp"
#include "pg/client.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace recruiting::interviews::store {

struct locked_booking {
    std::string status;
    uuid job, stage;
    std::optional<uuid> slot, membership;
    std::optional<timestamp> starts_at, ends_at;

    [[nodiscard]] bool is_confirmed() const { return status == "confirmed"; }
};
/// A booking that the member may change and that has not begun (policy console_change), until the transaction ends.
/// What changes it has its audit row under this request.
[[nodiscard]] std::optional<locked_booking> lock_booking(pg::client& database, uuid const& booking,
                                                         std::string_view request_id);
/// Of a booking that the member sees: whether it has begun.
[[nodiscard]] std::optional<bool> has_begun(pg::client& database, uuid const& organization_id, uuid const& booking);

/// Whether the booking may be placed in the slot, which is one of its stage; nullopt: the member sees no such slot.
[[nodiscard]] std::optional<bool> fits_slot(pg::client& database, uuid const& booking, uuid const& slot);
/// Throws query_error with the constraint bookings_one_at_a_time or bookings_slot_open.
void place_booking(pg::client& database, uuid const& booking, uuid const& slot);
void cancel_booking(pg::client& database, uuid const& booking);

enum class link_outcome { made, beyond_limit, closed };
/// most: confirmations and copied links in a clock hour.
[[nodiscard]] link_outcome resend_confirmation(pg::client& database, uuid const& booking, std::int64_t most);
struct link_hashes {
    digest manage, join;
};
[[nodiscard]] link_outcome insert_link(pg::client& database, uuid const& booking, std::int64_t most,
                                       link_hashes const& hashes, std::chrono::milliseconds lifetime);

} // namespace recruiting::interviews::store
