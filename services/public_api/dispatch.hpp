// How the public API answers a request: the check for API keys, the snapshot or one round trip, limits, CORS and
// caching. Everything it decides is in the pure files of its folders; what all services do alike is
// http/endpoint_dispatcher.
#pragma once
#include "http/endpoint_dispatcher.hpp"
#include "http/query.hpp"
#include "http/server.hpp"
#include "pg/pipeline.hpp"
#include "public_api/booking/schedule.hpp"
#include "public_api/http/answer.hpp"
#include "public_api/limits/limits.hpp"
#include "public_api/routes.hpp"
#include "public_api/settings.hpp"

#include <optional>
#include <string_view>

namespace recruiting::public_api {

/// The fields RateLimit and RateLimit-Policy of the limit that refused a request.
using limit_fields = std::vector<std::pair<std::string_view, std::string>>;

/// What a dispatcher uses; all of it outlives the dispatcher.
struct dispatcher_dependencies {
    pg::pipeline& database;
    limiter& limits;
    shared_catalogue const& published;
    metrics::counter& exposed_keys;
    http::static_site const* documents;
    http::token_signer const& cursors;
    settings const& config;
    http::request_metrics& metrics;
    tracing::tracer const& tracer;
};

/// What is known of one request while it is in progress.
struct request_context : http::endpoint_request<action> {
    request_context(http::request const& request, dispatcher_dependencies const& dependencies,
                    shared_catalogue::snapshot const& jobs, body_cache& job_bodies, digest const& limit_key);
    request_context(request_context const&) = delete; // input refers into this

    std::string client_text;
    shared_catalogue::snapshot published; // held until the answer is made
    action_input input;
    plan planned;
    limit_fields of_limit;
};

class dispatcher final : public http::endpoint_dispatcher<request_context> {
public:
    explicit dispatcher(dispatcher_dependencies dependencies);
    ~dispatcher() override;

private:
    task<std::optional<api_error>> refuse_head(http::request const& req) override;
    request_context context_of(http::request const& req) override;
    std::optional<http::response> answer_at_once(request_context& context) override;
    task<http::response> answer(request_context& context) override;
    task<http::response> answer_rejected(request_context& context, api_error const& error) override;
    void complete(request_context& context, http::response& answered) override;
    void log_answer(request_context const& context, unsigned status, std::chrono::nanoseconds duration) override;

    [[nodiscard]] std::optional<api_error> refuse_api_key(request_context const& context);
    [[nodiscard]] std::optional<result<http::response>> plan_answer(request_context& context);
    task<result<http::response>> carry_out(request_context& context);
    task<result<http::response>> carry_out(request_context& context, http::response& answered);
    task<result<http::response>> carry_out(request_context& context, database_query& query);
    task<result<http::response>> carry_out(request_context& context, counted_query& counted);
    task<result<http::response>> carry_out(request_context& context, limited_change& change);
    [[nodiscard]] std::optional<result<http::response>> answer_of_violation(request_context& context,
                                                                            pg::query_error const& error);

    dispatcher_dependencies dependencies_;
    catalogue_view published_;
    digest const limit_key_;
    body_cache compressed_;
    body_cache job_bodies_;
};

} // namespace recruiting::public_api
