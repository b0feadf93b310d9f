// Takes a request in and gives its answer out, with its audit row: credential → route → bind → read → audit → answer.
// One a thread.
#pragma once
#include "audit/batcher.hpp"
#include "auth_api/agent/invoke/invoke.hpp"
#include "auth_api/background/keys/last_use.hpp"
#include "auth_api/http/read.hpp"
#include "auth_api/http/refusal_metrics.hpp"
#include "auth_api/settings.hpp"
#include "http/request_metrics.hpp"
#include "http/server.hpp"
#include "telemetry/metrics.hpp"

namespace recruiting::auth_api {

struct exchange; // what is known of one request while it is under way
struct route_match;

class dispatch final : public http::handler {
public:
    struct dependencies {
        settings const& config;
        http::token_signer const& signer;
        shared_reads& reads;
        audit::batcher& audit;
        metrics::registry& metrics;
        last_use& uses;
        agent::invocations& invocations;
        tracing::tracer const& tracer;
        organization_metrics& organizations;
    };

    explicit dispatch(dependencies needs);

    task<http::response> handle(http::request const& req) override;
    task<http::response> reject(http::request const& req, api_error const& error) override;
    task<std::optional<api_error>> refuse_head(http::request const& req) override;

private:
    task<http::response> answer(exchange& now);
    task<http::response> answer_authenticated(exchange& now, digest const& secret_hash);
    task<http::response> answer_refused(exchange& now, api_error error);
    task<void> record_presented(exchange& now, unsigned status);
    task<void> record(exchange& now, unsigned status);
    task<read_outcome> serve_read(exchange& now, route_match const& match, digest const& secret_hash);
    task<read_outcome> serve_invocation(exchange& now, digest const& secret_hash);
    [[nodiscard]] http::response refuse_for_outage(exchange& now, std::string_view why);
    [[nodiscard]] http::response refuse(exchange& now, api_error const& error);
    void finish(exchange& now, http::response& answer);

    dependencies needs_;
    http::request_metrics requests_;
    refusal_metrics refusals_;
};

} // namespace recruiting::auth_api
