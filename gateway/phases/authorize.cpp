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

} // namespace

bool is_forwarded(std::string_view method) noexcept {
    constexpr std::array known = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"};
    return std::find(known.begin(), known.end(), method) != known.end();
}

std::optional<refusal> admit(client_request const& request, gateway_settings const& settings) {
    if (request.to == nullptr) return refuse(error_code::not_found);
    if (request.head.method == "TRACE") {
        auto refused = refuse(error_code::method_not_allowed);
        refused.error.allow = request.to->is_documents ? methods_of_documents : allowed_methods;
        return refused;
    }
    if (!is_forwarded(request.head.method)) return refuse(error_code::not_implemented);
    auto const limit = settings.body_limits[static_cast<std::size_t>(request.to->to)];
    if (request.body.type == framing::kind::length && request.body.length > static_cast<std::uint64_t>(limit))
        return refuse(error_code::payload_too_large);
    if (request.to->takes_credentials()) return std::nullopt;
    auto const exposed = find_exposure(request.head);
    if (!exposed) return std::nullopt;
    return refusal{http::key_not_allowed(exposed->location), false, exposed};
}

std::optional<refusal> authorize(session const& s) {
    if (s.request.count && !s.request.count->allowed) return refusal{over_limit(*s.request.count), false};
    if (s.kind.redirects)
        return check_redirect(s.request, [&s](std::string_view host) { return s.worker->shared.tls->serves(host); });
    if (ends_here(s.request) || leads_home(s.request, s.worker->settings)) return std::nullopt;
    return admit(s.request, s.worker->settings);
}

bool ends_here(client_request const& request) noexcept {
    return request.head.method == "OPTIONS" && request.where.type == http::target::form::asterisk;
}

destination route_of(session const& s) noexcept {
    if (s.kind.redirects) return destination::redirect;
    if (leads_home(s.request, s.worker->settings)) return destination::home;
    return ends_here(s.request) ? destination::gateway : destination::service;
}

bool leads_home(client_request const& request, gateway_settings const& settings) noexcept {
    bool const is_read = request.head.method == "GET" || request.head.method == "HEAD";
    return is_read && request.to == nullptr && request.where.path == "/" && !settings.home.empty();
}

} // namespace recruiting::gateway
