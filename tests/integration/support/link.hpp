// What the ways to a server have in common that a test can disturb: connections taken one by one, and copied both ways
// on threads of their own.
#pragma once
#include <atomic>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace recruiting::test {

class link {
public:
    /// Copies from one descriptor to another until either ends. answers: it is the server's direction.
    using pump = std::function<void(int from, int to, bool answers)>;
    /// An open descriptor to the server, or -1: the client is turned away.
    using dial = std::function<int()>;

    /// listener: bound and listening; it becomes the link's.
    link(int listener, dial to_server, pump copy);
    ~link();
    link(link const&) = delete;
    link& operator=(link const&) = delete;

    /// Ends what is open.
    void end_all();

private:
    void accept_all();

    int listener_;
    dial to_server_;
    pump copy_;
    std::atomic<bool> stopping_{false};
    std::mutex mutex_;
    std::vector<int> open_;
    std::vector<std::thread> threads_;
    std::thread accepting_;
};

} // namespace recruiting::test
