// One look at one address: can it be connected to, and does it tell that it is ready?
#pragma once
#include "crypto/tls_client.hpp"
#include "gateway/upstream_directory.hpp"

#include <string_view>

namespace recruiting::gateway {

/// Asks target.health for the path, or only connects when it has none. When nobody answers there, the service's own
/// address decides between unready and away. tls: for the service's own address; nullptr, none.
[[nodiscard]] task<check_result> check_health(asio::io_context& context, std::shared_ptr<upstream_target> target,
                                              std::string_view path, std::chrono::milliseconds limit,
                                              tls_client const* tls);

/// "HTTP/1.1 200 OK…" is ready, another status unready; nullopt: there is no status yet. Pure.
[[nodiscard]] std::optional<check_result> read_check_answer(std::string_view received) noexcept;

} // namespace recruiting::gateway
