// From HTTP in to the answer out: id, credential check, route, the one round trip of the read, CORS and caching,
// metrics and the access log. Everything it decides is in the pure files beside it.
#pragma once
#include "core/ip.hpp"
#include "http/cursor.hpp"
#include "http/server.hpp"
#include "pg/pipeline.hpp"
#include "public_api/limits/limiter.hpp"
#include "public_api/request_metrics.hpp"
#include "public_api/routes.hpp"

#include <vector>

namespace recruiting::public_api {

class dispatcher final : public http::handler {
public:
    dispatcher(pg::pipeline& database, limiter& limits, http::token_signer const& cursors, settings const& config,
               request_metrics& metrics)
        : database_(database), limits_(limits), cursors_(cursors), config_(config), metrics_(metrics) {}

    task<http::response> handle(http::request const& req) override;
    http::response reject(api_error const& error, std::string_view inbound_request_id) override;

private:
    task<result<http::response>> answer(http::request const& req, route_match const& found, std::string_view client,
                                        std::string_view request_id);
    task<std::optional<api_error>> count(std::vector<counted_use> const& uses, timestamp now);
    task<result<http::response>> run(plan planned, std::string_view route);

    pg::pipeline& database_;
    limiter& limits_;
    http::token_signer const& cursors_;
    settings const& config_;
    catalogue catalogue_;
    request_metrics& metrics_;
};

} // namespace recruiting::public_api
