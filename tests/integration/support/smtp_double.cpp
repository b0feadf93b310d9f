#include "integration/support/smtp_double.hpp"

#include "core/text.hpp"
#include "integration/support/loopback_server.hpp"
#include "integration/support/model_connection.hpp"
#include "mail/encodings.hpp"

#include <atomic>
#include <mutex>
#include <optional>
#include <poll.h>
#include <sys/socket.h>

namespace recruiting::test {
namespace {

using recipient_reply = std::function<std::optional<std::string>(std::string const&)>;

// One connection: lines in, lines out, under TLS from some point on.
class line_connection {
public:
    explicit line_connection(int fd) : fd_(fd) {}
    ~line_connection() { SSL_free(tls_); }
    line_connection(line_connection const&) = delete;
    line_connection& operator=(line_connection const&) = delete;

    bool start_tls(SSL_CTX* context) {
        buffer_.clear();
        tls_ = SSL_new(context);
        SSL_set_fd(tls_, fd_);
        return SSL_accept(tls_) == 1;
    }
    std::optional<std::string> read_line() {
        std::size_t end = 0;
        while ((end = buffer_.find("\r\n")) == buffer_.npos) {
            char piece[16'384];
            auto const got = tls_ == nullptr ? static_cast<int>(::recv(fd_, piece, sizeof piece, 0))
                                             : SSL_read(tls_, piece, static_cast<int>(sizeof piece));
            if (got <= 0) return std::nullopt;
            buffer_.append(piece, static_cast<std::size_t>(got));
        }
        auto line = buffer_.substr(0, end);
        buffer_.erase(0, end + 2);
        return line;
    }
    bool write(std::string text) {
        text += "\r\n";
        auto const size = static_cast<int>(text.size());
        return tls_ == nullptr ? ::send(fd_, text.data(), text.size(), MSG_NOSIGNAL) == size
                               : SSL_write(tls_, text.data(), size) == size;
    }
    void wait_until_gone(std::atomic<bool> const& stopping) const {
        constexpr int poll_milliseconds = 20;
        pollfd waiting{fd_, POLLRDHUP, 0};
        while (!stopping && (::poll(&waiting, 1, poll_milliseconds) == 0 ||
                             (waiting.revents & (POLLRDHUP | POLLHUP | POLLERR)) == 0))
            ;
    }
    [[nodiscard]] bool has_tls() const { return tls_ != nullptr; }

private:
    int fd_;
    SSL* tls_{nullptr};
    std::string buffer_;
};

} // namespace

struct smtp_double::state {
    std::unique_ptr<SSL_CTX, void (*)(SSL_CTX*)> tls{nullptr, SSL_CTX_free};
    speaks how{speaks::plain};
    std::atomic<int> hanging{0};
    mutable std::mutex mutex;
    smtp_manners manners;
    recipient_reply recipients;
    std::vector<smtp_mail_seen> mails;
    std::optional<loopback_server> server; // destroyed first: its threads use all of the above

    void serve(int fd, std::atomic<bool> const& stopping);
};

namespace {

// What one client says and hears.
class conversation {
public:
    conversation(line_connection& c, smtp_manners m, recipient_reply r, SSL_CTX* tls)
        : with_(c), manners_(std::move(m)), recipients_(std::move(r)), tls_(tls) {}

    std::function<void(smtp_mail_seen const&)> on_mail;
    std::function<void()> on_hang;

    void run() {
        if (!say("CONNECT", "220 double.example ESMTP")) return;
        while (auto const line = with_.read_line()) {
            auto const command = line->substr(0, line->find(' '));
            if (!answer(command, line->size() > command.size() ? line->substr(command.size() + 1) : "")) return;
            if (command == "QUIT") return;
        }
    }

private:
    bool say(std::string const& at, std::string usual) {
        if (auto const other = manners_.replies.find(at); other != manners_.replies.end()) usual = other->second;
        if (usual == "-") return false;
        if (!usual.empty()) return with_.write(usual);
        on_hang();
        return false;
    }
    bool answer(std::string const& command, std::string const& rest) {
        if (command == "EHLO") return say_hello(rest);
        if (command == "STARTTLS") return say(command, "220 go on") && with_.start_tls(tls_);
        if (command == "AUTH") return log_in(rest);
        if (command == "MAIL") return take_sender(rest);
        if (command == "RCPT") {
            mail_.recipient = rest;
            return say(command, (recipients_ ? recipients_(rest) : std::nullopt).value_or("250 2.1.5 ok"));
        }
        if (command == "DATA") return take_content();
        return say(command, command == "QUIT" ? "221 bye" : command == "NOOP" ? "250 nothing" : "500 5.5.1 what?");
    }
    bool say_hello(std::string const& name) {
        mail_.hello = name;
        std::string text = "250-double.example";
        if (manners_.offers_starttls && !with_.has_tls()) text += "\r\n250-STARTTLS";
        if (manners_.wants_login) text += "\r\n250-AUTH PLAIN LOGIN";
        if (manners_.offers_utf8) text += "\r\n250-SMTPUTF8";
        return say("EHLO", text + "\r\n250 8BITMIME");
    }
    bool log_in(std::string const& rest) {
        auto const words = split(rest, ' ');
        std::string token = words.size() > 1 ? std::string(words[1]) : "";
        if (token.empty()) {
            if (!with_.write("334 ")) return false;
            token = with_.read_line().value_or("");
        }
        bool const right = token == mail::to_base64(std::string_view("\0u\0p", 4));
        if (right) mail_.login = "u";
        return say("AUTH", right ? "235 2.7.0 welcome" : "535 5.7.8 no");
    }
    bool take_sender(std::string const& rest) {
        mail_.sender = rest;
        bool const barred = manners_.wants_login && mail_.login.empty();
        return say("MAIL", barred ? "530 5.7.0 log in first" : "250 2.1.0 ok");
    }
    bool take_content() {
        if (!say("DATA", "354 go on")) return false;
        if (manners_.replies.contains("DATA")) return true;
        mail_.content.clear();
        for (;;) {
            auto const line = with_.read_line();
            if (!line) return false;
            if (*line == ".") break;
            mail_.content += line->substr(line->starts_with('.') ? 1 : 0) + "\r\n";
        }
        mail_.tls = with_.has_tls();
        on_mail(mail_);
        return say("CONTENT", "250 2.0.0 taken");
    }

    line_connection& with_;
    smtp_manners manners_;
    recipient_reply recipients_;
    SSL_CTX* tls_;
    smtp_mail_seen mail_;
};

} // namespace

void smtp_double::state::serve(int fd, std::atomic<bool> const& stopping) {
    line_connection connection(fd);
    if (how != speaks::plain && !connection.start_tls(tls.get())) return;
    std::unique_lock lock(mutex);
    conversation talk(connection, manners, recipients, tls.get());
    lock.unlock();
    talk.on_mail = [this](smtp_mail_seen const& mail) {
        std::lock_guard const adding(mutex);
        mails.push_back(mail);
    };
    talk.on_hang = [&] {
        ++hanging;
        connection.wait_until_gone(stopping);
        --hanging;
    };
    talk.run();
}

smtp_double::smtp_double(std::optional<tls_files> tls, speaks how) : state_(std::make_unique<state>()) {
    auto& s = *state_;
    if (tls) s.tls.reset(make_tls_context(*tls));
    s.how = how;
    s.server.emplace([&s](int fd, auto const& stopping) { s.serve(fd, stopping); });
}

smtp_double::~smtp_double() = default;

std::string smtp_double::url() const {
    return (state_->how == speaks::tls ? "smtps://127.0.0.1:" : "smtp://127.0.0.1:") +
           std::to_string(state_->server->port());
}

void smtp_double::behave(smtp_manners manners) {
    std::lock_guard const lock(state_->mutex);
    state_->manners = std::move(manners);
}

void smtp_double::answer_recipients(recipient_reply how) {
    std::lock_guard const lock(state_->mutex);
    state_->recipients = std::move(how);
}

std::vector<smtp_mail_seen> smtp_double::mails() const {
    std::lock_guard const lock(state_->mutex);
    return state_->mails;
}

int smtp_double::connections() const { return state_->server->connections(); }
int smtp_double::hanging() const { return state_->hanging; }

} // namespace recruiting::test
