#include "auth_api/agent/model/model_url.hpp"

#include "core/text.hpp"

#include <algorithm>

namespace recruiting::auth_api::agent {

std::optional<std::string> model_url_problem(std::string_view base_url) {
    auto rest = base_url;
    for (std::string_view const scheme : {"http://", "https://"})
        if (iequals(base_url.substr(0, scheme.size()), scheme)) rest.remove_prefix(scheme.size());
    if (rest.size() == base_url.size()) return "must begin with http:// or https://";
    if (!is_header_value(base_url) || base_url.find(' ') != base_url.npos) return "must not contain blanks";
    if (base_url.find_first_of("?#") != base_url.npos) return "must not have a query";
    auto const host = rest.substr(0, rest.find('/'));
    if (host.empty() || host.front() == ':') return "must name a host";
    if (host.find('@') != host.npos) return "must not contain a password: there is a setting for the key";
    return std::nullopt;
}

std::string model_endpoint(std::string_view base_url, std::string_view path) {
    while (base_url.ends_with('/')) base_url.remove_suffix(1);
    std::string out(base_url);
    out += path;
    return out;
}

bool is_header_value(std::string_view text) noexcept {
    return std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; });
}

} // namespace recruiting::auth_api::agent
