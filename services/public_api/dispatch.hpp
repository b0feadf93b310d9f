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
struct public_request : http::endpoint_request<action> {
    public_request(http::request const& request, dispatcher_dependencies const& dependencies,
                   shared_catalogue::snapshot const& jobs, body_cache& job_bodies,
                   std::vector<digest> const& limit_keys);
    public_request(public_request const&) = delete; // input refers into this

    std::string client_text;
    shared_catalogue::snapshot published; // held until the answer is made
    action_input input;
    plan planned;
    limit_fields of_limit;
};

class public_dispatcher final : public http::endpoint_dispatcher<public_request> {
public:
    explicit public_dispatcher(dispatcher_dependencies dependencies);
    ~public_dispatcher() override;

private:
    task<std::optional<api_error>> refuse_head(http::request const& req) override;
    public_request context_of(http::request const& req) override;
    std::optional<http::response> answer_at_once(public_request& context) override;
    task<http::response> answer(public_request& context) override;
    task<http::response> answer_rejected(public_request& context, api_error const& error) override;
    void complete(public_request& context, http::response& answered) override;
    void log_answer(public_request const& context, unsigned status, std::chrono::nanoseconds duration) override;

    [[nodiscard]] std::optional<api_error> refuse_api_key(public_request const& context);
    [[nodiscard]] std::optional<result<http::response>> plan_answer(public_request& context);
    task<result<http::response>> carry_out(public_request& context);
    task<result<http::response>> carry_out(public_request& context, http::response& answered);
    task<result<http::response>> carry_out(public_request& context, database_query& query);
    task<result<http::response>> carry_out(public_request& context, counted_query& counted);
    task<result<http::response>> carry_out(public_request& context, limited_change& change);
    [[nodiscard]] std::optional<result<http::response>> answer_of_violation(public_request& context,
                                                                            pg::query_error const& error);

    dispatcher_dependencies dependencies_;
    catalogue_view published_;
    std::vector<digest> const limit_keys_;
    body_cache compressed_;
    body_cache job_bodies_;
};

} // namespace recruiting::public_api
