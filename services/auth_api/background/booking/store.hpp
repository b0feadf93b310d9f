// The booking worker's statements, as whole segments, and their rows. Each begins by naming the worker, without which
// PostgreSQL shows it nothing.
#pragma once
#include "auth_api/background/booking/decision.hpp"
#include "auth_api/background/settings.hpp"
#include "pg/params.hpp"
#include "pg/rows.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace recruiting::auth_api::booking {

/// Takes up to a batch of requests that no worker holds; what has failed too often is dead-lettered.
[[nodiscard]] std::vector<pg::statement> lease_requests(booking_settings const& settings);
struct leased_batch {
    std::vector<request> requests; // in order of arrival, those in excess last
    std::vector<uuid> dead_lettered;
    std::optional<timestamp> oldest; // when the oldest that waits arrived, leased or not; of those not in excess
    timestamp now;
    [[nodiscard]] std::int64_t size() const noexcept {
        return static_cast<std::int64_t>(requests.size() + dead_lettered.size());
    }
};
[[nodiscard]] leased_batch read_leased(std::span<pg::rows const> answer);

/// What is known for one request's decision.
[[nodiscard]] std::vector<pg::statement> select_facts(request const& asked);
/// nullopt: this worker has lost the request.
[[nodiscard]] std::optional<facts> read_facts(std::span<pg::rows const> answer);

/// Deletes the request and writes what was decided, both or neither. Neither also when this worker has lost the request
/// or the booking has changed since the facts were read. Throws exclusion, unique or check violations where somebody
/// else was quicker. keeps_unmatched: it matched nobody, and is kept for recruiters.
[[nodiscard]] std::vector<pg::statement> write_decision(request const& asked, decision const& what,
                                                        std::optional<std::string> const& room_url,
                                                        bool keeps_unmatched = false);
[[nodiscard]] bool read_written(std::span<pg::rows const> answer);

/// Deletes all but the newest `most` requests that matched no candidate, in each of the organizations.
[[nodiscard]] std::vector<pg::statement> bound_unmatched(std::span<uuid const> organizations, std::int64_t most);

} // namespace recruiting::auth_api::booking
