#include "http/request_rules.hpp"

#include "core/text.hpp"

#include <boost/beast/http/error.hpp>

namespace recruiting::http {

namespace beast_http = boost::beast::http;

api_error error_of(boost::system::error_code const& error) {
    if (error == beast_http::error::header_limit) return make_error(error_code::headers_too_large);
    if (error == beast_http::error::body_limit) return make_error(error_code::payload_too_large);
    auto refused = make_error(error_code::invalid_request);
    refused.message = "The request is not valid HTTP/1.1.";
    return refused;
}

void skip_empty_lines(boost::beast::flat_buffer& buffer) {
    for (;;) {
        std::string_view const held(static_cast<char const*>(buffer.data().data()), buffer.size());
        if (!held.starts_with("\r\n")) return;
        buffer.consume(2);
    }
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

} // namespace recruiting::http
