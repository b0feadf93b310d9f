#include "auth_api/background/mail/carrier.hpp"

#include "auth_api/background/mail/mail_file.hpp"
#include "transfer/smtp_sender.hpp"

namespace recruiting::auth_api::mailing {
namespace {

using outcome_kind = transfer::smtp_outcome::kind;

class smtp_carrier final : public carrier {
public:
    smtp_carrier(asio::io_context& context, mail_settings const& settings)
        : settings_(settings), sender_(context, static_cast<std::size_t>(settings.parallel)) {}

    task<delivery> carry(mail::message what) override {
        auto request = request_for(what);
        auto const outcome = co_await sender_.send(std::move(request));
        co_return read(outcome);
    }
    void leave_off() override { sender_.stop(transfer::smtp_stop::unsent); }

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
    static delivery read(transfer::smtp_outcome const& outcome) {
        auto told = describe(outcome);
        if (outcome.what == outcome_kind::accepted) return {delivery::result::accepted, std::move(told)};
        if (outcome.what == outcome_kind::refused) return {delivery::result::refused, std::move(told)};
        // What may be there counts as tried: another attempt may bring it twice.
        bool const untried = outcome.cancelled && !outcome.may_be_there;
        return {untried ? delivery::result::left_off : delivery::result::delayed, std::move(told)};
    }

    mail_settings settings_;
    transfer::smtp_sender sender_;
};

// "20261124T090000Z-<the mail's id>.eml": they sort by time.
class file_carrier final : public carrier {
public:
    explicit file_carrier(std::string directory) : directory_(std::move(directory)) {}

    task<delivery> carry(mail::message what) override {
        std::string name;
        auto const time = format_time(what.date);
        for (char const c : std::string_view(time).substr(0, 19))
            if (c != '-' && c != ':') name += c;
        name += "Z-" + what.message_id.substr(0, what.message_id.find('@')) + ".eml";
        auto const error = write_mail_file(directory_, name, to_mime(what));
        if (!error) co_return delivery{delivery::result::accepted, "written"};
        co_return delivery{delivery::result::delayed, "the file can't be written: " + error.message()};
    }
    void leave_off() override {}

private:
    std::string directory_;
};

} // namespace

std::unique_ptr<carrier> make_carrier(asio::io_context& context, mail_settings const& settings) {
    switch (settings.server.what) {
    case mail_server::kind::none: return nullptr;
    case mail_server::kind::smtp: return std::make_unique<smtp_carrier>(context, settings);
    case mail_server::kind::file: return std::make_unique<file_carrier>(settings.server.directory);
    }
    return nullptr;
}

} // namespace recruiting::auth_api::mailing
