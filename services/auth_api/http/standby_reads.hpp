// Runs long reads on a standby, when its key is there as it is on the primary and it is behind by no more than
// permitted; otherwise on the primary (decision 0107). The key is authenticated on the primary before and after the
// read. One per thread; read.cpp calls it.
#pragma once
#include "auth_api/http/shared_reads.hpp"
#include "pg/pipeline.hpp"

#include <map>
#include <memory>
#include <string_view>
#include <vector>

namespace recruiting::auth_api {

/// The reads that a standby may answer, by their outcome; all are 0 without one.
struct standby_counts {
    explicit standby_counts(metrics::registry& registry);

    std::map<std::string_view, metrics::counter*> by_outcome;
};

class standby_reads {
public:
    struct connections { // to the standby
        pg::pipeline_settings searches;
        pg::pipeline_settings bulk;
    };

    standby_reads(asio::io_context& context, ticker& clock, shared_reads& primary, connections on,
                  standby_counts const& counts, read_queue_settings const& limits, metrics::registry& metrics);
    ~standby_reads();

    /// As shared_reads::run, with the principal as the primary has it.
    [[nodiscard]] task<shared_result> run(auth::credential presented, std::vector<pg::statement> statements,
                                          read_cost cost);

private:
    struct state;
    std::shared_ptr<state> state_;
};

} // namespace recruiting::auth_api
