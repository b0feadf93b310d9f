// What sign-in by OpenID Connect needs of a thread: the provider, and how sign-ins end as metrics.
#pragma once
#include "auth_api/console/oidc/callback.hpp"
#include "auth_api/console/oidc/provider.hpp"
#include "telemetry/metrics.hpp"

#include <array>
#include <optional>

namespace recruiting::auth_api::console {

class provider_sign_in {
public:
    /// config outlives it. The metrics exist also where no provider is set.
    provider_sign_in(asio::io_context& context, oidc::oidc_settings const& config, metrics::registry& metrics);

    /// nullptr: none is set.
    [[nodiscard]] oidc::provider* provider() noexcept { return provider_ ? &*provider_ : nullptr; }
    void count(oidc::sign_in_outcome outcome) noexcept { counts_[static_cast<std::size_t>(outcome)]->add(); }

private:
    std::optional<oidc::provider> provider_;
    std::array<metrics::counter*, oidc::outcome_names.size()> counts_{};
};

} // namespace recruiting::auth_api::console
