// One mail handed to a mail server (RFC 5321) by curl. Certificates are verified, the environment's proxies are
// ignored, no other protocol is supported. It blocks, since curl does: whichever interface is used, it waits for the
// answer to a whole mail, and to its goodbye, without giving the thread back. smtp_sender has the threads for it.
#pragma once
#include "async/task.hpp"

#include <atomic>
#include <chrono>
#include <memory>
#include <string>

namespace recruiting::transfer {

enum class smtp_security {
    required,      // TLS from the start (smtps) or by STARTTLS, or nothing is sent
    opportunistic, // STARTTLS where it is offered, and then with a valid certificate
    off,
};

struct smtp_request {
    std::string url; // "smtp://host:587" or "smtps://host"; a path is the name we greet with
    std::string user;
    std::string password;
    smtp_security security{smtp_security::required};
    std::string ca_file;   // PEM; empty: the system's
    std::string sender;    // "a@b": where refusals go
    std::string recipient; // one; beyond ASCII, it is refused where the server does not offer SMTPUTF8 (RFC 6531)
    std::string content;   // a whole mail, lines ending with CRLF
    std::chrono::milliseconds timeout{60'000};
    std::chrono::milliseconds connect_timeout{10'000};
};

struct smtp_outcome {
    enum class kind {
        accepted, // the server answers for it now
        refused,  // for good: this mail to this recipient
        delayed,  // no connection, no login, a server in trouble: another time
    };
    /// How far it came; the word for logs.
    enum class step { connect, greeting, tls, login, sender, recipient, content };
    kind what{kind::delayed};
    step at{step::connect};
    unsigned reply{0};              // the last reply's code
    std::string status;             // its enhanced code (RFC 3463) where it has one: "5.1.1"
    char const* detail{""};         // curl's words for what went wrong; fixed ones
    bool possibly_delivered{false}; // all was sent and no answer came: the server may have taken it
    bool cancelled{false};
};
[[nodiscard]] char const* to_string(smtp_outcome::step at) noexcept;
/// "rejected at recipient: 550 5.1.1": nothing of the server's own words, which may name the recipient.
[[nodiscard]] std::string describe(smtp_outcome const& outcome);

/// Which mails a program that goes down gives up.
enum class smtp_stop {
    none,
    unsent, // those whose content the server has not begun to take
    all,
};

/// Blocks. What a network, a server or an address can cause is an outcome; throws std::bad_alloc alone. stop is
/// checked every second at least.
[[nodiscard]] smtp_outcome send_by_smtp(smtp_request const& what, std::atomic<smtp_stop> const& stop);

struct smtp_probe_result {
    bool good{false};
    std::string why; // curl's words and the last reply's code; nothing of the server's own words
};

/// Asks a mail server whether it would take our mails: connects, greets, TLS, logs in, and leaves without a mail. Does
/// not use sender, recipient and content. Blocks for what.timeout at most.
[[nodiscard]] smtp_probe_result probe_smtp(smtp_request const& what);

/// A few threads that send mails, for coroutines of one io_context.
class smtp_sender {
public:
    smtp_sender(asio::io_context& context, std::size_t threads);
    /// Drops what is in progress and waits for the threads: a second or so. Its coroutines are resumed if the
    /// io_context still runs.
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

} // namespace recruiting::transfer
