#include "gateway/exposure.hpp"

#include "gateway/credential.hpp"
#include "http/key_scan.hpp"

namespace recruiting::gateway {
namespace {

constexpr std::size_t longest_name = 100;

} // namespace

std::optional<exposure> find_exposure(request_head const& head) {
    for (auto const& one : head.fields.list) {
        if (auto const found = http::find_key(one.name); !found.empty()) return exposure{std::string(found), "header"};
        if (auto found = http::find_key_in_field(one.value); !found.empty())
            return exposure{std::move(found), std::string(one.name.substr(0, longest_name))};
    }
    auto const question = head.target.find('?');
    if (auto found = http::find_encoded_key(head.target.substr(0, question)); !found.empty())
        return exposure{std::move(found), "path"};
    if (question == std::string_view::npos) return std::nullopt;
    if (auto found = http::find_encoded_key(head.target.substr(question)); !found.empty())
        return exposure{std::move(found), "query"};
    return std::nullopt;
}

void append_exposure_report(std::string& out, exchange const& x, exposure const& found, std::string_view to) {
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
