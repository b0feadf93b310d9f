// How a mail leaves: to a mail server, or into a directory. One of them is made from the settings.
#pragma once
#include "async/task.hpp"
#include "auth_api/background/mail/settings.hpp"

#include <memory>

namespace recruiting::auth_api::mailing {

struct delivery {
    enum class result {
        accepted,
        refused, // for good
        delayed,
        left_off, // not tried to the end, because the program goes down
    };
    result what{result::delayed};
    std::string told; // for the log and the outbox; no address
};

class carrier {
public:
    virtual ~carrier() = default;
    [[nodiscard]] virtual task<delivery> carry(mail::message what) = 0;
    /// The program goes down: what has not begun to leave stays.
    virtual void leave_off() = 0;
};

/// Null when no mail server is set.
[[nodiscard]] std::unique_ptr<carrier> make_carrier(asio::io_context& context, mail_settings const& settings);

} // namespace recruiting::auth_api::mailing
