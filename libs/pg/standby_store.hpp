// Whether what is read from a standby may stand for what its primary has: one line of history, and a bounded lag
// (decision 0107).
#pragma once
#include "core/time.hpp"
#include "pg/params.hpp"
#include "pg/rows.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace recruiting::pg {

/// Where a server is in its history when it is asked.
struct server_moment {
    std::string line; // which system, database and timeline; "": PostgreSQL doesn't say
    bool is_standby{false};
    timestamp now;                     // by the server's own clock
    std::optional<timestamp> replayed; // when the last transaction that a standby replayed was committed on its primary
    std::int64_t ended_below{0};       // all transactions with lower numbers have ended
    std::int64_t first_open{0};        // no transaction from this number on has ended
};
[[nodiscard]] statement select_moment();
[[nodiscard]] server_moment read_moment(rows const& found);

enum class standby_state { current, behind, another_server };
/// The primary was asked first. current: the standby has everything that the primary had committed then, or at most
/// max_lag less. Both times are by the primary's clock.
[[nodiscard]] standby_state compare(server_moment const& primary, server_moment const& standby,
                                    std::chrono::milliseconds max_lag) noexcept;

} // namespace recruiting::pg
