// Shared by the tests of the outbox: bookings that write mails, a mail server, mailers as auth-api has them.
#pragma once
#include "auth_api/background/mail/mailer.hpp"
#include "integration/auth_api/background/booking_harness.hpp"
#include "integration/support/smtp_double.hpp"

#include <optional>

namespace recruiting::test {

namespace mailing = auth_api::mailing;

struct running_mailer {
    running_mailer(event_loop& loop, std::string const& url, mailing::mail_settings settings);

    metrics::registry metrics;
    pg::pipeline connection;
    std::optional<mailing::mailer> worker;
};

inline std::string const ann = "ann@mail.example"; // a candidate

/// A mail as people read it.
struct read_mail {
    std::string head;     // unfolded
    std::string text;     // the plain part
    std::string calendar; // unfolded; empty: none
    [[nodiscard]] std::string field(std::string const& name) const;
    /// Of the link that manages the interview; empty: none.
    [[nodiscard]] std::string token() const;
    /// Of the link that joins it; empty: none.
    [[nodiscard]] std::string join_token() const;
};
[[nodiscard]] read_mail parse_mail(std::string const& mime);

class mail_system {
public:
    mail_system();

    /// A candidate's interview in so many hours; the mails about it wait.
    void book(std::string const& email, int in_hours = 48, std::string const& join_url = {});
    void cancel(std::string const& email);
    /// Runs a mailer, or more at once, until the condition holds.
    void send_until(std::function<bool()> const& condition, int mailers = 1);
    /// … until no mail is waiting.
    void send(int mailers = 1);

    [[nodiscard]] std::string value(std::string const& sql) { return booking.value(sql); }
    [[nodiscard]] std::string with_status(std::string const& status);
    /// The mails the server was given, for this address, in their order.
    [[nodiscard]] std::vector<read_mail> mails_to(std::string const& email) const;

    booking_system booking;
    smtp_double server;
    mailing::mail_settings settings;
    uuid interviewer;
    std::string interviewer_email;
};

} // namespace recruiting::test
