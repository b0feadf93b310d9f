// From HTTP in to the answer out: id, credential check, route, the snapshot or one round trip, CORS and caching,
// metrics and the access log. Everything it decides is in the pure files beside it.
#pragma once
#include "core/ip.hpp"
#include "http/cursor.hpp"
#include "http/request_metrics.hpp"
#include "http/server.hpp"
#include "pg/traced.hpp"
#include "public_api/booking/request_booking.hpp"
#include "public_api/catalogue/catalogue.hpp"
#include "public_api/exposure/exposure_queue.hpp"
#include "public_api/http/answer.hpp"
#include "public_api/limits/limiter.hpp"
#include "public_api/routes.hpp"
#include "public_api/settings.hpp"

#include <chrono>
#include <optional>
#include <string_view>

namespace recruiting::public_api {

/// RateLimit and RateLimit-Policy of the limit that refused.
using limit_fields = std::vector<std::pair<std::string_view, std::string>>;

class dispatcher final : public http::handler {
public:
    dispatcher(pg::pipeline& database, limiter& limits, shared_catalogue const& published, exposure_queue& exposures,
               shared_site const& documents, http::token_signer const& cursors, settings const& config,
               http::request_metrics& metrics, tracing::tracer const& tracer)
        : database_(database), limits_(limits), published_(published), exposures_(exposures), documents_(documents),
          cursors_(cursors), config_(config), limit_key_(limit_key_of(config.cursor_secret)), metrics_(metrics),
          tracer_(tracer), compressed_(static_cast<std::size_t>(config.compressed_cache)) {}

    task<http::response> handle(http::request const& req) override;
    task<http::response> reject(http::request const& req, api_error const& error) override;

private:
    struct told_request {
        std::optional<std::size_t> route;
        std::string_view request_id;
        std::string_view trace_id;
        std::string_view method;
        std::string_view client;
        std::string_view organization; // its identifier; "" when the path names none
    };
    void finish(http::response& reply, http::request const& req, route_match const& found, std::string_view request_id);
    void tell(told_request const& of, unsigned status, std::chrono::nanoseconds duration);
    [[nodiscard]] std::optional<api_error> refuse_api_key(call const& from, route_match const& found);
    std::optional<result<http::response>> answer_at_once(call const& from, route_match const& found, plan& planned);
    /// fields: of the limit that refused, if one did.
    task<result<http::response>> carry_out(plan& planned, timestamp now, std::string_view route, tracing::parent trace,
                                           limit_fields& fields);
    task<result<http::response>> run(plan& planned, timestamp now, std::string_view route, tracing::parent trace,
                                     limit_fields& fields);
    [[nodiscard]] std::optional<result<http::response>>
    answer_of_violation(plan const& planned, pg::query_error const& error, timestamp now, limit_fields& fields);

    pg::pipeline& database_;
    limiter& limits_;
    catalogue_view published_;
    exposure_queue& exposures_;
    shared_site const& documents_;
    http::token_signer const& cursors_;
    settings const& config_;
    digest const limit_key_;
    http::request_metrics& metrics_;
    tracing::tracer const& tracer_;
    gzip_cache compressed_;
};

} // namespace recruiting::public_api
