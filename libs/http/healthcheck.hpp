// What a container engine asks a program of (--healthcheck): a second process of the same program, with the same
// settings, asks the first one's admin port. So an image needs neither a shell nor curl.
#pragma once
#include "core/settings.hpp"

namespace recruiting::http {

/// The exit code: 0 when /healthz answers 200 within a few seconds, else 1 with the reason on standard error.
[[nodiscard]] int check_health(endpoint const& admin_listen);

} // namespace recruiting::http
