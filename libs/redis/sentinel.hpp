// Which Redis is the master: asked of a list of Sentinels, one after the other until one knows. Called by connection.
#pragma once
#include "redis/dial.hpp"

#include <boost/asio/basic_waitable_timer.hpp>
#include <chrono>
#include <memory>
#include <optional>
#include <string>

namespace recruiting::redis {

/// Of SENTINEL GET-MASTER-ADDR-BY-NAME. nullopt: the Sentinel does not know the service, or refuses to say.
[[nodiscard]] std::optional<endpoint> read_master(reply const& said);
/// Of ROLE: does a master speak?
[[nodiscard]] bool is_master(reply const& role) noexcept;

class sentinel_list : public std::enable_shared_from_this<sentinel_list> {
public:
    sentinel_list(asio::io_context& context, address const& of);

    /// Asks until one Sentinel knows, each once. One question at a time. Keep a shared_ptr while it runs.
    [[nodiscard]] task<std::optional<endpoint>> ask();
    /// The answer led nowhere, or is to be confirmed: another Sentinel is asked next.
    void doubt();
    /// Ends the question under way, and the connection.
    void close();

private:
    [[nodiscard]] task<std::optional<endpoint>> ask_one(endpoint const& where);

    address of_;
    socket_type socket_; // stays open from question to question
    resolver_type resolver_;
    asio::basic_waitable_timer<std::chrono::steady_clock, asio::wait_traits<std::chrono::steady_clock>, io_executor>
        limit_;
    std::size_t next_{0};
};

} // namespace recruiting::redis
