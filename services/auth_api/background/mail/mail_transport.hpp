// How a mail leaves, to a mail server or into a directory of .eml files as the settings say, and what follows from an
// attempt to send it.
#pragma once
#include "async/task.hpp"
#include "auth_api/background/mail/outbox_store.hpp"
#include "auth_api/background/settings.hpp"

#include <memory>
#include <optional>
#include <string>

namespace recruiting::auth_api::mailing {

struct delivery {
    enum class result {
        accepted,
        refused, // for good
        delayed,
        canceled, // not tried to the end, because the program is stopping
    };
    result what{result::delayed};
    std::string detail; // for the log and the outbox; without an address
};

class mail_transport {
public:
    virtual ~mail_transport() = default;
    [[nodiscard]] virtual task<delivery> send(mail::message what) = 0;
    /// The program is stopping: cancels mails that a server has not begun to take.
    virtual void stop() = 0;
};

/// Null when no mail server is set.
[[nodiscard]] std::unique_ptr<mail_transport> make_transport(asio::io_context& context, mail_settings const& settings);

/// The pause after so many attempts (the first is 1), lengthened or shortened by up to a fifth: chance is from 0 to 1.
/// nullopt: it was tried long enough. The pauses count, not the clock, so that a mail sent again by hand gets them all.
[[nodiscard]] std::optional<std::chrono::milliseconds> next_pause(mail_settings const& settings, std::int64_t attempts,
                                                                  double chance);

/// attempts includes this one. chance: as next_pause has it.
[[nodiscard]] attempt_outcome classify(delivery const& how, mail_settings const& settings, std::int64_t attempts,
                                       double chance);

} // namespace recruiting::auth_api::mailing
