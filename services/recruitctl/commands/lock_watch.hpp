// Sees over a connection of its own which sessions hold the locks that another one waits for: PostgreSQL tells this
// only while it waits.
#pragma once
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace recruiting::recruitctl {

class lock_watch {
public:
    /// Watches the backend pid. Without a connection (none is free, the network fails) nothing is seen.
    lock_watch(std::string url, int pid);
    lock_watch(lock_watch const&) = delete;
    lock_watch& operator=(lock_watch const&) = delete;

    /// "session 1234 (recruiting_auth, recruiting-auth-api bulk, in a transaction since …)" of the sessions seen since
    /// the last call; "another session" when none was seen.
    [[nodiscard]] std::string take_holders();

private:
    void watch(std::stop_token const& stop);
    void look(std::stop_token const& stop);

    std::string url_;
    int pid_;
    std::mutex mutex_;
    std::condition_variable_any wake_;
    std::string holders_;
    std::jthread thread_; // last: it uses all of the above
};

} // namespace recruiting::recruitctl
