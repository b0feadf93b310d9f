// One thread's knowledge of Redis' reign: asks after every connect, twice a second, and when a total fell; then tells
// Redis what it does not know of this process's counts. Called by ceiling; calls redis::connection and count_table.
#pragma once
#include "gateway/ceiling_settings.hpp"
#include "redis/connection.hpp"

#include <boost/asio/basic_waitable_timer.hpp>
#include <memory>
#include <optional>

namespace recruiting::gateway {

class reign_watch {
public:
    reign_watch(asio::io_context& context, redis::connection& redis, ceiling_shared& shared, time_source const& clock,
                ceiling_settings const& settings, ceiling_metrics& counters);

    /// nullopt: Redis is away, or has not told yet.
    [[nodiscard]] std::optional<reign> now() const noexcept { return under_; }
    void connection_changed(bool up);
    /// Asks now, unless it is being asked already.
    void look();
    /// Redis answered with an error, or not at all. The state ends when a look finds none since the last.
    void note_error(std::string_view why);

private:
    using timer_type = asio::basic_waitable_timer<std::chrono::steady_clock,
                                                  asio::wait_traits<std::chrono::steady_clock>, io_executor>;
    void look_again_later();
    void learn(std::vector<redis::reply> const& replies);
    void tell_debts(std::size_t part);
    struct telling {
        std::size_t policy{0};
        reign under{0};
        std::vector<count_table::debt> debts;
        std::vector<std::size_t> totals_at; // among the replies
    };
    [[nodiscard]] redis::batch write_debts(telling& what);
    void settle_debts(telling const& what, redis::outcome became, std::vector<redis::reply> const& replies);

    redis::connection& redis_;
    ceiling_shared& shared_;
    time_source const& clock_;
    ceiling_settings const& settings_;
    ceiling_metrics& metrics_;
    timer_type again_;
    std::optional<reign> under_;
    bool looking_{false};
    bool telling_{false};
    bool owes_{false}; // what a new reign, or one that took no writes, is to be told
    bool in_error_{false};
    bool error_since_look_{false};
    std::shared_ptr<void> alive_{std::make_shared<char>()}; // of whom the timer asks whether this still exists
};

} // namespace recruiting::gateway
