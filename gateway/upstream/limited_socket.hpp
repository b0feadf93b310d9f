// A socket that closes itself when time is up: for what is rare enough to have a timer of its own.
#pragma once
#include "crypto/tls_session.hpp"
#include "gateway/stream.hpp"
#include "gateway/upstream/directory.hpp"

#include <boost/asio/basic_waitable_timer.hpp>
#include <memory>
#include <optional>
#include <string>

namespace recruiting::gateway {

enum class connect_result {
    made,
    refused, // an error at once: to meet it again costs nothing
    late,
    lacking, // descriptors, ports or memory: the peer is not at fault
};

class limited_socket {
public:
    limited_socket(asio::io_context& context, std::chrono::milliseconds limit);
    [[nodiscard]] task<connect_result> connect(socket_address where);
    /// Once connected. Why it failed; nullopt: it is done.
    [[nodiscard]] task<std::optional<std::string>> handshake(tls_session& with);
    [[nodiscard]] socket_type& get() noexcept { return *socket_; }
    /// The limit no longer holds.
    [[nodiscard]] socket_type release();

private:
    using timer_type = asio::basic_waitable_timer<coarse_clock, asio::wait_traits<coarse_clock>, io_executor>;
    std::shared_ptr<socket_type> socket_; // the timer's handler may run after this object is gone
    timer_type timer_;
};

} // namespace recruiting::gateway
