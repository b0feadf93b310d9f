// TLS towards the services: its settings, declared once.
#pragma once
#include "core/settings.hpp"
#include "crypto/tls_client.hpp"
#include "gateway/upstream/directory.hpp"

#include <span>

namespace recruiting::gateway {

struct upstream_tls_settings {
    bool on{false};
    tls_client_settings client;
};

/// services: what is connected to; each must have a name that its certificate can be held against.
void declare_upstream_tls(settings_reader& reader, upstream_tls_settings& out,
                          std::span<service_addresses const> services);

} // namespace recruiting::gateway
