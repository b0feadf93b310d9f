// The settings of mails (proto-docs/mail.md), of the booking worker (proto-docs/booking.md) and of webhooks
// (proto-docs/webhooks.md), part of auth-api's settings.
#pragma once
#include "core/settings.hpp"
#include "directory/receivers.hpp"
#include "mail/message.hpp"
#include "transfer/smtp_exchange.hpp"

#include <chrono>
#include <cstdint>
#include <string>

namespace recruiting::auth_api::mailing {

/// Where mails go, read from RECRUITING_MAIL_URL.
struct mail_server {
    enum class kind { none, smtp, file };
    kind what{kind::none};
    std::string url;  // of smtp, without user and password
    std::string host; // of smtp
    std::string user; // what the URL says, decoded
    std::string password;
    std::string directory; // of file
    bool tls_from_start{false};
};
/// nullopt: not one.
[[nodiscard]] std::optional<mail_server> parse_mail_server(std::string_view url);

struct mail_settings {
    mail_server server;
    std::string user;
    std::string password;
    std::string security{"auto"};
    std::string ca_file; // PEM; empty: the system's
    std::optional<mail::mailbox> from;
    std::optional<mail::mailbox> reply_to;
    std::string public_url{"http://127.0.0.1:8080"}; // without a slash at its end
    std::chrono::milliseconds timeout{60'000};
    std::chrono::milliseconds first_pause{std::chrono::minutes{1}};
    std::chrono::milliseconds retention{std::chrono::hours{30 * 24}};
    bool has_console{false};  // mails to interviewers link its pages
    bool links_sign_in{true}; // otherwise members sign in with OpenID Connect only

    // No settings.
    std::int64_t parallel{4}; // some ten mails a second, and a relay accepts as many connections
    std::chrono::milliseconds connect_timeout{10'000};
    std::chrono::milliseconds interval{1'000};                            // no recipient notices a second
    std::chrono::milliseconds give_up_after{std::chrono::hours{72}};      // a relay that is down over a weekend
    std::chrono::milliseconds link_lifetime{std::chrono::hours{30 * 24}}; // as far ahead as slots are booked
    std::int64_t per_recipient{12}; // mails a UTC day: several bookings with changes, and no use for a flood
    // Links that sign in to the console last as long as a mail may be on its way; invitations, a week of absence.
    std::chrono::milliseconds sign_in_lifetime{std::chrono::minutes{15}};
    std::chrono::milliseconds invitation_lifetime{std::chrono::hours{7 * 24}};
    // settings::complete derives the next two from timeout and first_pause.
    std::chrono::milliseconds lease{std::chrono::minutes{5}};
    std::chrono::milliseconds longest_pause{std::chrono::hours{1}};
};

void declare(settings_reader& reader, mail_settings& target);
/// "auto" resolved: TLS is required, except on the way to this machine itself.
[[nodiscard]] transfer::smtp_security security_of(mail_settings const& settings);

} // namespace recruiting::auth_api::mailing

namespace recruiting::auth_api::booking {

struct booking_settings {
    std::chrono::milliseconds lease{10'000};
    std::chrono::milliseconds unmatched_retention{std::chrono::hours{30 * 24}};
    std::string room_url; // a template with {room}, or empty

    // No settings.
    std::chrono::milliseconds interval{1'000}; // a fixed pace, whatever waits: nothing about a request shows in it
    std::int64_t batch{100};                   // processed well within the lease
    std::int64_t attempts{20};                 // then a request is set aside: it fails by itself
    std::chrono::milliseconds repeat_window{std::chrono::minutes{10}}; // someone who presses the button again
    std::int64_t most_unmatched{1'000}; // of an organization, the newest: more than anyone reads
};

void declare(settings_reader& reader, booking_settings& target);

} // namespace recruiting::auth_api::booking

namespace recruiting::auth_api::webhooks {

struct webhook_settings {
    directory::receiver_rules receivers;
    std::string ca_file; // PEM; empty: the system's
    std::chrono::milliseconds window{2'000};
    std::chrono::milliseconds first_pause{5'000};
};

void declare(settings_reader& reader, webhook_settings& target);

} // namespace recruiting::auth_api::webhooks
