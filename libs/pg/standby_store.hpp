// A standby that answers some of its primary's reads: how it is reached, when it is asked, and whether its rows may
// stand for the primary's (one line of history, and a bounded lag). Which reads these are, and how rows are compared,
// differs between the services (decision 0102).
#pragma once
#include "pg/pipeline.hpp"
#include "pg/schema_store.hpp"
#include "pg/servers.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace recruiting::pg {

struct standby_settings {
    explicit standby_settings(service_role const& role) : schema(std::make_shared<schema_gate>(role)) {}

    std::string url; // "": there is no standby
    // What the process's connections know of the standby; what they know of the primary does not apply to it.
    std::shared_ptr<schema_gate> schema;
    std::shared_ptr<known_servers> servers = std::make_shared<known_servers>();

    [[nodiscard]] bool is_on() const noexcept { return !url.empty(); }
    /// The settings of a connection to the primary, for one to the standby.
    [[nodiscard]] pipeline_settings connection(pipeline_settings of_primary) const {
        of_primary.url = url;
        of_primary.schema = schema;
        of_primary.servers = servers;
        return of_primary;
    }
};

/// When a standby is asked, and what the last read found. A standby that could not be used is left alone for 5 s, so
/// that it delays one read in that time.
class standby_use {
public:
    static constexpr std::chrono::seconds pause{5};

    [[nodiscard]] bool is_paused(coarse_clock::time_point now) const noexcept { return now < retry_at_; }
    [[nodiscard]] bool was_asked() const noexcept { return why_not_.has_value(); }
    /// why_not: why the primary answered instead; "": the standby answered. pauses: the next read would find the same.
    /// True: the last read found something else, and this is to be logged.
    bool note(std::string_view why_not, bool pauses, coarse_clock::time_point now) {
        if (pauses) retry_at_ = now + pause;
        return std::exchange(why_not_, std::string(why_not)) != why_not;
    }

private:
    coarse_clock::time_point retry_at_{coarse_clock::time_point::min()};
    std::optional<std::string> why_not_;
};

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
