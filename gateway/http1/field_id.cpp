#include "gateway/http1/head.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace recruiting::gateway {
namespace {

using known = std::pair<std::string_view, field_id>;

// By length, then name: most fields of a request have a length none of these has, or differ in the first letter.
constexpr std::array known_fields = {
    known{"te", field_id::te},
    known{"date", field_id::date},
    known{"host", field_id::host},
    known{"accept", field_id::accept},
    known{"cookie", field_id::cookie},
    known{"expect", field_id::expect},
    known{"origin", field_id::origin},
    known{"trailer", field_id::trailer},
    known{"upgrade", field_id::upgrade},
    known{"forwarded", field_id::forwarded},
    known{"x-real-ip", field_id::x_real_ip},
    known{"connection", field_id::connection},
    known{"keep-alive", field_id::keep_alive},
    known{"tracestate", field_id::tracestate},
    known{"user-agent", field_id::user_agent},
    known{"traceparent", field_id::traceparent},
    known{"x-client-ip", field_id::x_claimed},
    known{"content-type", field_id::content_type},
    known{"max-forwards", field_id::max_forwards},
    known{"x-request-id", field_id::x_request_id},
    known{"authorization", field_id::authorization},
    known{"x-rewrite-url", field_id::x_claimed},
    known{"content-length", field_id::content_length},
    known{"true-client-ip", field_id::x_claimed},
    known{"x-original-url", field_id::x_claimed},
    known{"http2-settings", field_id::http2_settings},
    known{"idempotency-key", field_id::idempotency_key},
    known{"x-forwarded-for", field_id::x_forwarded_for},
    known{"proxy-connection", field_id::proxy_connection},
    known{"x-originating-ip", field_id::x_claimed},
    known{"cf-connecting-ip", field_id::x_claimed},
    known{"transfer-encoding", field_id::transfer_encoding},
    known{"x-forwarded-proto", field_id::x_forwarded_proto},
    known{"proxy-authenticate", field_id::proxy_authenticate},
    known{"proxy-authorization", field_id::proxy_authorization},
    known{"service-organization", field_id::service_organization},
    known{"x-exposed-credential", field_id::x_exposed_credential},
    known{"x-content-type-options", field_id::x_content_type_options},
    known{"strict-transport-security", field_id::strict_transport_security},
    known{"access-control-request-method", field_id::access_control_request_method},
};
static_assert(std::is_sorted(known_fields.begin(), known_fields.end(),
                             [](known const& a, known const& b) { return a.first.size() < b.first.size(); }));

constexpr std::size_t longest = 29;

// first[n] is where the names of n letters begin.
constexpr auto first_of_length = [] {
    std::array<std::uint8_t, longest + 2> first{};
    for (std::size_t n = 0; n < first.size(); ++n) {
        std::size_t at = 0;
        while (at < known_fields.size() && known_fields[at].first.size() < n) ++at;
        first[n] = static_cast<std::uint8_t>(at);
    }
    return first;
}();

template <class Word>
bool differ(char const* name, char const* lower) noexcept {
    Word a = 0;
    Word b = 0;
    std::memcpy(&a, name, sizeof a);
    std::memcpy(&b, lower, sizeof b);
    return static_cast<Word>(a | static_cast<Word>(0x2020202020202020)) != b;
}

// Word by word, the last one overlapping. Setting bit 5 makes small letters of capitals; of the other characters of a
// token it makes none that is in a name here.
bool same(char const* name, char const* lower, std::size_t size) noexcept {
    if (size < 4)
        return !differ<std::uint16_t>(name, lower) && !differ<std::uint16_t>(name + size - 2, lower + size - 2);
    if (size < 8)
        return !differ<std::uint32_t>(name, lower) && !differ<std::uint32_t>(name + size - 4, lower + size - 4);
    for (std::size_t at = 0; at + 8 < size; at += 8)
        if (differ<std::uint64_t>(name + at, lower + at)) return false;
    return !differ<std::uint64_t>(name + size - 8, lower + size - 8);
}

constexpr std::string_view any_forwarded = "x-forwarded-";

} // namespace

field_id identify(std::string_view name) noexcept {
    if (name.size() <= longest) {
        for (std::size_t at = first_of_length[name.size()]; at < first_of_length[name.size() + 1]; ++at)
            if (same(name.data(), known_fields[at].first.data(), name.size())) return known_fields[at].second;
    }
    if (name.size() > any_forwarded.size() && same(name.data(), any_forwarded.data(), any_forwarded.size()))
        return field_id::x_forwarded_other;
    return field_id::other;
}

bool is_hop_by_hop(field_id id) noexcept {
    switch (id) {
    case field_id::connection:
    case field_id::http2_settings:
    case field_id::keep_alive:
    case field_id::proxy_authenticate:
    case field_id::proxy_authorization:
    case field_id::proxy_connection:
    case field_id::te:
    case field_id::trailer:
    case field_id::transfer_encoding:
    case field_id::upgrade: return true;
    default: return false;
    }
}

} // namespace recruiting::gateway
