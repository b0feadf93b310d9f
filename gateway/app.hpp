// What one thread of the gateway runs: a listening socket of its own (SO_REUSEPORT), its sessions, its worker; the
// first thread also answers the admin port.
#pragma once
#include "gateway/worker.hpp"
#include "http/admin.hpp"
#include "http/run.hpp"

#include <memory>

namespace recruiting::gateway {

/// The gateway's admin port. Neither Redis nor an unavailable service makes it unready: it counts alone, and answers
/// 503 itself; /readyz only reports them. A drain does.
class admin final : public http::handler {
public:
    admin(metrics::registry const& registry, worker const& first) : common_(registry, {}), worker_(first) {}

    task<http::response> handle(http::request const& req) override;
    task<http::response> reject(http::request const& req, api_error const& error) override {
        return common_.reject(req, error);
    }

private:
    [[nodiscard]] http::response readiness() const;

    http::admin_handler common_;
    worker const& worker_;
};

/// Throws std::runtime_error when an address can't be listened on.
[[nodiscard]] std::unique_ptr<http::thread_part>
make_edge(asio::io_context& context, ticker& clock, shared_parts& shared, time_source const& time, bool with_admin);

} // namespace recruiting::gateway
