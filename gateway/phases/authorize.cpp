#include "gateway/answers/answer.hpp"
#include "gateway/answers/credential_exposure.hpp"
#include "gateway/phases.hpp"
#include "gateway/session.hpp"
#include "http/problem.hpp"

#include <algorithm>
#include <array>

namespace recruiting::gateway {
namespace {

refusal refuse(error_code code) { return {make_error(code), false}; }

bool is_known(std::string_view method) noexcept {
    constexpr std::array known = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"};
    return std::find(known.begin(), known.end(), method) != known.end();
}

} // namespace

api_error over_limit(decision const& count) {
    auto error = make_error(error_code::rate_limited);
    error.retry_after_seconds = count.seconds_left;
    error.details.push_back({"limit", std::string(count.name), "edge",
                             "This client has sent as many requests as it may in one window of the gateway's limit."});
    return error;
}

std::optional<refusal> admit(request_context const& x, gateway_settings const& settings) {
    if (x.to == nullptr) return refuse(error_code::not_found);
    if (x.head.method == "TRACE") {
        auto refused = refuse(error_code::method_not_allowed);
        refused.error.allow = x.to->is_documents ? methods_of_documents : allowed_methods;
        return refused;
    }
    if (!is_known(x.head.method)) return refuse(error_code::not_implemented);
    auto const limit = settings.body_limits[static_cast<std::size_t>(x.to->to)];
    if (x.body.type == framing::kind::length && x.body.length > static_cast<std::uint64_t>(limit))
        return refuse(error_code::payload_too_large);
    if (x.to->takes_credentials()) return std::nullopt;
    auto const exposed = find_exposure(x.head);
    if (!exposed) return std::nullopt;
    return refusal{http::key_not_allowed(exposed->place)};
}

std::optional<refusal> authorize(session const& s) {
    if (s.x.count && !s.x.count->allowed) return refusal{over_limit(*s.x.count), false};
    if (s.kind.redirects) return check_redirect(s.x, [&s](std::string_view host) { return s.by.tls->serves(host); });
    if (ends_here(s.x)) return std::nullopt;
    return admit(s.x, s.by.settings);
}

} // namespace recruiting::gateway
