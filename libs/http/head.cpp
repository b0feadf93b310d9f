#include "http/head.hpp"

#include "core/text.hpp"

#include <boost/beast/http/status.hpp>
#include <ctime>

namespace recruiting::http {

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

std::string_view reason_of(unsigned status) noexcept {
    return boost::beast::http::obsolete_reason(static_cast<boost::beast::http::status>(status));
}

void append_head(std::string& out, response const& answer, connection_state connection) {
    out += "HTTP/1.1 ";
    append_number(out, answer.status);
    out += ' ';
    out += reason_of(answer.status);
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
