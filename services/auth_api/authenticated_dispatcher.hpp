// What the API and the console do alike with a request whose credential was read: a read, an invocation of the agent,
// the audit row, and how an outage and a refusal are answered. What all services do alike is http/endpoint_dispatcher.
#pragma once
#include "audit/batcher.hpp"
#include "auth_api/agent/invoke/invoke.hpp"
#include "auth_api/background/keys/last_use.hpp"
#include "auth_api/background/keys/peppers.hpp"
#include "auth_api/http/read.hpp"
#include "auth_api/request_context.hpp"
#include "auth_api/settings.hpp"
#include "http/endpoint_dispatcher.hpp"
#include "telemetry/metrics.hpp"

#include <map>
#include <string>

namespace recruiting::auth_api {

/// Why keys were refused (401 and 403).
class refusal_metrics {
public:
    explicit refusal_metrics(metrics::registry& registry) {
        using enum error_code;
        for (auto const code :
             {missing_credential, invalid_credential, credential_revoked, credential_expired, credential_inactive,
              wrong_environment, insufficient_scope, insufficient_role, organization_mismatch, ip_not_allowed})
            counters_[code] = &registry.add_counter("recruiting_auth_api_auth_failures_total",
                                                    "Requests that were rejected with 401 or 403, by error code.",
                                                    "reason=\"" + std::string(to_string(code)) + "\"");
    }

    /// Other codes are not counted here.
    void count(error_code why) noexcept {
        if (auto const found = counters_.find(why); found != counters_.end()) found->second->add();
    }

private:
    std::map<error_code, metrics::counter*> counters_;
};

class authenticated_dispatcher : public http::endpoint_dispatcher<request_context> {
public:
    struct dependencies {
        settings const& config;
        http::token_signer const& signer;
        shared_reads& reads;
        standby_reads* standby; // null: the primary alone is read
        audit::batcher& audit;
        http::request_metrics& requests;
        metrics::registry& metrics;
        last_use* uses; // of API keys, or of the console's sessions; null where there is no console
        key_moves& moves;
        agent::invocations& invocations;
        tracing::tracer const& tracer;
    };

protected:
    explicit authenticated_dispatcher(dependencies given)
        : http::endpoint_dispatcher<request_context>(given.requests), dependencies_(given), refusals_(given.metrics) {}

    void complete(request_context& context, http::response& answered) override;

    // Both set context.principal; it stays null when the credential is not known.
    task<result<http::response>> read(request_context& context, auth::credential const& presented);
    /// The same of what was bound already.
    struct asked_read {
        std::string_view path;
        std::string_view query;
    };
    task<result<http::response>> read(request_context& context, auth::credential const& presented,
                                      result<prepared_read> bound, asked_read const& asked);
    /// asked: what read_invocation reads.
    task<result<http::response>> invoke_agent(request_context& context, auth::credential const& presented,
                                              http::request const& asked, agent::answering how);
    /// Why a body is not awaited: no key or session that exists was presented, or PostgreSQL can't tell.
    task<std::optional<api_error>> refuse_unknown(auth::credential const& presented);
    /// Returns when the audit row is durable: the answer leaves only then (proto-docs/audit.md).
    task<void> write_audit_row(request_context const& context, unsigned status);
    void note_use(request_context const& context);
    [[nodiscard]] http::response refuse_for_outage(request_context& context, std::string_view why);
    [[nodiscard]] virtual http::response refuse(request_context& context, api_error const& error);

    dependencies dependencies_;

private:
    task<bool> write_row(request_context const& context, unsigned status);

    refusal_metrics refusals_;
};

} // namespace recruiting::auth_api
