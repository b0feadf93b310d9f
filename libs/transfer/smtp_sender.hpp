// A few threads that send mails, for coroutines of one io_context.
#pragma once
#include "async/task.hpp"
#include "transfer/smtp_exchange.hpp"

#include <memory>

namespace recruiting::transfer {

class smtp_sender {
public:
    smtp_sender(asio::io_context& context, std::size_t threads);
    /// Drops what is under way and waits for the threads: a second or so. Its coroutines are resumed if the io_context
    /// still runs.
    ~smtp_sender();
    smtp_sender(smtp_sender const&) = delete;
    smtp_sender& operator=(smtp_sender const&) = delete;

    /// Waits for a thread when all are at work.
    [[nodiscard]] task<smtp_outcome> send(smtp_request what);
    void stop(smtp_stop which);

private:
    struct state;
    std::unique_ptr<state> state_;
};

// Asks a mail server whether it would take mails of ours: connects, greets, TLS, logs in, and leaves without a mail.
struct smtp_probe_result {
    bool good{false};
    std::string why; // curl's words and the last reply's code; nothing of the server's own words
};

/// sender, recipient and content are not looked at. Blocks for what.timeout at most.
[[nodiscard]] smtp_probe_result probe_smtp(smtp_request const& what);

} // namespace recruiting::transfer
