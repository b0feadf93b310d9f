// Takes a request in and gives its answer out, with its audit row: credential → route → bind → read → audit → answer.
// One a thread.
#pragma once
#include "audit/batcher.hpp"
#include "auth_api/agent/invoke.hpp"
#include "auth_api/read.hpp"
#include "auth_api/settings.hpp"
#include "auth_api/workers/last_use.hpp"
#include "http/server.hpp"
#include "telemetry/metrics.hpp"

#include <unordered_map>

namespace recruiting::auth_api {

struct exchange; // what is known of one request while it is under way
struct route_match;

class dispatch final : public http::handler {
public:
    struct dependencies {
        settings const& config;
        http::token_signer const& signer;
        shared_reads& reads;
        pg::pipeline& exports;
        audit::batcher& audit;
        metrics::registry& metrics;
        last_use& uses;
        agent::invocations& invocations;
    };

    explicit dispatch(dependencies needs) : needs_(std::move(needs)) {}

    task<http::response> handle(http::request const& req) override;
    http::response reject(api_error const& error, std::string_view inbound_request_id) override;

private:
    task<http::response> answer(exchange& now);
    task<http::response> answer_authenticated(exchange& now, digest const& secret_hash);
    task<read_outcome> serve_read(exchange& now, route_match const& match, digest const& secret_hash);
    task<read_outcome> serve_invocation(exchange& now, digest const& secret_hash);
    [[nodiscard]] http::response refuse(exchange& now, api_error const& error) const;
    void finish(exchange& now, http::response& answer);
    void count(std::string_view endpoint, unsigned status, std::chrono::nanoseconds duration);

    dependencies needs_;
    std::unordered_map<std::string, metrics::counter*> counters_;
    std::unordered_map<std::string_view, metrics::histogram*> histograms_;
};

} // namespace recruiting::auth_api
