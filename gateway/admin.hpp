// The gateway's admin port. Neither Redis nor a service that is away makes it unready: it counts alone, and answers 503
// itself; /readyz only tells. A drain does.
#pragma once
#include "gateway/worker.hpp"
#include "http/admin.hpp"

namespace recruiting::gateway {

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

} // namespace recruiting::gateway
