// How a mail leaves, to a mail server or into a directory of .eml files as the settings say, and what follows from an
// attempt to send it.
#pragma once
#include "async/task.hpp"
#include "auth_api/background/mail/outbox_store.hpp"
#include "auth_api/background/settings.hpp"
#include "transfer/smtp_exchange.hpp"

#include <chrono>
#include <memory>
#include <string>

namespace recruiting::auth_api::mailing {

class mail_transport {
public:
    virtual ~mail_transport() = default;
    /// sent, dead (refused for good), delayed, or given_back: not tried to the end, because the program is stopping.
    [[nodiscard]] virtual task<attempt_outcome> send(mail::message what) = 0;
    /// The program is stopping: cancels mails that a server has not begun to take.
    virtual void stop() = 0;
};

/// What an exchange with a mail server means for the mail: sent, dead, delayed or given_back.
[[nodiscard]] attempt_outcome outcome_of(transfer::smtp_outcome const& exchange);

/// Null when no mail server is set.
[[nodiscard]] std::unique_ptr<mail_transport> make_transport(asio::io_context& context, mail_settings const& settings);

/// How often a mail was tried, and since when. An attempt again by hand begins another history.
struct attempt_history {
    std::int64_t attempts{1};           // this one counted
    std::chrono::milliseconds lasts{0}; // since the first attempt
};

/// An attempt that was delayed gets its pause, or is dead when it was tried long enough. chance: as growing_pause has
/// it.
[[nodiscard]] attempt_outcome with_pause(attempt_outcome outcome, mail_settings const& settings,
                                         attempt_history const& history, double chance);

} // namespace recruiting::auth_api::mailing
