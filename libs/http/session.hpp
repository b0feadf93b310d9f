// One connection: request after request until either side is done. Used by server only.
#pragma once
#include "async/byte_buffer.hpp"
#include "crypto/stream.hpp"
#include "http/handler.hpp"
#include "http/message_parser.hpp"
#include "http/program_settings.hpp"
#include "http/request_target.hpp"

#include <optional>

namespace recruiting::http {

class session {
public:
    /// remote: as accepted, so that a client who is gone already is not taken for another.
    session(stream_socket socket, socket_address const& remote, stream_watch& watch, server_settings const& settings,
            handler& app);

    task<void> serve_requests();
    /// The next answer is the last.
    void end_after_answer() noexcept { last_ = true; }
    /// Ends after the answer in progress; at once when there is none.
    void drain();
    void close() { connection_.close(); }

private:
    enum class request_outcome { request, refused, ended };

    task<response> reject(request const& req, api_error const& why);
    task<request_outcome> read_request(request& req, api_error& why);
    task<request_outcome> accept_head(request const& req, api_error& why);
    [[nodiscard]] bool skip_empty_lines() noexcept;
    [[nodiscard]] std::optional<api_error> take_head(request& req);
    void read_lines(request& req);
    [[nodiscard]] std::optional<head_fault> read_head(request& req);
    [[nodiscard]] std::optional<api_error> take_body();
    [[nodiscard]] request make_request() const;
    task<bool> answer(response const& answer, bool keep_alive, bool head_only);
    task<bool> write_stream(response const& answer);
    [[nodiscard]] std::string begin_chunk(std::string& piece) const;
    task<bool> write(std::string_view head, std::string_view body);
    task<void> linger();
    void arm(std::chrono::milliseconds timeout) { deadline_ = connection_.now() + timeout; }
    [[nodiscard]] std::chrono::milliseconds time_left() const noexcept;

    server_settings const& settings_;
    head_limits const limits_;
    handler& app_;
    std::string peer_;
    stream connection_;
    byte_buffer buffer_;
    // Storage that the request in progress has its views in; reused by the next.
    std::string head_text_;
    head_scanner scanner_;
    std::optional<request_parser> parser_;
    request_head head_;
    target where_;
    std::string body_;
    std::string out_;                   // the head of an answer
    coarse_clock::time_point deadline_; // of reading
    bool idle_{true};
    bool fresh_{true}; // no request has come yet
    bool last_{false};
    bool draining_{false};
    bool client_stays_{true}; // it may send another request
    bool http_1_0_{false};    // the request in progress: no chunks, no keep-alive
};

} // namespace recruiting::http
