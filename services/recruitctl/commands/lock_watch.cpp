#include "recruitctl/commands/lock_watch.hpp"

#include "recruitctl/commands/migration_store.hpp"

#include <utility>

namespace recruiting::recruitctl {
namespace {

constexpr std::chrono::milliseconds look_again{100};

std::string described(lock_holder const& holder) {
    auto text = "session " + std::to_string(holder.pid) + " (" + holder.role;
    if (!holder.application.empty()) text += ", " + holder.application;
    if (holder.transaction_since) text += ", in a transaction since " + format_time(*holder.transaction_since);
    return text + ")";
}

} // namespace

lock_watch::lock_watch(std::string url, int pid)
    : url_(std::move(url)), pid_(pid), thread_([this](std::stop_token const& stop) { watch(stop); }) {}

std::string lock_watch::take_holders() {
    std::lock_guard const lock(mutex_);
    auto seen = std::exchange(holders_, {});
    return seen.empty() ? "another session" : seen;
}

void lock_watch::watch(std::stop_token const& stop) {
    try {
        look(stop);
    } catch (std::exception const&) { // the migration goes on without knowing for whom it waits
    }
}

void lock_watch::look(std::stop_token const& stop) {
    pg::client database(url_, "recruitctl migrate, watching locks");
    while (!stop.stop_requested()) {
        std::string holders;
        for (auto const& holder : store::select_lock_holders(database, pid_))
            holders += (holders.empty() ? "" : " and ") + described(holder);
        std::unique_lock lock(mutex_);
        if (!holders.empty()) holders_ = std::move(holders);
        wake_.wait_for(lock, stop, look_again, [] { return false; });
    }
}

} // namespace recruiting::recruitctl
