#include "public_api/client_address.hpp"

#include "core/text.hpp"

namespace recruiting::public_api {

std::string client_address(http::request const& req, std::vector<ip_network> const& trusted_proxies) {
    auto client = parse_ip(req.peer);
    if (!client) return std::string(req.peer);
    // Fields of one name are one list in their order (RFC 9110 section 5.3), so the last entry is in the last field.
    for (auto field = req.headers.rbegin(); field != req.headers.rend(); ++field) {
        if (!iequals(field->first, "X-Forwarded-For")) continue;
        auto const entries = split(field->second, ',');
        for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry) {
            if (!any_contains(trusted_proxies, *client)) return to_string(*client);
            auto const next = parse_ip(trim(*entry));
            if (!next) return to_string(*client);
            client = next;
        }
    }
    return to_string(*client);
}

} // namespace recruiting::public_api
