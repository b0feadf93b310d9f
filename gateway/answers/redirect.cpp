#include "gateway/answers/redirect.hpp"

#include "core/text.hpp"
#include "gateway/http1/forwarded_head.hpp"

namespace recruiting::gateway {
namespace {

constexpr std::uint16_t https_port = 443;

// authority: valid (target.hpp).
std::string_view host_of(std::string_view authority) noexcept {
    if (authority.starts_with('[')) return authority.substr(0, authority.find(']') + 1);
    return authority.substr(0, authority.find(':'));
}

} // namespace

std::optional<refusal> judge_redirect(request_context const& x,
                                      std::function<bool(std::string_view host)> const& serves) {
    if (x.head.method == "TRACE") {
        refusal refused{make_error(error_code::method_not_allowed), false};
        refused.error.allow = "GET, HEAD, POST, OPTIONS";
        return refused;
    }
    if (x.where.type == target::form::asterisk) return refusal{make_error(error_code::not_found), false};
    if (serves(host_of(x.host))) return std::nullopt;
    return refusal{invalid_request({{"header", "Host", "invalid", "Nothing is served for this host."}}), true};
}

void append_redirect(std::string& out, request_context& x, std::uint16_t port) {
    x.status = 308;
    out.append("HTTP/1.1 308 Permanent Redirect\r\n").append(date_line()).append("Location: https://");
    out += host_of(x.host);
    if (port != https_port) {
        out += ':';
        append_number(out, port);
    }
    out.append(x.where.path).append(x.where.query);
    out += "\r\nCache-Control: no-store\r\nContent-Length: 0\r\n";
    append_edge_fields(out, x);
    out += "\r\n";
}

} // namespace recruiting::gateway
