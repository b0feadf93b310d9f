// A way to PostgreSQL that a test can cut: before it, or between a statement and its answer.
#pragma once
#include <memory>
#include <string>

namespace recruiting::test {

class cut_link {
public:
    /// url: postgresql://…@host:port/… of a server on this machine. Listens on a port of its own.
    explicit cut_link(std::string const& url);
    ~cut_link();
    cut_link(cut_link const&) = delete;
    cut_link& operator=(cut_link const&) = delete;

    /// The server by this way.
    [[nodiscard]] std::string const& url() const noexcept;
    /// What is open ends, what comes is closed at once; until join.
    void cut();
    void join();
    /// The next whole answer (up to ReadyForQuery) is lost with its connection; then all is well again.
    void lose_an_answer();
    [[nodiscard]] int answers_lost() const noexcept;

private:
    struct state;
    std::unique_ptr<state> state_;
};

} // namespace recruiting::test
