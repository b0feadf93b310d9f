#include "http/client_address.hpp"

#include "core/text.hpp"

namespace recruiting::http {

std::optional<ip_address> client_address(request const& req, std::vector<ip_network> const& trusted_proxies) {
    auto client = parse_ip(req.peer);
    // Fields of one name are one list in their order (RFC 9110 section 5.3), so the last entry is in the last field.
    for (auto field = req.headers.rbegin(); client && field != req.headers.rend(); ++field) {
        if (!iequals(field->first, "X-Forwarded-For")) continue;
        auto const entries = split(field->second, ',');
        for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry) {
            auto const next = parse_ip(trim(*entry));
            if (!next || !any_contains(trusted_proxies, *client)) return client;
            client = next;
        }
    }
    return client;
}

} // namespace recruiting::http
