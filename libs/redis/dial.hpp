// Connecting to a Redis or a Sentinel, and a first exchange with it. The caller sets the time limit: it sets given_up,
// closes the socket and cancels the resolver. Called by connection and sentinels.
#pragma once
#include "async/socket.hpp"
#include "async/ticker.hpp"
#include "core/settings.hpp"
#include "redis/address.hpp"
#include "redis/protocol.hpp"

#include <boost/asio/ip/basic_resolver.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace recruiting::redis {

using resolver_type = asio::ip::basic_resolver<asio::ip::tcp, io_executor>;

/// Connects to the first address of the host that takes the connection; false when none does, or once given_up is set:
/// a resolver or a connect that is cancelled may complete with success. Outlives the call.
[[nodiscard]] task<bool> dial(stream_socket& socket, resolver_type& resolver, endpoint const& where,
                              bool const& given_up);

/// Sends the commands and adds their replies; false when the connection ends before the last.
[[nodiscard]] task<bool> exchange(stream_socket& socket, batch const& commands, std::vector<reply>& replies);

/// AUTH, if there is a password.
void add_login(batch& commands, login const& as);

// Which Redis is the master: asked of a list of Sentinels, one after the other until one knows. Called by connection.

/// Reads the reply to SENTINEL GET-MASTER-ADDR-BY-NAME. nullopt: the Sentinel does not know the service, or refuses to
/// say.
[[nodiscard]] std::optional<endpoint> read_master(reply const& said);
/// Reads the reply to ROLE: is the server a master?
[[nodiscard]] bool is_master(reply const& role) noexcept;

class sentinel_list : public std::enable_shared_from_this<sentinel_list> {
public:
    sentinel_list(asio::io_context& context, address const& of);

    /// Asks until one Sentinel knows, each once. One question at a time. Keep a shared_ptr while it runs.
    [[nodiscard]] task<std::optional<endpoint>> ask();
    /// The answer led nowhere, or is to be confirmed: another Sentinel is asked next.
    void try_next();
    /// Ends the question in progress, and the connection.
    void close();

private:
    [[nodiscard]] task<std::optional<endpoint>> ask_one(endpoint const& where);

    address of_;
    stream_socket socket_; // stays open from question to question
    resolver_type resolver_;
    timer_type limit_;
    bool given_up_{false}; // the question in progress
    std::size_t next_{0};
};

} // namespace recruiting::redis
