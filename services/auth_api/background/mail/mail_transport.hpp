// How a mail leaves: to a mail server, or into a directory of .eml files. The settings decide which.
#pragma once
#include "async/task.hpp"
#include "auth_api/background/mail/settings.hpp"

#include <memory>
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

} // namespace recruiting::auth_api::mailing
