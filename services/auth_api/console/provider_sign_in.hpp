// What sign-in by OpenID Connect needs of a thread: the provider, and how sign-ins end as metrics.
#pragma once
#include "auth_api/console/oidc/callback.hpp"
#include "auth_api/console/oidc/provider.hpp"
#include "telemetry/metrics.hpp"

#include <array>

namespace recruiting::auth_api::console {

/// How sign-ins end, as metrics: there also where no provider is set.
class sign_in_counts {
public:
    explicit sign_in_counts(metrics::registry& metrics);
    void count(oidc::sign_in_outcome outcome) noexcept { counts_[static_cast<std::size_t>(outcome)]->add(); }

private:
    std::array<metrics::counter*, oidc::all_outcomes.size()> counts_{};
};

class provider_sign_in {
public:
    /// config and counts outlive it.
    provider_sign_in(asio::io_context& context, oidc::oidc_settings const& config, sign_in_counts& counts)
        : provider_(context, config), counts_(counts) {}

    [[nodiscard]] oidc::provider& provider() noexcept { return provider_; }
    void count(oidc::sign_in_outcome outcome) noexcept { counts_.count(outcome); }

private:
    oidc::provider provider_;
    sign_in_counts& counts_;
};

} // namespace recruiting::auth_api::console
