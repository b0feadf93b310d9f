// The bytes to and from a Redis or a Sentinel: over TCP, TLS or a unix socket. Used by connection and sentinels.
#pragma once
#include "async/socket.hpp"
#include "core/file.hpp"
#include "core/settings.hpp"
#include "crypto/tls_client.hpp"
#include "redis/protocol.hpp"

#include <boost/asio/ip/basic_resolver.hpp>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace recruiting::redis {

/// Makes the TLS sessions of a connection and of its questions to Sentinels. Files of certificates are read for the
/// first session, and again when they have changed: a renewed certificate needs no restart.
class session_source {
public:
    explicit session_source(tls_client_settings files) : files_(std::move(files)) {}
    /// Throws std::runtime_error naming the file at fault.
    [[nodiscard]] tls_session make(std::string const& host);

private:
    tls_client_settings const files_;
    file_marks marks_; // of the files that were read
    std::optional<tls_client> client_;
};

class channel {
public:
    using read_result = std::tuple<boost::system::error_code, std::size_t>;

    /// tls: nullptr: the connection is not encrypted.
    channel(asio::io_context& context, std::shared_ptr<session_source> tls);

    /// Connects to the first address of the host that takes the connection; over TLS the server is verified as that
    /// host. The caller sets the time limit: close() ends the attempt. false: see failure().
    [[nodiscard]] task<bool> connect(endpoint const& where);
    /// Sends the commands and adds their replies; false when the connection ends before the last: see failure().
    [[nodiscard]] task<bool> exchange(batch const& commands, std::vector<reply>& replies);

    [[nodiscard]] task<read_result> read_some(std::span<char> into);
    /// Returns how much the kernel takes at once. The next call must begin with the rest. nullopt: the connection is
    /// broken.
    [[nodiscard]] std::optional<std::size_t> write_some(std::string_view bytes) noexcept;
    /// Calls ready, with an error code, when write_some may take more or close() is called.
    template <class Ready>
    void when_writable(Ready ready) {
        socket_.async_wait(stream_socket::wait_write, std::move(ready));
    }

    [[nodiscard]] bool is_open() const noexcept { return socket_.is_open(); }
    /// Ends what is in progress.
    void close();
    /// Why the last connect, exchange or read failed, for the log: what TLS reported, else the error in words.
    [[nodiscard]] std::string failure(boost::system::error_code const& error = {}) const;

private:
    [[nodiscard]] task<bool> reach(endpoint const& where);
    [[nodiscard]] task<bool> shake_hands(std::string const& host);
    [[nodiscard]] bool begin_tls(std::string const& host);
    [[nodiscard]] task<read_result> read_tls(std::span<char> into);
    [[nodiscard]] task<bool> write_all(std::string_view bytes);

    std::shared_ptr<session_source> const source_;
    stream_socket socket_;
    asio::ip::basic_resolver<asio::ip::tcp, io_executor> resolver_;
    tls_session tls_;
    bool given_up_{
        false}; // the attempt to connect: a resolver or a connect that is cancelled may complete with success
    std::string failure_;
};

} // namespace recruiting::redis
