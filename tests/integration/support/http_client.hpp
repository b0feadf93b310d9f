// A blocking client that sends bytes as they are, well formed or not, and reads what comes back within five seconds.
#pragma once
#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace recruiting::test {

struct http_answer {
    unsigned status{0};
    std::string head;
    std::map<std::string, std::string> headers; // names in lower case
    std::string body;
    [[nodiscard]] std::string header(std::string const& lower_name) const {
        auto const found = headers.find(lower_name);
        return found == headers.end() ? std::string() : found->second;
    }
};

class http_client {
public:
    explicit http_client(std::uint16_t port, std::chrono::seconds limit = std::chrono::seconds{30});
    ~http_client();
    http_client(http_client const&) = delete;
    http_client& operator=(http_client const&) = delete;

    void send(std::string_view bytes) const;
    /// No more is sent; answers can still be read.
    void finish() const;
    /// The next answer: Content-Length, chunked (decoded) or up to the connection's end. head_only: of a HEAD.
    [[nodiscard]] http_answer receive(bool head_only = false);
    /// GET with Host and the given lines ("Accept: x\r\n").
    [[nodiscard]] http_answer get(std::string_view target, std::string_view lines = {},
                                  std::string_view method = "GET");
    /// Everything up to the end of the connection.
    [[nodiscard]] std::string receive_all();
    /// Did the server end the connection, with nothing left to read?
    [[nodiscard]] bool ended();

private:
    bool fill();
    std::string take_line();
    std::string take(std::size_t size);

    int fd_;
    std::string buffer_;
};

} // namespace recruiting::test
