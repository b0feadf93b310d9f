// What becomes of a mail after an attempt. Pure.
#pragma once
#include "auth_api/background/mail/carrier.hpp"
#include "auth_api/background/mail/retry.hpp"

namespace recruiting::auth_api::mailing {

struct verdict {
    enum class result { sent, dead, delayed, held_back, given_back };
    result what{result::delayed};
    std::string why;                    // of dead and delayed
    std::chrono::milliseconds pause{0}; // of delayed
};
/// attempts: this one counted. chance: as next_pause has it.
[[nodiscard]] inline verdict judge(delivery const& how, mail_settings const& settings, std::int64_t attempts,
                                   double chance) {
    using result = verdict::result;
    switch (how.what) {
    case delivery::result::accepted: return {result::sent, {}, {}};
    case delivery::result::refused: return {result::dead, how.told, {}};
    case delivery::result::left_off: return {result::given_back, {}, {}};
    case delivery::result::delayed: break;
    }
    auto const pause = next_pause(settings, attempts, chance);
    if (!pause) return {result::dead, how.told + "; tried for long enough", {}};
    return {result::delayed, how.told, *pause};
}

} // namespace recruiting::auth_api::mailing
