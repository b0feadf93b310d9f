// How the authenticated API answers: credential → bind → read → audit row → answer. What all services do alike
// is http/endpoint_dispatcher. One per thread.
#pragma once
#include "audit/batcher.hpp"
#include "auth_api/agent/invoke/invoke.hpp"
#include "auth_api/background/keys/last_use.hpp"
#include "auth_api/http/read.hpp"
#include "auth_api/http/refusal_metrics.hpp"
#include "auth_api/request_context.hpp"
#include "auth_api/settings.hpp"
#include "http/request_telemetry.hpp"
#include "http/server.hpp"
#include "telemetry/metrics.hpp"

namespace recruiting::auth_api {

class dispatcher final : public http::dispatcher<request_context> {
public:
    struct dependencies {
        settings const& config;
        http::token_signer const& signer;
        shared_reads& reads;
        standby_reads* standby; // null: there is none
        audit::batcher& audit;
        http::request_metrics& requests;
        metrics::registry& metrics;
        last_use& uses;
        agent::invocations& invocations;
        tracing::tracer const& tracer;
    };

    explicit dispatcher(dependencies needs);
    ~dispatcher() override;

    task<std::optional<api_error>> refuse_head(http::request const& req) override;

private:
    request_context context_of(http::request const& req) override;
    std::optional<http::response> answer_at_once(request_context& context) override;
    task<http::response> answer(request_context& context) override;
    task<http::response> answer_rejected(request_context& context, api_error const& error) override;
    void complete(request_context& context, http::response& answered) override;
    void log_answer(request_context const& context, unsigned status, std::chrono::nanoseconds duration) override;

    task<http::response> answer_authenticated(request_context& context, digest const& secret_hash);
    task<http::response> answer_refused(request_context& context, api_error error);
    task<void> record_presented(request_context& context, unsigned status);
    task<void> record(request_context& context, unsigned status);
    task<bool> write_row(request_context const& context, unsigned status);
    // Both set context.principal; it stays null when no key has that secret.
    task<result<http::response>> serve_read(request_context& context, digest const& secret_hash);
    task<result<http::response>> serve_invocation(request_context& context, digest const& secret_hash);
    [[nodiscard]] http::response refuse_for_outage(request_context& context, std::string_view why);
    [[nodiscard]] http::response refuse(request_context& context, api_error const& error);

    dependencies needs_;
    refusal_metrics refusals_;
};

} // namespace recruiting::auth_api
