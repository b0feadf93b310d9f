// Writes what the queue holds, sealed, off every request's path. One a process; while PostgreSQL is away it waits.
#pragma once
#include "async/ticker.hpp"
#include "pg/pipeline.hpp"
#include "public_api/exposure/exposure_queue.hpp"

#include <memory>

namespace recruiting::public_api {

class exposure_reporter {
public:
    exposure_reporter(asio::io_context& context, ticker& clock, pg::pipeline& database, exposure_queue& queue);
    ~exposure_reporter();
    exposure_reporter(exposure_reporter const&) = delete;
    exposure_reporter& operator=(exposure_reporter const&) = delete;

private:
    struct state;
    ticker& clock_;
    std::shared_ptr<state> state_;
    ticker::subscription ticks_;
};

} // namespace recruiting::public_api
