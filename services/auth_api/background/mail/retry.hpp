// What becomes of a mail after an attempt to send it. Pure.
#pragma once
#include "auth_api/background/mail/mail_transport.hpp"

#include <optional>

namespace recruiting::auth_api::mailing {

/// The pause after so many attempts (the first is 1), lengthened or shortened by up to a fifth: chance is from 0 to 1.
/// nullopt: it was tried long enough. The pauses count, not the clock, so that a mail sent again by hand gets them all.
[[nodiscard]] std::optional<std::chrono::milliseconds> next_pause(mail_settings const& settings, std::int64_t attempts,
                                                                  double chance);

struct attempt_outcome {
    enum class result { sent, dead, delayed, held_back, given_back };
    result what{result::delayed};
    std::string why;                    // of dead and delayed
    std::chrono::milliseconds pause{0}; // of delayed
};
/// attempts includes this one. chance: as next_pause has it.
[[nodiscard]] attempt_outcome classify(delivery const& how, mail_settings const& settings, std::int64_t attempts,
                                       double chance);

} // namespace recruiting::auth_api::mailing
