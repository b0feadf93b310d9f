// Where browsers reach this deployment: RECRUITING_PUBLIC_URL. Pure.
#pragma once
#include <string_view>

namespace recruiting::http {

/// "https://jobs.example.com:8443": a scheme (http or https), a host and maybe a port; no path, query, user or spaces.
[[nodiscard]] bool is_origin(std::string_view text) noexcept;

} // namespace recruiting::http
