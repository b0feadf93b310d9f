// What the connections of a process know together of the servers behind one connection string: which host gave no
// answer lately, and on which line of history the newest server was. Shared by threads.
#pragma once
#include "async/ticker.hpp"
#include "pg/params.hpp"
#include "pg/rows.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace recruiting::pg {

/// A server's line of history: of one system, a higher timeline is the one that was promoted later. Empty and 0:
/// PostgreSQL doesn't say.
struct server_line {
    std::string system; // system_identifier (pg_control_system)
    std::int64_t timeline{0};
};

/// One row: system identifier and timeline, of the server that runs the statement.
extern std::string_view const select_line;
[[nodiscard]] server_line read_line(row from);

/// Why a connection is given up whose server is on an older timeline than known_servers::newest_timeline().
inline constexpr char const* outdated_server = "another server was seen on a later timeline: this one was replaced";

class known_servers {
public:
    /// One host of the connection string; what is empty is left to libpq.
    struct host {
        std::string name;
        std::string address;
        std::string port;
    };

    /// Reads which hosts there are; the first call counts, all connections have the same url. It is not kept, for it
    /// holds the password. One that libpq can't parse is left for it to refuse.
    void read(std::string const& url);

    [[nodiscard]] host const& at(std::size_t index) const { return hosts_.at(index).where; }
    /// What connect_timeout in the connection string says.
    [[nodiscard]] std::optional<std::chrono::milliseconds> connect_timeout() const noexcept { return connect_timeout_; }
    /// The values of target_session_attrs to try each host with, in turn; an empty one leaves it to libpq.
    [[nodiscard]] std::vector<std::string> const& session_attributes() const noexcept { return attributes_; }

    /// The hosts to try now, in the connection string's order. One that is silent is left to one connection at a time,
    /// every second, after all others: the rest neither wait for it nor pile up in front of it. May be empty.
    [[nodiscard]] std::vector<std::size_t> to_try(coarse_clock::time_point now);
    /// The host let a connection attempt or a heartbeat without an answer.
    void silent(std::size_t index, coarse_clock::time_point now);
    /// It answered, even if only to refuse.
    void answered(std::size_t index);
    /// It answered, but as a server that must not be used: left alone for a second.
    void unusable(std::size_t index, coarse_clock::time_point now);
    /// Two connections have found the host silent after `heard`: a connection that last heard from it then may give it
    /// up too.
    [[nodiscard]] bool silent_since(std::size_t index, coarse_clock::time_point heard) const;

    /// Why a server of this line may not be used; empty: it may, and so may one that doesn't say its line. A line once
    /// seen is never left for another system or an older timeline: that server lacks what others have acknowledged.
    [[nodiscard]] std::string refuse(server_line const& line);
    /// 0: none was seen.
    [[nodiscard]] std::int64_t newest_timeline() const noexcept { return newest_timeline_; }

private:
    struct state {
        host where;
        bool avoid{false};
        coarse_clock::time_point try_at{};
        coarse_clock::time_point last_silence{};
        coarse_clock::time_point silence_before{};
    };

    mutable std::mutex mutex_;
    std::vector<state> hosts_;
    std::optional<std::chrono::milliseconds> connect_timeout_;
    std::vector<std::string> attributes_;
    std::optional<server_line> newest_;
    std::atomic<std::int64_t> newest_timeline_{0};
};

} // namespace recruiting::pg
