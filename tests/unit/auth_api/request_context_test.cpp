// The fields of an answer with 429: every limit's own quota and window (proto-docs/limits.md).
#include "auth_api/request_context.hpp"
#include "auth_api/settings.hpp"
#include "interviews/bookings.hpp"
#include "interviews/interviews.hpp"
#include "support/catch.hpp"

namespace request_context_test {
using namespace recruiting;

TEST_CASE("each limit is described in RateLimit-Policy by its own quota", "[auth_api][limits]") {
    auth_api::settings config;
    auto const policy = [&](std::string const& name, std::int64_t waiting_limit = 0) {
        auto const answered =
            auth_api::refusal_response(rate_limited(name, 30, "Too many."), "0190", "", config, waiting_limit);
        for (auto const& [field, value] : answered.headers)
            if (field == "RateLimit-Policy") return value;
        return std::string();
    };
    auto const hourly = [](std::string const& name, std::int64_t most) {
        return '"' + name + "\";q=" + std::to_string(most) + ";w=3600";
    };
    auto const at_once = [](std::string const& name, std::int64_t most) {
        return '"' + name + "\";q=" + std::to_string(most) + R"(;qu="concurrent-requests")";
    };
    CHECK(policy("sign_in_client") == hourly("sign_in_client", config.console.links_per_client));
    CHECK(policy("invitations") == hourly("invitations", config.console.invitations_per_organization));
    CHECK(policy("slots") == hourly("slots", interviews::most_opened_per_hour));
    CHECK(policy("booking_changes") == hourly("booking_changes", interviews::most_links_per_hour));
    CHECK(policy("agent_runs") == at_once("agent_runs", config.agent.runs_per_organization));
    CHECK(policy("concurrency", 3) == at_once("concurrency", 3));
    CHECK(policy("concurrency") == at_once("concurrency", config.queues.waiting_reads));
}

} // namespace request_context_test
