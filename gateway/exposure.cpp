#include "gateway/exposure.hpp"

#include "gateway/credential.hpp"

namespace recruiting::gateway {

std::optional<http::exposed_key> find_exposure(request_head const& head) {
    for (auto const& one : head.fields.list)
        if (auto found = http::find_key_in_field(one.name, one.value)) return found;
    return http::find_key_in_target(head.target);
}

void append_exposure_report(std::string& out, exchange const& x, http::exposed_key const& found, std::string_view to) {
    auto const path = target_holds_secret(x.where.path) ? std::string_view(x.to->prefix) : x.where.path;
    out.append("HEAD ").append(path).append(" HTTP/1.1\r\nHost: ").append(x.host.empty() ? to : x.host);
    out.append("\r\n").append(exposure_field).append(": ").append(x.head.method).append(" ");
    out.append(found.place).append(" ").append(found.secret).append("\r\nX-Forwarded-For: ");
    append_ip(out, x.client);
    out.append("\r\nX-Request-Id: ").append(x.request_id).append("\r\n");
    for (auto const& one : x.head.fields.list)
        if (one.id == field_id::user_agent && !target_holds_secret(one.line)) out.append(one.line);
    out.append("Connection: close\r\n\r\n");
}

} // namespace recruiting::gateway
