// Deletes sessions of the agent past their retention, in batches, at start and every hour. PostgreSQL does the work (a
// function of its own rights); any number of instances may run this.
#pragma once
#include "pg/pipeline.hpp"

#include <chrono>
#include <memory>

namespace recruiting::auth_api {

class agent_retention {
public:
    /// connection is the workers' own and outlives this. Retention is at least a day: PostgreSQL refuses less.
    agent_retention(asio::io_context& context, pg::pipeline& connection, std::chrono::milliseconds retention);
    ~agent_retention();
    void stop();

private:
    struct state;
    std::shared_ptr<state> state_;
};

} // namespace recruiting::auth_api
