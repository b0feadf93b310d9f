#include "auth_api/console/change_pool.hpp"

#include "auth_api/settings.hpp"

#include <algorithm>
#include <boost/asio/post.hpp>

namespace recruiting::auth_api::console {
namespace {

using std::chrono::steady_clock;

// An organization has one change in progress, so that it can't keep every thread.
fair_queue_limits queue_limits_of(change_pool_settings const& how) {
    return {how.connections, 1, how.most_waiting_of_organization, how.most_waiting};
}

} // namespace

change_pool_settings pool_settings_of(settings const& config) {
    change_pool_settings out;
    out.database_url = config.database_url;
    out.connections = static_cast<unsigned>(config.console.change_threads);
    out.statement_timeout = config.statement_timeout;
    out.lock_timeout = std::min(out.lock_timeout, config.statement_timeout);
    out.change_timeout = config.statement_timeout + std::chrono::seconds{6};
    return out;
}

change_pool::change_pool(change_pool_settings how, settings const& config)
    : how_(std::move(how)), queue_(queue_limits_of(how_)), threads_(how_.connections) {
    for (unsigned i = 0; i < how_.connections; ++i) idle_.emplace_back(how_, config);
}

task<change_outcome> change_pool::run(io_executor caller, change_request what) {
    auto enqueue = [this, request = std::move(what)](completion<done_change> resume) mutable {
        add(std::move(request), std::move(resume));
    };
    auto waiting = suspend<done_change>(caller, std::move(enqueue));
    auto done = co_await std::move(waiting);
    if (!done.outage.empty()) throw outage(done.outage);
    co_return std::move(done.outcome);
}

void change_pool::add(change_request what, completion<done_change> resume) {
    std::unique_lock const lock(mutex_);
    bool const crowded = queue_.is_full() || queue_.is_full_for(what.organization_id) ||
                         members_.count(what.member_id) >= how_.most_of_member;
    if (stopping_ || crowded)
        return resume.succeed({{}, stopping_ ? "the program is stopping" : "too many changes wait"});
    members_.insert(what.member_id);
    auto const organization = what.organization_id;
    queue_.push(organization, {std::move(what), std::move(resume), steady_clock::now()});
    start_next();
}

// Under the mutex. As many run as there are connections.
void change_pool::start_next() {
    constexpr auto one_per_turn = [](waiting_change const&, waiting_change const&) { return false; };
    while (auto started = queue_.start_turn(1, one_per_turn))
        asio::post(threads_,
                   [this, next = std::move(started->items.front())]() mutable { carry_out(std::move(next)); });
}

void change_pool::carry_out(waiting_change next) {
    std::unique_lock lock(mutex_);
    auto connection = std::move(idle_.back());
    idle_.pop_back();
    lock.unlock();
    auto done = perform(connection, next);
    lock.lock();
    idle_.push_back(std::move(connection));
    members_.extract(next.what.member_id);
    queue_.finish_turn(next.what.organization_id);
    next.resume.succeed(std::move(done));
    start_next();
}

change_pool::done_change change_pool::perform(change_connection& on, waiting_change const& next) const {
    if (steady_clock::now() - next.since > how_.longest_wait) return {{}, "the change waited for too long"};
    try {
        return {on.perform(next.what), {}};
    } catch (outage const& error) {
        return {{}, error.what()};
    }
}

void change_pool::stop() {
    {
        std::unique_lock const lock(mutex_);
        stopping_ = true;
        for (auto& one : queue_.take_expired([](waiting_change const&) { return true; }))
            one.resume.succeed({{}, "the program is stopping"});
    }
    threads_.join();
}

} // namespace recruiting::auth_api::console
