// One PostgreSQL connection in pipeline mode, shared by every request of a thread. A segment (statements and a Sync) is
// one implicit transaction: statements of one segment see each other's transaction-local settings, and an error in one
// segment touches no other. Few connections, many segments in flight: measured at half the CPU of a pool.
// Reconnects for ever by itself; while it is away, run() throws connection_lost at once. A heartbeat notices a server
// that has fallen silent, also while nothing is asked of it, and one that must not be used any more (servers.hpp).
#pragma once
#include "async/task.hpp"
#include "async/ticker.hpp"
#include "pg/error.hpp"
#include "pg/params.hpp"
#include "pg/pipeline_metrics.hpp"
#include "pg/rows.hpp"

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace recruiting::pg {

class known_servers;
class schema_gate;

struct pipeline_settings {
    std::string url; // libpq's; several hosts and target_session_attrs are followed
    std::string application_name;
    std::string options; // of each session, set before anything else is sent: "-c statement_timeout=4000"
    // So long without the answer that is due next: the connection is given up. Longer than statement_timeout, which
    // ends one statement and leaves the connection to the others.
    std::chrono::milliseconds segment_timeout{5'000};
    std::chrono::milliseconds connect_timeout{2'000}; // of one host; connect_timeout in the url replaces it
    std::size_t most_in_flight{1024};                 // more waiting segments than that: refused as an outage
    std::optional<pipeline_metrics> counts{};         // none: nothing is counted
    std::shared_ptr<schema_gate> schema{};    // none: any schema will do; else one too old is as if it were away
    std::shared_ptr<known_servers> servers{}; // shared by the connections with this url; none: of this one alone
};

class pipeline {
public:
    pipeline(asio::io_context& context, ticker& clock, pipeline_settings settings);
    ~pipeline();
    pipeline(pipeline const&) = delete;
    pipeline& operator=(pipeline const&) = delete;

    /// Runs the statements as one transaction and returns their rows in order. Throws connection_lost when the
    /// connection went away before the answer (a segment that changes something may or may not have happened), and
    /// query_error when a statement failed (nothing of the segment happened). owner: on whose behalf, see
    /// prepared_statements.
    [[nodiscard]] task<std::vector<rows>> run(std::vector<statement> segment, std::uint64_t owner = 0);

    [[nodiscard]] bool ready() const noexcept;
    /// Why it is not ready, in words; empty when it is.
    [[nodiscard]] std::string fault() const;
    /// Called for every NOTIFY; set before the first run. on_connect runs at each (re)connect.
    void listen(std::string channel, std::function<void(std::string_view payload)> on_notify,
                std::function<void()> on_connect);
    /// Gives the connection up; what is in flight fails. Does not reconnect.
    void stop();

private:
    struct state;
    std::shared_ptr<state> state_;
};

} // namespace recruiting::pg
