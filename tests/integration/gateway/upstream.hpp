// A service for the gateway's tests: records every request byte by byte, and answers what the test says.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace recruiting::test {

class recording_upstream {
public:
    /// Gets a whole request (head and body as received); gives the bytes of the answer. Empty: the connection is closed
    /// unanswered. An answer that ends with close_mark is sent without the mark, then the connection is closed.
    using script = std::function<std::string(std::string const& request)>;
    static constexpr char const* close_mark = "\x01"
                                              "close";

    explicit recording_upstream(script answer = ok, std::uint16_t port = 0);
    /// On a unix socket.
    recording_upstream(script answer, std::string const& path);
    ~recording_upstream();
    recording_upstream(recording_upstream const&) = delete;
    recording_upstream& operator=(recording_upstream const&) = delete;

    [[nodiscard]] std::uint16_t port() const noexcept;
    [[nodiscard]] std::vector<std::string> requests() const;
    [[nodiscard]] int connections() const; // so far; health checks that only connect are none
    /// Closes the connections there are; new ones are welcome.
    void drop_connections();

    /// The requests whose head has this in it.
    [[nodiscard]] std::size_t count(std::string const& part) const;

    /// 200 with the body "ok".
    static std::string ok(std::string const& request);

private:
    struct state;
    std::shared_ptr<state> state_;
};

} // namespace recruiting::test
