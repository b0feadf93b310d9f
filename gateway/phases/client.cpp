#include "core/text.hpp"
#include "gateway/phases.hpp"
#include "http/message.hpp"

namespace recruiting::gateway {

void find_client(request_context& x, ip_address const& peer, std::vector<ip_network> const& trusted) {
    x.client = peer;
    if (!any_contains(trusted, peer)) return;
    std::vector<std::string_view> chain;
    for (auto const& one : x.head.fields.list)
        if (one.id == field_id::x_forwarded_for) chain.push_back(one.value);
    x.client = http::client_address(peer, chain, trusted);
    if (x.head.fields.has(field_id::x_forwarded_proto))
        x.https = iequals(x.head.fields.value(field_id::x_forwarded_proto), "https");
}

void enter_trace(request_context& x, ip_address const& peer, gateway_settings const& settings,
                 tracing::tracer const& by) {
    auto const& fields = x.head.fields;
    bool const believed = settings.trace_trust == "all" ||
                          (settings.trace_trust == "proxies" && any_contains(settings.trusted_proxies, peer));
    if (believed && fields.has_one(field_id::traceparent))
        x.caller = tracing::parse_traceparent(fields.value(field_id::traceparent));
    x.trace = x.call = by.enter(x.caller);
}

} // namespace recruiting::gateway
