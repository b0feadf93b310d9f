// One connection: request after request until either side is done. Used by server only.
#pragma once
#include "async/ticker.hpp"
#include "http/handler.hpp"
#include "http/program_settings.hpp"

#include <boost/asio/basic_stream_socket.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <optional>

namespace recruiting::http {

class session {
public:
    using socket_type = asio::basic_stream_socket<asio::generic::stream_protocol, io_executor>;

    session(socket_type socket, ticker& clock, server_settings const& settings, handler& app);

    task<void> run();
    /// The next answer is the last.
    void end_after_answer() noexcept { last_ = true; }
    /// Ends after the answer in progress; at once when there is none.
    void drain();
    void close();
    void check_deadline(coarse_clock::time_point now);

private:
    using parser_type = boost::beast::http::request_parser<boost::beast::http::string_body>;
    enum class request_outcome { request, refused, ended };

    task<response> reject(request const& req, api_error const& why);
    task<request_outcome> read_request(parser_type& parser, request& req, api_error& why);
    task<request_outcome> accept_head(request const& req, api_error& why);
    [[nodiscard]] bool feed(parser_type& parser, request& req, api_error& why);
    [[nodiscard]] request make_request(parser_type const& parser) const;
    task<bool> answer(response answer, bool keep_alive, bool head_only);
    task<bool> write_stream(response& answer);
    [[nodiscard]] std::string begin_chunk(std::string& piece) const;
    task<bool> write(std::string_view head, std::string_view body);
    task<void> linger();
    void arm(std::chrono::milliseconds timeout) { deadline_ = clock_.now() + timeout; }

    socket_type socket_;
    ticker& clock_;
    server_settings const& settings_;
    handler& app_;
    boost::beast::flat_buffer buffer_;
    std::string head_;
    std::string peer_;
    coarse_clock::time_point deadline_;
    bool idle_{true};
    bool fresh_{true}; // no request has come yet
    bool last_{false};
    bool draining_{false};
    bool timed_out_{false};
    bool http_1_0_{false}; // the request in progress: no chunks, no keep-alive
};

} // namespace recruiting::http
