// Which Redis is the master: asked of a list of Sentinels, one after the other until one knows. Called by connection.
#pragma once
#include "async/ticker.hpp"
#include "redis/address.hpp"
#include "redis/channel.hpp"

#include <memory>
#include <optional>
#include <string>

namespace recruiting::redis {

/// AUTH, if there is a password.
void add_login(batch& commands, login const& as);

/// Reads the reply to SENTINEL GET-MASTER-ADDR-BY-NAME. nullopt: the Sentinel does not know the service, or refuses to
/// say.
[[nodiscard]] std::optional<endpoint> read_master(reply const& said);
/// Reads the reply to ROLE: is the server a master?
[[nodiscard]] bool is_master(reply const& role) noexcept;

class sentinel_list : public std::enable_shared_from_this<sentinel_list> {
public:
    sentinel_list(asio::io_context& context, address const& of, std::shared_ptr<session_source> tls);

    /// Asks until one Sentinel knows, each once. One question at a time. Keep a shared_ptr while it runs.
    [[nodiscard]] task<std::optional<endpoint>> ask();
    /// The answer led nowhere, or is to be confirmed: another Sentinel is asked next.
    void try_next();
    /// Ends the question in progress, and the connection.
    void close();
    /// Why the last question got no answer. For the log.
    [[nodiscard]] std::string failure() const { return channel_.failure(); }

private:
    [[nodiscard]] task<std::optional<endpoint>> ask_one(endpoint const& where);

    address of_;
    channel channel_; // stays open from question to question
    timer_type limit_;
    std::size_t next_{0};
};

} // namespace recruiting::redis
