// Runs long reads on a standby, when its key is there as it is on the primary and it is behind by no more than
// permitted; otherwise on the primary (decision 0107). The key is authenticated on the primary before and after the
// read. One per thread; read.cpp calls it.
#pragma once
#include "auth_api/http/shared_reads.hpp"
#include "pg/schema_store.hpp"
#include "pg/servers.hpp"

#include <chrono>
#include <memory>
#include <string>
#include <vector>

namespace recruiting::auth_api {

struct standby_settings {
    std::string url; // "": the primary is read
    /// No setting: searches may be as old as that; a healthy standby is behind by milliseconds.
    std::chrono::milliseconds max_lag{5'000};
    /// No settings either: what the connections of the process know of the standby.
    std::shared_ptr<pg::schema_gate> schema = std::make_shared<pg::schema_gate>();
    std::shared_ptr<pg::known_servers> servers = std::make_shared<pg::known_servers>();

    [[nodiscard]] bool is_on() const noexcept { return !url.empty(); }
};

void declare(settings_reader& reader, standby_settings& target);

/// What became of the reads that a standby may answer; all are 0 without one.
struct standby_counts {
    explicit standby_counts(metrics::registry& registry);

    std::vector<metrics::counter*> by_outcome;
};

class standby_reads {
public:
    struct connections { // to the standby
        pg::pipeline_settings searches;
        pg::pipeline_settings bulk;
    };

    standby_reads(asio::io_context& context, ticker& clock, shared_reads& primary, connections on,
                  std::chrono::milliseconds max_lag, standby_counts const& counts, read_queue_settings const& limits,
                  metrics::registry& metrics);
    ~standby_reads();

    /// As shared_reads::run, with the principal as the primary has it.
    [[nodiscard]] task<shared_result> run(auth::credential presented, std::vector<pg::statement> statements,
                                          read_cost cost);

private:
    struct state;
    std::shared_ptr<state> state_;
};

} // namespace recruiting::auth_api
