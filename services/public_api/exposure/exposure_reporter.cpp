#include "public_api/exposure/exposure_reporter.hpp"

#include "audit/event_store.hpp"
#include "core/log.hpp"
#include "crypto/sealed_box.hpp"

namespace recruiting::public_api {

struct exposure_reporter::state : std::enable_shared_from_this<exposure_reporter::state> {
    state(pg::pipeline& d, exposure_queue& q) : database(d), queue(q) {}

    task<void> work(std::vector<exposure> waiting);
    task<void> write(std::vector<exposure>& left);
    task<std::string> read_key();
    task<void> write_one(exposure const& seen, std::string const& key);

    pg::pipeline& database;
    exposure_queue& queue;
    bool working{false};
    bool stopped{false}; // database and queue may be gone
    bool reported_no_key{false};
};

task<void> exposure_reporter::state::work(std::vector<exposure> waiting) {
    auto const self = shared_from_this();
    try {
        co_await write(waiting);
    } catch (outage const&) { // told by the connection; the next tick tries again
    } catch (std::exception const& error) {
        if (!stopped) log::error("exposures_not_written", {{"message", error.what()}});
    }
    working = false;
    if (!stopped && !waiting.empty()) queue.put_back(std::move(waiting));
}

// left: what is not written yet. Each is a transaction of its own: one that can't be written holds back no other.
task<void> exposure_reporter::state::write(std::vector<exposure>& left) {
    auto const key = co_await read_key();
    if (key.empty()) co_return;
    while (!left.empty() && !stopped) {
        co_await write_one(left.front(), key);
        left.erase(left.begin());
    }
}

task<std::string> exposure_reporter::state::read_key() {
    std::vector<pg::statement> segment{audit::select_exposure_key()};
    auto const answer = co_await database.run(std::move(segment));
    std::string key(audit::read_exposure_key(answer.at(0)));
    if (key.empty() && !reported_no_key)
        log::warning("exposures_wait", {{"message", "auth-api has published no key yet"}});
    reported_no_key = key.empty();
    co_return key;
}

task<void> exposure_reporter::state::write_one(exposure const& seen, std::string const& key) {
    auto const sealed = seal(seen.secret, key);
    if (!sealed) co_return;
    std::vector<pg::statement> segment{audit::insert_exposure_report(seen.report, *sealed)};
    try {
        auto const answer = co_await database.run(std::move(segment));
        static_cast<void>(answer);
        if (!stopped) queue.count_written();
    } catch (pg::query_error const& error) {
        // That it is there already: an earlier try was not as lost as it looked.
        if (error.sqlstate() != pg::unique_violation)
            log::error("exposure_not_written", {{"sqlstate", error.sqlstate()}});
    }
}

exposure_reporter::exposure_reporter(asio::io_context& context, ticker& clock, pg::pipeline& database,
                                     exposure_queue& queue)
    : clock_(clock), state_(std::make_shared<state>(database, queue)),
      ticks_(clock.subscribe([this, &context, &queue](coarse_clock::time_point) {
          if (state_->working || !state_->database.ready()) return;
          auto waiting = queue.take();
          if (waiting.empty()) return;
          state_->working = true;
          spawn(context, state_->work(std::move(waiting)));
      })) {}

exposure_reporter::~exposure_reporter() {
    state_->stopped = true;
    clock_.unsubscribe(ticks_);
}

} // namespace recruiting::public_api
