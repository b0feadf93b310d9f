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

attempt_outcome classify(delivery const& how, mail_settings const& settings, std::int64_t attempts, double chance) {
    using result = attempt_outcome::result;
    switch (how.what) {
    case delivery::result::accepted: return {result::sent, {}, {}};
    case delivery::result::refused: return {result::dead, how.detail, {}};
    case delivery::result::canceled: return {result::given_back, {}, {}};
    case delivery::result::delayed: break;
    }
    auto const pause = next_pause(settings, attempts, chance);
    if (!pause) return {result::dead, how.detail + "; tried for long enough", {}};
    return {result::delayed, how.detail, *pause};
}

} // namespace recruiting::auth_api::mailing
