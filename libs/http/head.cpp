#include "http/head.hpp"

#include "core/text.hpp"

#include <boost/beast/http/error.hpp>
#include <boost/beast/http/status.hpp>
#include <ctime>

namespace recruiting::http {

namespace beast_http = boost::beast::http;

api_error error_of(boost::system::error_code const& error) {
    if (error == beast_http::error::header_limit) return make_error(error_code::headers_too_large);
    if (error == beast_http::error::body_limit) return make_error(error_code::payload_too_large);
    auto refused = make_error(error_code::invalid_request);
    refused.message = "The request is not valid HTTP/1.1.";
    return refused;
}

void skip_empty_lines(byte_buffer& buffer) {
    while (buffer.view().starts_with("\r\n")) buffer.consume(2);
}

bool has_valid_framing(request const& req, bool http_1_0) noexcept {
    auto const hosts = req.header_count("Host");
    if (hosts > 1 || (hosts == 0 && !http_1_0)) return false;
    if (req.header("Host").find_first_of(" \t,/\\?#@") != std::string_view::npos) return false;
    if (req.header_count("Transfer-Encoding") == 0) return true;
    return !http_1_0 && iequals(trim(req.header("Transfer-Encoding")), "chunked");
}

std::string_view without_origin(std::string_view target) noexcept {
    if (target.starts_with('/')) return target;
    auto const scheme_end = target.find("://");
    if (scheme_end == std::string_view::npos || target.find_first_of("/?") < scheme_end) return target;
    auto const path = target.find_first_of("/?", scheme_end + 3);
    if (path == std::string_view::npos) return "/";
    return target.substr(path);
}

std::string_view date_line() {
    thread_local std::time_t made_for = 0;
    thread_local char text[48];
    auto const now = std::time(nullptr);
    if (now != made_for) {
        std::tm parts{};
        ::gmtime_r(&now, &parts);
        std::strftime(text, sizeof text, "Date: %a, %d %b %Y %H:%M:%S GMT\r\n", &parts);
        made_for = now;
    }
    return text;
}

void append_head(std::string& out, response const& answer, connection_state connection) {
    out += "HTTP/1.1 ";
    append_number(out, answer.status);
    out += ' ';
    auto const reason = boost::beast::http::obsolete_reason(static_cast<boost::beast::http::status>(answer.status));
    out.append(reason.data(), reason.size());
    out += "\r\n";
    out += date_line();
    out += "X-Content-Type-Options: nosniff"; // no answer of ours is to be taken for another type than it says
    if (answer.stream) {
        if (!connection.http_1_0) out += "\r\nTransfer-Encoding: chunked"; // else the connection's end is the body's
    } else if (answer.status != 204 && answer.status != 304) {             // RFC 9110 section 8.6
        out += "\r\nContent-Length: ";
        append_number(out, answer.content().size());
    }
    if (!answer.content_type.empty() && answer.status != 204 && answer.status != 304)
        out.append("\r\nContent-Type: ").append(answer.content_type);
    for (auto const& [name, value] : answer.headers) out.append("\r\n").append(name).append(": ").append(value);
    if (!connection.keep_alive) out += "\r\nConnection: close";
    out += "\r\n\r\n";
}

} // namespace recruiting::http
