#include "core/url.hpp"

#include "core/text.hpp"

#include <algorithm>

namespace recruiting {

std::optional<std::string> base_url_problem(std::string_view base_url) {
    auto rest = base_url;
    for (std::string_view const scheme : {"http://", "https://"})
        if (iequals(base_url.substr(0, scheme.size()), scheme)) rest.remove_prefix(scheme.size());
    if (rest.size() == base_url.size()) return "must begin with http:// or https://";
    if (!is_printable_ascii(base_url) || base_url.find(' ') != base_url.npos) return "must not contain spaces";
    if (base_url.find_first_of("?#") != base_url.npos) return "must not have a query";
    auto const host = rest.substr(0, rest.find('/'));
    if (host.empty() || host.front() == ':') return "must name a host";
    if (host.find('@') != host.npos) return "must not contain a user or a password";
    if (auto const port = host.find(':', host.rfind(']') == host.npos ? 0 : host.rfind(']')); port != host.npos)
        if (parse_number<std::uint16_t>(host.substr(port + 1)).value_or(0) == 0)
            return "must have a port from 1 to 65535";
    return std::nullopt;
}

bool is_origin(std::string_view text) noexcept {
    for (std::string_view const scheme : {"https://", "http://"}) {
        if (!text.starts_with(scheme)) continue;
        auto const authority = text.substr(scheme.size());
        return !authority.empty() && std::all_of(authority.begin(), authority.end(), [](char c) {
            return is_alphanumeric(c) || std::string_view("-.:[]").find(c) != std::string_view::npos;
        });
    }
    return false;
}

std::string url_below(std::string_view base_url, std::string_view path) {
    while (base_url.ends_with('/')) base_url.remove_suffix(1);
    std::string out(base_url);
    out += path;
    return out;
}

std::string job_page_url(std::string_view careers_page_url, std::string_view origin, std::string_view organization_slug,
                         uuid const& job) {
    while (careers_page_url.ends_with('/')) careers_page_url.remove_suffix(1);
    std::string url(careers_page_url);
    if (url.empty()) url.append(origin).append("/careers/").append(organization_slug);
    url += "/jobs/";
    append_id(url, job);
    return url;
}

} // namespace recruiting
