// Keeps a service's directory: resolves its names and checks the health of its addresses, on one thread of the process
// for all of them.
#pragma once
#include "crypto/stream.hpp"
#include "crypto/tls_client.hpp"
#include "gateway/upstream/directory.hpp"
#include "gateway/upstream/policy.hpp"

#include <memory>
#include <string_view>

namespace recruiting::gateway {

class upstream_monitor {
public:
    /// directory, registry and tls (nullptr: none) outlive the io_context.
    upstream_monitor(asio::io_context& context, ticker& clock, std::string service, upstream_directory& directory,
                     upstream_policy const& policy, metrics::registry& registry, tls_client const* tls);
    ~upstream_monitor();
    upstream_monitor(upstream_monitor const&) = delete;
    upstream_monitor& operator=(upstream_monitor const&) = delete;

private:
    struct state;
    std::shared_ptr<state> state_;
};

/// Asks target.health for the path, or only connects when it has none. When nobody answers there, the service's own
/// address decides between unready and away. tls: for the service's own address; nullptr, none.
[[nodiscard]] task<check_result> check_health(stream_watch& watch, std::shared_ptr<upstream_target> target,
                                              std::string_view path, std::chrono::milliseconds limit,
                                              tls_client const* tls);

/// "HTTP/1.1 200 OK…" is ready, another status unready; nullopt: there is no status yet. Pure.
[[nodiscard]] std::optional<check_result> read_check_answer(std::string_view received) noexcept;

} // namespace recruiting::gateway
