// A model server for tests, over real sockets: speaks the OpenAI chat-completions protocol, answers as the test says,
// well or badly, and keeps every request. GET /v1/models is answered unless told otherwise.
#pragma once
#include "crypto/tls_server.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace recruiting::test {

/// One answer, and how it is given.
struct model_answer {
    std::string body{};
    unsigned status{200};
    std::string headers{}; // further lines: "Retry-After: 1\r\n"
    std::string content_type{"application/json"};
    std::chrono::milliseconds delay{0};        // before its first byte
    std::chrono::milliseconds drip{0};         // between any two bytes of its body
    std::optional<std::size_t> closes_after{}; // so many bytes of the body
    std::size_t padding{0};                    // bytes sent after the body, part of it
    bool chunked{false};                       // no Content-Length
    bool hangs{false};                         // nothing comes, until the client goes away
    bool closes_unanswered{false};             // the request is read, then the connection ends
    bool last_on_connection{false};            // ends the connection after it, as it says

    /// A chat completion that is a text, or one call of a tool. 10 tokens in, 5 out.
    static model_answer text(std::string const& content);
    static model_answer call(std::string const& tool, std::string const& arguments_json);
    static model_answer error(unsigned status, std::string headers = {});
};

struct model_request_seen {
    std::string method;
    std::string target;
    std::string head;
    std::string body;
    [[nodiscard]] bool has(std::string const& head_line) const { return head.find(head_line) != std::string::npos; }
};

class model_double {
public:
    using script = std::function<model_answer(model_request_seen const& request)>;

    /// Listens on a port of 127.0.0.1, with TLS when it is given certificates.
    explicit model_double(std::optional<tls_files> tls = std::nullopt);
    ~model_double();
    model_double(model_double const&) = delete;
    model_double& operator=(model_double const&) = delete;

    [[nodiscard]] std::string base_url() const; // "http://127.0.0.1:8081/v1"

    /// The answers to the next completions in their order; the last is given again and again.
    void answer(std::vector<model_answer> answers);
    void answer(model_answer one) { answer(std::vector<model_answer>{std::move(one)}); }
    /// What it says depends on what it is asked. Called on threads of the double.
    void answer_by(script how);
    void answer_models(model_answer one);

    [[nodiscard]] std::vector<model_request_seen> requests() const; // completions only
    [[nodiscard]] std::size_t models_requests() const;
    [[nodiscard]] int connections() const; // so far
    [[nodiscard]] int hanging() const;     // requests that hang now

private:
    struct state;
    std::unique_ptr<state> state_;
};

} // namespace recruiting::test
