// One TLS connection over a non-blocking socket that its owner waits on: handshake, read, write and close_notify, each
// telling what to wait for. Made by tls_server and tls_client. No OpenSSL header is needed to use it.
#pragma once
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

struct ssl_st;

namespace recruiting {

/// closed: the peer ended the connection in order. failed: the connection can't be used further, see failure().
enum class tls_status { done, want_read, want_write, closed, failed };
enum class tls_version { tls1_2, tls1_3 };

struct tls_transfer {
    tls_status status{tls_status::done};
    std::size_t size{0};
};

class tls_session {
public:
    /// No TLS: false as a bool, nothing else may be called.
    tls_session() = default;
    /// owner: what the connection's callbacks look into.
    tls_session(ssl_st* made, std::shared_ptr<void const> owner) noexcept : owner_(std::move(owner)), ssl_(made) {}
    [[nodiscard]] explicit operator bool() const noexcept { return ssl_ != nullptr; }

    /// The descriptor stays the caller's. Sends with MSG_NOSIGNAL. received: what was read from it before, if anything.
    void attach(int descriptor, std::string received = {});
    [[nodiscard]] tls_status handshake() noexcept;
    /// done: size bytes, at most one record's. Call again while may_have_more(), the socket does not report those.
    [[nodiscard]] tls_transfer read(char* into, std::size_t size) noexcept;
    /// Sends the pieces in order, small ones together in one record. size: how much was taken, whatever the status.
    /// After want_write the next call must begin with what was not taken, as it was, and be no shorter.
    [[nodiscard]] tls_transfer write(std::span<std::string_view const> pieces) noexcept;
    /// Says that nothing more will be sent (close_notify); does not wait for the peer to say so too.
    [[nodiscard]] tls_status shut_down() noexcept;
    /// false after a read: the socket had no more bytes a moment ago, and none are kept here.
    [[nodiscard]] bool may_have_more() const noexcept;

    /// Bytes received that nobody has read yet.
    [[nodiscard]] bool has_pending() const noexcept;

    // After the handshake.
    [[nodiscard]] tls_version version() const noexcept;
    [[nodiscard]] bool resumed() const noexcept;
    /// Why the last call on this thread failed. For the log.
    [[nodiscard]] std::string failure() const;

private:
    struct free_session {
        void operator()(ssl_st* session) const noexcept;
    };
    [[nodiscard]] tls_status status_of(int returned) noexcept;

    std::shared_ptr<void const> owner_; // goes after the session
    std::unique_ptr<ssl_st, free_session> ssl_;
    bool broken_{false}; // a fatal error: OpenSSL must not be asked to send anything more
};

} // namespace recruiting
