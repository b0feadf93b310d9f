#include "integration/auth_api/background/mail_harness.hpp"

#include "core/text.hpp"
#include "support/catch.hpp"

namespace recruiting::test {
namespace {

using namespace std::chrono_literals;

std::string unfolded(std::string text) {
    for (auto at = text.find("\r\n "); at != text.npos; at = text.find("\r\n ", at)) text.erase(at, 3);
    return text;
}

std::string from_quoted_printable(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '=') {
            if (text[i] != '\r') out += text[i];
        } else {
            if (text[i + 1] != '\r') out += from_hex(to_lower(text.substr(i + 1, 2))).value();
            i += 2;
        }
    }
    return out;
}

std::string from_base64(std::string_view text) {
    std::string url;
    for (char const c : text)
        if (c != '\r' && c != '\n' && c != '=') url += c == '+' ? '-' : c == '/' ? '_' : c;
    return from_base64url(url).value();
}

// The content of the first part of this type.
std::string part_of(std::string_view mime, std::string const& type) {
    auto const at = mime.find("Content-Type: " + type);
    if (at == mime.npos) return "";
    auto const begin = mime.find("\r\n\r\n", at) + 4;
    return std::string(mime.substr(begin, mime.find("\r\n--=_", begin) - begin));
}

} // namespace

running_mailer::running_mailer(event_loop& loop, std::string const& url, mailing::mail_settings settings)
    : connection(loop.context, loop.clock, workers_connection(url)) {
    worker.emplace(loop.context, connection, std::move(settings), metrics);
}

std::string read_mail::field(std::string const& name) const {
    auto const at = head.find("\r\n" + name + ": ");
    if (at == head.npos) return "";
    auto const begin = at + name.size() + 4;
    return head.substr(begin, head.find("\r\n", begin) - begin);
}

namespace {

// The token of the first link to an interview's page that ends with this.
std::string token_before(std::string const& text, std::string_view ending) {
    constexpr std::size_t size = 43;
    for (auto at = text.find("/interviews/"); at != text.npos; at = text.find("/interviews/", at + 1)) {
        auto const token = text.substr(at + 12, text.find('\n', at) - at - 12);
        if (token.substr(std::min(size, token.size())) == ending) return token.substr(0, size);
    }
    return "";
}

} // namespace

std::string read_mail::token() const { return token_before(text, ""); }
std::string read_mail::join_token() const { return token_before(text, "/join"); }

read_mail parse_mail(std::string const& mime) {
    read_mail out;
    out.head = "\r\n" + unfolded(mime.substr(0, mime.find("\r\n\r\n") + 2));
    out.text = from_quoted_printable(part_of(mime, "text/plain"));
    if (auto const calendar = part_of(mime, "text/calendar"); !calendar.empty())
        out.calendar = unfolded(from_base64(calendar));
    return out;
}

mail_system::mail_system() : interviewer(booking.add_interviewer()) {
    interviewer_email = "interviewer1@" + booking.slug + ".example";
    settings.server = *mailing::parse_mail_server(server.url());
    settings.from = mail::parse_mailbox("jobs@example.com");
    settings.public_url = "https://jobs.example.com";
    settings.interval = 20ms;
    settings.timeout = 20s;
    settings.lease = 60s;
    settings.first_pause = 1ms;
    settings.longest_pause = 20ms;
}

void mail_system::book(std::string const& email, int in_hours, std::string const& join_url) {
    booking.open_slot(interviewer, in_hours, join_url);
    booking.add_candidate(email);
    booking.ask(email, in_hours, "Europe/Berlin");
    booking.work();
}

void mail_system::cancel(std::string const& email) {
    booking.change("UPDATE recruiting.bookings SET status = 'canceled' WHERE candidate_id = "
                   "(SELECT id FROM recruiting.candidates WHERE email = '" +
                   email + "')");
}

void mail_system::send_until(std::function<bool()> const& condition, int mailers) {
    event_loop loop;
    std::list<running_mailer> running;
    for (int i = 0; i < mailers; ++i) running.emplace_back(loop, booking.database.auth_url(), settings);
    loop.run_until(condition);
    for (auto& one : running) one.worker->stop();
    loop.run_until([&] {
        return std::all_of(running.begin(), running.end(), [](auto const& one) { return one.worker->idle(); });
    });
}

void mail_system::send(int mailers) {
    send_until([this] { return with_status("waiting") == "0"; }, mailers);
}

std::string mail_system::with_status(std::string const& status) {
    return value("SELECT count(*) FROM recruiting.mail_outbox WHERE status = '" + status + "'");
}

std::vector<read_mail> mail_system::mails_to(std::string const& email) const {
    std::vector<read_mail> out;
    for (auto const& mail : server.mails())
        if (mail.recipient == "TO:<" + email + ">") out.push_back(parse_mail(mail.content));
    return out;
}

} // namespace recruiting::test
