#include "auth_api/background/settings.hpp"

#include "core/text.hpp"
#include "core/url.hpp"
#include "mail/meeting_url.hpp"

namespace recruiting::auth_api::mailing {
namespace {

using namespace std::chrono_literals;

// "user:password@" in front of the host; false: badly encoded.
bool take_login(std::string_view& rest, mail_server& into) {
    auto const at = rest.substr(0, rest.find('/')).rfind('@');
    if (at == rest.npos) return true;
    auto const login = rest.substr(0, at);
    auto const colon = login.find(':');
    auto const user = percent_decode(login.substr(0, colon));
    auto const password = percent_decode(colon == login.npos ? std::string_view() : login.substr(colon + 1));
    if (!user || user->empty() || !password) return false;
    into.user = *user;
    into.password = *password;
    rest.remove_prefix(at + 1);
    return true;
}

std::optional<std::string> host_of(std::string_view authority) {
    auto const close = authority.starts_with('[') ? authority.find(']') : 0;
    if (close == authority.npos) return std::nullopt;
    auto const colon = authority.find(':', close);
    auto const host = authority.substr(0, colon);
    bool const bad_port =
        colon != authority.npos && parse_number<std::uint16_t>(authority.substr(colon + 1)).value_or(0) == 0;
    if (host.empty() || bad_port || host.find_first_of("?#@%") != host.npos) return std::nullopt;
    return to_lower(host);
}

std::optional<mail_server> parse_smtp(std::string_view url, std::size_t scheme) {
    mail_server out;
    out.what = mail_server::kind::smtp;
    out.tls_from_start = url.starts_with("smtps");
    auto rest = url.substr(scheme);
    if (!is_printable_ascii(rest) || rest.find_first_of(" ?#") != rest.npos || !take_login(rest, out))
        return std::nullopt;
    auto const host = host_of(rest.substr(0, rest.find('/')));
    if (!host) return std::nullopt;
    out.host = *host;
    out.url = std::string(url.substr(0, scheme)) + std::string(rest);
    return out;
}

void declare_mailbox(settings_reader& reader, std::string name, std::optional<mail::mailbox>& target,
                     std::string help) {
    reader.custom(
        std::move(name), "", std::move(help), [&target](std::string_view value) -> std::optional<std::string> {
            target.reset();
            if (value.empty()) return std::nullopt;
            target = mail::parse_mailbox(value);
            // Beyond ASCII it would need SMTPUTF8 for every mail.
            if (target && is_printable_ascii(target->email)) return std::nullopt;
            return "must be an e-mail address in ASCII, as in jobs@example.com or Example Jobs <jobs@example.com>";
        });
}

void declare_server(settings_reader& reader, mail_settings& target) {
    reader.custom(
        "RECRUITING_MAIL_URL", "",
        "The mail server: smtp://HOST:PORT, smtps://HOST:PORT, or file:DIR to write .eml files instead; a path "
        "after an SMTP server is the name it is greeted with. Empty: mails wait in the database.",
        [&target](std::string_view value) -> std::optional<std::string> {
            auto const parsed = parse_mail_server(value);
            if (!parsed) return "must be smtp://HOST:PORT, smtps://HOST:PORT or file:DIR";
            target.server = *parsed;
            return std::nullopt;
        });
    reader.last_may_be_in_file();
    reader.text("RECRUITING_MAIL_USER", target.user, "User name for the mail server; empty: no login.");
    reader.secret_file("RECRUITING_MAIL_PASSWORD_FILE", target.password, 1,
                       "File with the password of the mail server's user.");
    reader.choice(
        "RECRUITING_MAIL_TLS", target.security, {"auto", "required", "opportunistic", "off"},
        "TLS on the way to an smtp:// server, by STARTTLS; auto: required, but off on the way to this machine "
        "itself. Certificates are verified.");
    reader.certificates_file("RECRUITING_MAIL_CA_FILE", target.ca_file,
                             "CA certificates (PEM) that verify the mail server; empty: the system's.");
    reader.duration("RECRUITING_MAIL_TIMEOUT", target.timeout, 100ms, 30min, "Timeout for sending one mail.");
}

void declare_outbox(settings_reader& reader, mail_settings& target) {
    reader.duration("RECRUITING_MAIL_RETRY_FIRST", target.first_pause, 1ms, 24h,
                    "Pause before the first retry of a mail; it doubles with each retry.");
    reader.duration("RECRUITING_MAIL_RETENTION", target.retention, 1h, 3650 * 24h,
                    "Time sent and dead-lettered mails stay in the database; at least the time in "
                    "recruiting.retention_floors, a day unless the database's owner changed it.");
}

std::optional<std::string> server_problem(mail_settings const& s) {
    if (s.server.what == mail_server::kind::none) return std::nullopt;
    if (!s.from) return "RECRUITING_MAIL_FROM must be set when RECRUITING_MAIL_URL is";
    if (s.server.what != mail_server::kind::smtp) return std::nullopt;
    if (!s.user.empty() && !s.server.user.empty())
        return "RECRUITING_MAIL_USER and a user in RECRUITING_MAIL_URL exclude each other";
    bool const logs_in = !s.user.empty() || !s.server.user.empty();
    bool const safe = s.server.tls_from_start || security_of(s) == transfer::smtp_security::required ||
                      is_this_machine(s.server.host);
    if (logs_in && !safe) return "RECRUITING_MAIL_TLS must be required where a password is sent";
    return std::nullopt;
}

} // namespace

std::optional<mail_server> parse_mail_server(std::string_view url) {
    if (url.empty()) return mail_server{};
    if (url.starts_with("smtp://")) return parse_smtp(url, 7);
    if (url.starts_with("smtps://")) return parse_smtp(url, 8);
    if (!url.starts_with("file:")) return std::nullopt;
    mail_server out;
    out.what = mail_server::kind::file;
    out.directory = url.substr(url.starts_with("file:///") ? 7 : 5);
    if (out.directory.empty() || out.directory.starts_with("//")) return std::nullopt;
    return out;
}

transfer::smtp_security security_of(mail_settings const& settings) {
    using transfer::smtp_security;
    if (settings.security == "off") return smtp_security::off;
    if (settings.security == "opportunistic") return smtp_security::opportunistic;
    bool const implied_off = settings.security == "auto" && is_this_machine(settings.server.host);
    return implied_off && !settings.server.tls_from_start ? smtp_security::off : smtp_security::required;
}

void declare(settings_reader& reader, mail_settings& target) {
    reader.owns("RECRUITING_MAIL_");
    declare_server(reader, target);
    declare_mailbox(reader, "RECRUITING_MAIL_FROM", target.from,
                    "Sender address of mails, optionally with a name, such as Example Jobs <jobs@example.com>; without "
                    "one, mails carry the organization's name.");
    declare_mailbox(reader, "RECRUITING_MAIL_REPLY_TO", target.reply_to,
                    "Reply-To address of mails; empty: none, and mails state that replies are not read.");
    reader.custom("RECRUITING_PUBLIC_URL", target.public_url,
                  "Where browsers reach the gateway, as in https://jobs.example.com: links in mails, and publicUrl of "
                  "jobs. The same value as public-api's.",
                  [&target](std::string_view value) -> std::optional<std::string> {
                      if (!is_origin(value)) return "must be http:// or https:// and a host, without a path";
                      target.public_url = value;
                      return std::nullopt;
                  });
    declare_outbox(reader, target);
    reader.rule([&target] { return server_problem(target); });
}

} // namespace recruiting::auth_api::mailing

namespace recruiting::auth_api::booking {

void declare(settings_reader& reader, booking_settings& target) {
    using namespace std::chrono_literals;
    reader.owns("RECRUITING_BOOKING_");
    reader.duration("RECRUITING_BOOKING_LEASE", target.lease, 200ms, 1h,
                    "Lease of a booking request; after it another process may process the request.");
    reader.duration("RECRUITING_BOOKING_UNMATCHED_RETENTION", target.unmatched_retention, 1h, 400 * 24h,
                    "Time a booking request without a matching candidate is kept after it was last repeated.");
    reader.custom("RECRUITING_BOOKING_ROOM_URL", target.room_url,
                  "Meeting address of interviews whose slot, interviewer and organization have none: https:// with "
                  "{room}, which becomes 32 random characters; empty: none.",
                  [&target](std::string_view value) -> std::optional<std::string> {
                      if (!value.empty())
                          if (auto problem = mail::room_template_problem(value)) return problem;
                      target.room_url = value;
                      return std::nullopt;
                  });
}

} // namespace recruiting::auth_api::booking
