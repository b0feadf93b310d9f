// A way to a test's Redis that holds every answer back for as long as the test says.
#pragma once
#include <chrono>
#include <memory>
#include <string>

namespace recruiting::test {

class slow_link {
public:
    /// Listens on a unix socket of its own.
    explicit slow_link(std::string const& redis_socket);
    ~slow_link();
    slow_link(slow_link const&) = delete;
    slow_link& operator=(slow_link const&) = delete;

    [[nodiscard]] std::string url() const;
    void delay(std::chrono::milliseconds by);

private:
    struct state;
    std::unique_ptr<state> state_;
};

} // namespace recruiting::test
