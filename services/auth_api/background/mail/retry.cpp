#include "auth_api/background/mail/retry.hpp"

#include <algorithm>
#include <cmath>

namespace recruiting::auth_api::mailing {

std::optional<std::chrono::milliseconds> next_pause(mail_settings const& settings, std::int64_t attempts,
                                                    double chance) {
    using std::chrono::milliseconds;
    auto pause = std::min(settings.first_pause, settings.longest_pause);
    milliseconds waited{0};
    for (std::int64_t attempt = 1; attempt < attempts && waited < settings.give_up_after; ++attempt) {
        waited += pause;
        pause = std::min(pause * 2, settings.longest_pause);
    }
    if (waited >= settings.give_up_after) return std::nullopt;
    auto const spread = 0.8 + 0.4 * chance;
    return milliseconds{std::max<std::int64_t>(1, std::llround(static_cast<double>(pause.count()) * spread))};
}

} // namespace recruiting::auth_api::mailing
