// How the console answers: pages from memory; for /console/api cross-site check → cookie → CSRF token → body → read,
// change, session operation or invocation of the agent → audit row → answer. What all services do alike is
// http/endpoint_dispatcher. One per thread.
#pragma once
#include "audit/batcher.hpp"
#include "auth_api/agent/invoke/invoke.hpp"
#include "auth_api/background/keys/last_use.hpp"
#include "auth_api/console/change_runner.hpp"
#include "auth_api/console/request_context.hpp"
#include "auth_api/console/session_endpoints.hpp"
#include "auth_api/http/read.hpp"
#include "auth_api/http/refusal_metrics.hpp"
#include "auth_api/settings.hpp"
#include "http/request_telemetry.hpp"
#include "http/static_site.hpp"

namespace recruiting::auth_api::console {

class dispatcher final : public http::dispatcher<request_context> {
public:
    struct dependencies {
        io_executor executor;
        settings const& config;
        http::static_site const* pages; // null: there is no console, and every path is 404
        http::token_signer const& signer;
        shared_reads& reads;
        session_endpoints* sessions; // null where there is no console, as the next two
        change_runner* changes;
        agent::invocations& invocations;
        audit::batcher& audit;
        http::request_metrics& requests;
        metrics::registry& metrics;
        last_use* uses; // of sessions
        tracing::tracer const& tracer;
    };

    explicit dispatcher(dependencies needs);

    task<std::optional<api_error>> refuse_head(http::request const& req) override;

private:
    request_context context_of(http::request const& req) override;
    std::optional<http::response> answer_at_once(request_context& context) override;
    task<http::response> answer(request_context& context) override;
    task<http::response> answer_rejected(request_context& context, api_error const& error) override;
    void complete(request_context& context, http::response& answered) override;
    void log_answer(request_context const& context, unsigned status, std::chrono::nanoseconds duration) override;

    [[nodiscard]] bool is_secure() const noexcept;
    /// What a request's head brings, or why the request is refused for it.
    struct admission {
        std::optional<api_error> refusal;
        std::string secret; // the session's
        digest session_hash{};
    };
    [[nodiscard]] admission admit(http::request const& req, route_match const& match) const;
    task<result<http::response>> carry_out(request_context& context);
    task<result<http::response>> read(request_context& context);
    task<result<http::response>> change(request_context& context);
    task<result<http::response>> invoke_agent(request_context& context);
    task<result<http::response>> call_session(request_context& context);
    task<void> record(request_context& context, unsigned status);
    void note_use(request_context const& context);
    [[nodiscard]] http::response refuse(request_context& context, api_error const& error);

    dependencies needs_;
    refusal_metrics refusals_;
};

} // namespace recruiting::auth_api::console
