// The addresses that settings name, http://host[:port][/path], and those that programs make of them. Pure.
#pragma once
#include "core/ids.hpp"
#include "core/ip.hpp"
#include "core/settings.hpp"
#include "core/text.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace recruiting {

/// What keeps this from being the address of a server that programs call: "must begin with http:// or https://".
/// nullopt: nothing. No part of it is quoted.
[[nodiscard]] std::optional<std::string> base_url_problem(std::string_view base_url);
/// "https://jobs.example.com:8443", where browsers reach this installation (RECRUITING_PUBLIC_URL): a scheme (http or
/// https), a host and maybe a port; no path, query, user or spaces.
[[nodiscard]] bool is_origin(std::string_view text) noexcept;
/// base_url, with or without slashes at its end, and a path such as "/chat/completions".
[[nodiscard]] std::string url_below(std::string_view base_url, std::string_view path);

/// Where people see a published job (publicUrl), the same from every program: below the organization's careers page;
/// where it has none (""), on the page that the installation at origin has for it.
[[nodiscard]] std::string job_page_url(std::string_view careers_page_url, std::string_view origin,
                                       std::string_view organization_slug, uuid const& job);

/// The address at which a client on the same machine reaches a listener: a wildcard address becomes loopback.
[[nodiscard]] inline endpoint reachable(endpoint listened) {
    if (listened.host == "0.0.0.0") listened.host = "127.0.0.1";
    if (listened.host == "::") listened.host = "::1";
    return listened;
}

/// The host of "host:port/path" or "[2001:db8::1]:port/path", with its brackets.
[[nodiscard]] inline std::string_view host_of(std::string_view authority_and_path) {
    auto const authority = authority_and_path.substr(0, authority_and_path.find('/'));
    auto const close = authority.rfind(']');
    return authority.substr(0, authority.find(':', close == std::string_view::npos ? 0 : close));
}

/// A URL's host: "localhost", "127.0.0.1" and its like, "[::1]"; no name that merely begins so.
[[nodiscard]] inline bool is_this_machine(std::string_view host) {
    if (iequals(host, "localhost") || host == "[::1]") return true;
    auto const address = parse_ip(host);
    return address && address->is_v4() && address->bytes[12] == 127;
}

} // namespace recruiting
