// Keeps a service's directory: resolves its names and checks the health of its addresses, on one thread of the process
// for all of them.
#pragma once
#include "crypto/tls_client.hpp"
#include "gateway/upstream_directory.hpp"
#include "gateway/upstream_metrics.hpp"
#include "gateway/upstream_policy.hpp"

#include <memory>

namespace recruiting::gateway {

class upstream_monitor {
public:
    /// directory, registry and tls (nullptr: none) outlive the io_context.
    upstream_monitor(asio::io_context& context, std::string service, upstream_directory& directory,
                     upstream_policy const& policy, metrics::registry& registry, tls_client const* tls);
    ~upstream_monitor();
    upstream_monitor(upstream_monitor const&) = delete;
    upstream_monitor& operator=(upstream_monitor const&) = delete;

private:
    struct state;
    std::shared_ptr<state> state_;
};

} // namespace recruiting::gateway
