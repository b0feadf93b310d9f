// How many requests one client has made in one window, as one process knows it, and what the process has reported of
// its own to Redis under each counter generation (proto-docs/decisions/0031). Pure; local_counts holds one per client.
#pragma once
#include "gateway/rate_limit/window.hpp"

#include <array>
#include <cstdint>

namespace recruiting::gateway {

class request_count {
public:
    /// What to send for n more requests, to a Redis under a generation.
    struct delta {
        std::int64_t report{0}; // INCRBY: these, and those not yet reported to the generation
        std::int64_t known{0};  // requests that this process has seen counted and has reported to the generation
        std::int64_t seen{0};   // the generation's highest total so far
        bool fresh{true};       // first send SET key 0 NX EX: the key may be new
        std::int64_t ranked_locally{0}; // so far
        auto operator<=>(delta const&) const = default;
    };
    [[nodiscard]] delta take_delta(std::int64_t n, generation under) noexcept;

    struct ranked {
        std::int64_t base{0};          // the n requests are numbers base + 1 …
        bool counter_decreased{false}; // the total is below one seen before
    };
    /// Redis answered the INCRBY with total: as far as that alone tells.
    [[nodiscard]] static ranked rank(std::int64_t n, delta const& sent, std::int64_t total) noexcept {
        return {total - n, total - sent.report < sent.seen};
    }
    /// The same, with what this process knows.
    [[nodiscard]] ranked answered(std::int64_t n, generation under, delta const& sent, std::int64_t total) noexcept;
    /// Redis answered with an error, or may_have_counted: not at all. Gives the base. What it may have counted is not
    /// reported to this generation again.
    [[nodiscard]] std::int64_t failed(std::int64_t n, generation under, delta const& sent,
                                      bool may_have_counted) noexcept;
    /// Redis was not asked. Gives the base.
    [[nodiscard]] std::int64_t count_locally(std::int64_t n) noexcept;
    /// Does the generation lack requests that this process counted?
    [[nodiscard]] bool has_unreported(generation under) noexcept {
        auto const* const found = find_report(under);
        return mine_ > (found == nullptr ? 0 : found->reported);
    }

    auto operator<=>(request_count const&) const = default;

private:
    struct report_state { // what a generation knows from this process
        generation under{0};
        std::int64_t reported{0}; // of mine_
        std::int64_t seen{0};
        bool has_lifetime{false};
        auto operator<=>(report_state const&) const = default;
    };
    // A new one replaces the one that began first: a thread may use an ended generation until it notices.
    [[nodiscard]] report_state& report_to(generation under) noexcept;
    [[nodiscard]] report_state* find_report(generation under) noexcept;
    [[nodiscard]] std::int64_t rank_locally(std::int64_t n) noexcept;

    std::int64_t others_{0};         // requests that other gateways counted, at least
    std::int64_t mine_{0};           // counted by this process
    std::int64_t ranked_{0};         // of mine_; the others wait for Redis
    std::int64_t ranked_locally_{0}; // of ranked_
    // While a failover goes on, threads may still be connected to different masters.
    std::array<report_state, 2> reports_{};
};

} // namespace recruiting::gateway
