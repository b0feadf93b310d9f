// What a connection asks its server when it is made and every 1.5 s, and what follows from the answer: whether the
// server is one that may be used (servers.hpp), the role the program's and the schema new enough (schema_store.hpp).
// Used by pipeline.cpp only.
#pragma once
#include "async/ticker.hpp"
#include "pg/params.hpp"
#include "pg/segment.hpp"

#include <chrono>
#include <memory>
#include <string>
#include <vector>

namespace recruiting::pg {

class known_servers;
class schema_gate;

/// How long a heartbeat's answer may take once it is due: a silent server is noticed within five seconds.
inline constexpr std::chrono::milliseconds heartbeat_timeout{3'000};

class heartbeat {
public:
    /// schema: none: any schema and role will do.
    heartbeat(std::shared_ptr<schema_gate> schema, std::shared_ptr<known_servers> servers);

    /// A connection was made to this host (known_servers' index), with this backend.
    void connected(std::size_t host, int backend_pid);
    void disconnected();
    /// Whether the last answer showed a server, a role and a schema that can be used.
    [[nodiscard]] bool usable() const noexcept { return usable_; }
    /// A connection of this process has seen a later timeline: the server of this one was replaced meanwhile.
    [[nodiscard]] bool superseded() const noexcept;
    /// It was usable since the connection was made.
    [[nodiscard]] bool served() const noexcept { return served_; }

    /// Time for the next one, and none is in progress.
    [[nodiscard]] bool due(coarse_clock::time_point now) const noexcept { return !in_flight_ && now >= next_; }
    /// What to send now; empty: the last heartbeat is not answered yet.
    [[nodiscard]] std::vector<statement> begin();
    /// Why the connection must be closed; empty: it stays. An answer that failed for another reason than the schema
    /// leaves all as it was.
    [[nodiscard]] std::string take(segment_in_flight const& answer, coarse_clock::time_point now);

private:
    [[nodiscard]] bool admits_schema(segment_in_flight const& answer);

    std::shared_ptr<schema_gate> schema_;
    std::shared_ptr<known_servers> servers_;
    std::size_t host_{0};
    int backend_pid_{0};
    std::int64_t timeline_{0}; // 0: PostgreSQL doesn't say
    coarse_clock::time_point next_{coarse_clock::time_point::max()};
    bool in_flight_{false};
    bool usable_{false};
    bool served_{false};
};

/// "" without an error, and of one that is no statement's.
[[nodiscard]] std::string sqlstate_of(std::exception_ptr const& error);

} // namespace recruiting::pg
