// When a mail that could not be sent is tried again. Pure.
#pragma once
#include "auth_api/background/mail/settings.hpp"

#include <optional>

namespace recruiting::auth_api::mailing {

/// The pause after so many attempts (the first is 1), lengthened or shortened by up to a fifth: chance is from 0 to 1.
/// nullopt: it was tried long enough. The pauses count, not the clock, so that a mail sent again by hand gets them all.
[[nodiscard]] std::optional<std::chrono::milliseconds> next_pause(mail_settings const& settings, std::int64_t attempts,
                                                                  double chance);

} // namespace recruiting::auth_api::mailing
