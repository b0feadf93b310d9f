#include "core/live.hpp"

#include "core/text.hpp"
#include "core/url.hpp"

#include <set>

namespace recruiting {
namespace {

constexpr std::size_t least_different_bytes = 8;

// Whether secret is a text of at most half its length over and over; the last time may be cut off.
bool is_repetition(std::string_view secret) {
    for (std::size_t period = 1; period <= secret.size() / 2; ++period)
        if (secret.substr(period) == secret.substr(0, secret.size() - period)) return true;
    return false;
}

// Addresses that lead a browser to its own machine, or nowhere; RFC 6761, section 6.3: so do all names below localhost.
bool is_no_address_for_others(std::string_view host) {
    constexpr std::string_view reserved = ".localhost";
    bool const is_below =
        host.size() > reserved.size() && iequals(host.substr(host.size() - reserved.size()), reserved);
    return is_this_machine(host) || is_below || host == "0.0.0.0" || host == "[::]";
}

} // namespace

std::optional<std::string> live_secret_problem(std::string_view secret) {
    if (std::set<char>(secret.begin(), secret.end()).size() < least_different_bytes)
        return "holds fewer than " + std::to_string(least_different_bytes) + " different bytes";
    if (is_repetition(secret)) return "repeats a shorter text";
    return std::nullopt;
}

std::optional<std::string> live_origin_problem(std::string_view origin) {
    constexpr std::string_view scheme = "https://";
    if (!origin.starts_with(scheme)) return "must be https";
    if (is_no_address_for_others(host_of(origin.substr(scheme.size())))) return "must not name this machine";
    return std::nullopt;
}

} // namespace recruiting
