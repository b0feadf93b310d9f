// A mail server for tests, over real sockets: behaves as the test says, well or badly, and keeps what it was given.
#pragma once
#include "crypto/tls_server.hpp"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace recruiting::test {

struct smtp_manners {
    /// Replies other than the usual ones, without CRLF, by command: "RCPT" → "550 5.1.1 no such user". "CONNECT" is the
    /// greeting, "CONTENT" what a whole mail gets. "" hangs there until the client goes away, "-" closes.
    std::map<std::string, std::string> replies{};
    bool offers_starttls{false};
    bool wants_login{false}; // user "u", password "p"
    bool offers_utf8{false};
};

/// All by the book, but for the reply to one command.
[[nodiscard]] inline smtp_manners says(std::string const& command, std::string const& reply) {
    smtp_manners out;
    out.replies[command] = reply;
    return out;
}

struct smtp_mail_seen {
    std::string sender;    // what MAIL said: "FROM:<a@b>"
    std::string recipient; // "TO:<a@b>"
    std::string content;   // dots undone
    bool tls{false};
    std::string login; // "u"
    std::string hello;
};

class smtp_double {
public:
    enum class speaks { plain, tls };
    /// Listens on a port of 127.0.0.1; certificates are for STARTTLS, or for speaks::tls.
    explicit smtp_double(std::optional<tls_files> tls = std::nullopt, speaks how = speaks::plain);
    ~smtp_double();
    smtp_double(smtp_double const&) = delete;
    smtp_double& operator=(smtp_double const&) = delete;

    [[nodiscard]] std::string url() const; // "smtp://127.0.0.1:2525"
    /// From the next connection on.
    void behave(smtp_manners manners);
    /// Asked for each mail with the recipient's command; what it gives is said instead of 250. Called on threads of the
    /// double.
    void answer_recipients(std::function<std::optional<std::string>(std::string const& recipient)> how);

    [[nodiscard]] std::vector<smtp_mail_seen> mails() const; // those given whole, taken or not
    [[nodiscard]] int connections() const;                   // so far
    [[nodiscard]] int hanging() const;                       // now

private:
    struct state;
    std::unique_ptr<state> state_;
};

} // namespace recruiting::test
