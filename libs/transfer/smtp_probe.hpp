// Asks a mail server whether it would take mails of ours: connects, greets, TLS, logs in, and leaves without a mail.
#pragma once
#include "transfer/smtp_exchange.hpp"

namespace recruiting::transfer {

struct smtp_probe_result {
    bool good{false};
    std::string why; // curl's words and the last reply's code; nothing of the server's own words
};

/// sender, recipient and content are not looked at. Blocks for what.timeout at most.
[[nodiscard]] smtp_probe_result probe_smtp(smtp_request const& what);

} // namespace recruiting::transfer
