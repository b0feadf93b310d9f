#include "auth_api/background/mail/mail_transport.hpp"

#include "auth_api/background/pause.hpp"
#include "transfer/smtp_exchange.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <string_view>
#include <unistd.h>

namespace recruiting::auth_api::mailing {
namespace {

std::error_code last_error() { return {errno, std::generic_category()}; }

bool write_all(int descriptor, std::string_view content) {
    while (!content.empty()) {
        auto const written = ::write(descriptor, content.data(), content.size());
        if (written < 0 && errno != EINTR) return false;
        if (written > 0) content.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

// Writes directory/name, whole or not at all, readable by its owner only. Makes the directory.
std::error_code write_mail_file(std::string const& directory, std::string const& name, std::string const& content) {
    std::error_code error;
    std::filesystem::create_directories(directory, error);
    if (error) return error;
    auto const path = directory + "/" + name;
    auto const unfinished = directory + "/." + name + ".part";
    int const descriptor = ::open(unfinished.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, S_IRUSR | S_IWUSR);
    if (descriptor < 0) return last_error();
    bool const written = write_all(descriptor, content) && ::fsync(descriptor) == 0;
    if (!written) error = last_error();
    ::close(descriptor);
    if (!error && std::rename(unfinished.c_str(), path.c_str()) != 0) error = last_error();
    if (error) ::unlink(unfinished.c_str());
    return error;
}

using outcome_kind = transfer::smtp_outcome::kind;

class smtp_transport final : public mail_transport {
public:
    smtp_transport(asio::io_context& context, mail_settings const& settings)
        : settings_(settings), sender_(context, static_cast<std::size_t>(settings.parallel)) {}

    task<attempt_outcome> send(mail::message what) override {
        auto request = request_for(what);
        auto const outcome = co_await sender_.send(std::move(request));
        co_return outcome_of(outcome);
    }
    void stop() override { sender_.stop(transfer::smtp_stop::unsent); }

private:
    [[nodiscard]] transfer::smtp_request request_for(mail::message const& what) const {
        transfer::smtp_request out;
        out.url = settings_.server.url;
        out.user = settings_.user.empty() ? settings_.server.user : settings_.user;
        out.password = settings_.password.empty() ? settings_.server.password : settings_.password;
        out.security = security_of(settings_);
        out.ca_file = settings_.ca_file;
        out.sender = what.from.email;
        out.recipient = what.to.email;
        out.content = to_mime(what);
        out.timeout = settings_.timeout;
        out.connect_timeout = settings_.connect_timeout;
        return out;
    }

    mail_settings settings_;
    transfer::smtp_sender sender_;
};

// Mails as .eml files, for development: any mail program opens them. Named "20261124T090000Z-<the mail's id>.eml", so
// that they sort by time.
class file_transport final : public mail_transport {
public:
    explicit file_transport(std::string directory) : directory_(std::move(directory)) {}

    task<attempt_outcome> send(mail::message what) override {
        std::string name;
        auto const time = format_time(what.date);
        for (char const c : std::string_view(time).substr(0, 19))
            if (c != '-' && c != ':') name += c;
        name += "Z-" + what.message_id.substr(0, what.message_id.find('@')) + ".eml";
        auto const error = write_mail_file(directory_, name, to_mime(what));
        if (!error) co_return attempt_outcome{attempt_outcome::result::sent};
        co_return attempt_outcome{attempt_outcome::result::delayed, "the file can't be written: " + error.message()};
    }
    void stop() override {}

private:
    std::string directory_;
};

} // namespace

attempt_outcome outcome_of(transfer::smtp_outcome const& exchange) {
    using result = attempt_outcome::result;
    auto detail = describe(exchange);
    if (exchange.what == transfer::smtp_outcome::kind::accepted) return {result::sent};
    if (exchange.what == transfer::smtp_outcome::kind::refused) return {result::dead, std::move(detail)};
    // A mail that the server may have taken counts as tried: another attempt may deliver it twice.
    bool const untried = exchange.cancelled && !exchange.possibly_delivered;
    return {untried ? result::given_back : result::delayed, std::move(detail)};
}

std::unique_ptr<mail_transport> make_transport(asio::io_context& context, mail_settings const& settings) {
    switch (settings.server.what) {
    case mail_server::kind::none: return nullptr;
    case mail_server::kind::smtp: return std::make_unique<smtp_transport>(context, settings);
    case mail_server::kind::file: return std::make_unique<file_transport>(settings.server.directory);
    }
    return nullptr;
}

attempt_outcome with_pause(attempt_outcome outcome, mail_settings const& settings, attempt_history const& history,
                           double chance) {
    if (outcome.what != attempt_outcome::result::delayed) return outcome;
    if (history.lasts >= settings.give_up_after)
        return {attempt_outcome::result::dead, outcome.why + "; retries exhausted"};
    outcome.pause = growing_pause(settings.first_pause, settings.longest_pause, history.attempts, chance);
    return outcome;
}

} // namespace recruiting::auth_api::mailing
