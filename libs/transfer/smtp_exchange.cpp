#include "transfer/smtp_exchange.hpp"

#include "core/text.hpp"
#include "transfer/curl_parts.hpp"
#include "transfer/engine.hpp"

#include <algorithm>
#include <cstdint>

namespace recruiting::transfer {
namespace {

using step = smtp_outcome::step;
using kind = smtp_outcome::kind;
using clock = std::chrono::steady_clock;

constexpr std::chrono::seconds goodbye_patience{1};

struct exchange {
    exchange(smtp_request const& asked, std::atomic<smtp_stop> const& which)
        : what(asked), stop(which), easy(new_easy()) {}

    smtp_request const& what;
    std::atomic<smtp_stop> const& stop;
    list_ptr recipients{};
    std::size_t given{0}; // of the content
    bool all_given{false};
    smtp_outcome outcome{};
    bool answered{false}; // after all was given
    bool cancelled{false};
    clock::time_point goodbye_until{clock::time_point::max()};
    easy_handle easy; // goes first: it points into the others

    void prepare();
    void prepare_login();
    [[nodiscard]] bool must_end();
    void on_command(std::string_view line);
    void on_reply(std::string_view line);
    [[nodiscard]] smtp_outcome outcome_of(CURLcode code);
    template <class T>
    void set(CURLoption option, T value) {
        curl_easy_setopt(easy.get(), option, value);
    }
    static std::size_t give(char* to, std::size_t size, std::size_t count, void* self);
    static std::size_t take_reply(char const* from, std::size_t size, std::size_t count, void* self);
    static int progress(void* self, curl_off_t, curl_off_t, curl_off_t, curl_off_t);
    static int trace(CURL*, curl_infotype type, char* data, std::size_t size, void* self);
};

long milliseconds_of(std::chrono::milliseconds limit) {
    return static_cast<long>(std::max<std::int64_t>(limit.count(), 1)); // 0 would mean none
}

void exchange::prepare() {
    set(CURLOPT_URL, what.url.c_str());
    set(CURLOPT_PROTOCOLS_STR, "smtp,smtps");
    set(CURLOPT_NOSIGNAL, 1L);
    set(CURLOPT_QUICK_EXIT, 1L);
    set(CURLOPT_FORBID_REUSE, 1L);
    set(CURLOPT_PROXY, ""); // "" ignores the environment's
    set(CURLOPT_TIMEOUT_MS, milliseconds_of(what.timeout));
    set(CURLOPT_CONNECTTIMEOUT_MS, milliseconds_of(what.connect_timeout));
    set(CURLOPT_MAIL_FROM, what.sender.c_str());
    append(recipients, what.recipient);
    set(CURLOPT_MAIL_RCPT, recipients.get());
    set(CURLOPT_UPLOAD, 1L);
    set(CURLOPT_INFILESIZE_LARGE, static_cast<curl_off_t>(what.content.size()));
    set(CURLOPT_READFUNCTION, &give);
    set(CURLOPT_READDATA, this);
    set(CURLOPT_HEADERFUNCTION, &take_reply);
    set(CURLOPT_HEADERDATA, this);
    set(CURLOPT_NOPROGRESS, 0L);
    set(CURLOPT_XFERINFOFUNCTION, &progress);
    set(CURLOPT_XFERINFODATA, this);
    // Only so are the commands seen that curl sends; nothing of it is written anywhere.
    set(CURLOPT_VERBOSE, 1L);
    set(CURLOPT_DEBUGFUNCTION, &trace);
    set(CURLOPT_DEBUGDATA, this);
    prepare_login();
}

void exchange::prepare_login() {
    prepare_security(easy.get(), what.ca_file);
    auto const use = what.security == smtp_security::required        ? CURLUSESSL_ALL
                     : what.security == smtp_security::opportunistic ? CURLUSESSL_TRY
                                                                     : CURLUSESSL_NONE;
    set(CURLOPT_USE_SSL, static_cast<long>(use));
    if (what.user.empty()) return;
    set(CURLOPT_USERNAME, what.user.c_str());
    set(CURLOPT_PASSWORD, what.password.c_str());
}

std::size_t exchange::give(char* to, std::size_t size, std::size_t count, void* self) {
    auto& me = *static_cast<exchange*>(self);
    auto const copied = me.what.content.copy(to, size * count, me.given);
    me.given += copied;
    me.all_given = me.given == me.what.content.size();
    return copied;
}

// "250-…" goes on, "250 …" ends the reply.
void exchange::on_reply(std::string_view line) {
    auto const code = parse_number<unsigned>(line.substr(0, 3));
    if (!code) return;
    if (*code != outcome.reply) outcome.status.clear();
    outcome.reply = *code;
    auto rest = line.substr(std::min<std::size_t>(line.size(), 4));
    auto const status = trim(rest.substr(0, rest.find(' ')));
    auto const dots = std::count(status.begin(), status.end(), '.');
    bool const digits = status.find_first_not_of("0123456789.") == status.npos;
    if (dots == 2 && digits && status.size() <= 9 && status.front() == line.front()) outcome.status = status;
    bool const last = line.size() < 4 || line[3] != '-';
    if (all_given && last && outcome.at == step::content && *code != 354) answered = true;
}

void exchange::on_command(std::string_view line) {
    auto const command = trim(line.substr(0, line.find(' ')));
    if (command == "QUIT") {
        goodbye_until = clock::now() + goodbye_patience;
        return;
    }
    if (command == "EHLO" || command == "HELO") outcome.at = step::greeting;
    if (command == "STARTTLS") outcome.at = step::tls;
    if (command == "AUTH") outcome.at = step::login;
    if (command == "MAIL") outcome.at = step::sender;
    if (command == "RCPT") outcome.at = step::recipient;
    if (command == "DATA") outcome.at = step::content;
}

std::size_t exchange::take_reply(char const* from, std::size_t size, std::size_t count, void* self) {
    auto& me = *static_cast<exchange*>(self);
    if (me.goodbye_until == clock::time_point::max()) me.on_reply({from, size * count});
    return size * count;
}

int exchange::trace(CURL*, curl_infotype type, char* data, std::size_t size, void* self) {
    if (type == CURLINFO_HEADER_OUT) static_cast<exchange*>(self)->on_command({data, size});
    return 0;
}

bool exchange::must_end() {
    auto const which = stop.load(std::memory_order_relaxed);
    bool const unsent = which == smtp_stop::unsent && given == 0;
    cancelled = cancelled || (!answered && (which == smtp_stop::all || unsent));
    return cancelled || clock::now() >= goodbye_until;
}

int exchange::progress(void* self, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
    return static_cast<exchange*>(self)->must_end() ? 1 : 0;
}

// Whose fault a login is that is refused or missing (RFC 4954 section 6): the operator's, and no reason to give a mail
// up for good.
bool is_about_login(unsigned reply) noexcept { return reply == 530 || reply == 534 || reply == 535 || reply == 538; }

smtp_outcome exchange::outcome_of(CURLcode code) {
    outcome.cancelled = cancelled;
    if (code == CURLE_OK) {
        outcome.what = kind::accepted;
        return outcome;
    }
    outcome.detail = curl_easy_strerror(code);
    if (is_tls_problem(code)) outcome.at = step::tls;
    outcome.may_be_there = all_given && !answered;
    bool const about_mail = outcome.at == step::recipient || (outcome.at == step::content && !outcome.may_be_there);
    bool const for_good = outcome.reply >= 500 && outcome.reply < 600 && !is_about_login(outcome.reply);
    outcome.what = about_mail && for_good ? kind::refused : kind::delayed;
    return outcome;
}

bool can_stand_in_a_command(std::string_view address) {
    auto const is_odd = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; };
    return !address.empty() && std::none_of(address.begin(), address.end(), is_odd);
}

} // namespace

char const* to_string(smtp_outcome::step at) noexcept {
    switch (at) {
    case step::connect: return "connect";
    case step::greeting: return "greeting";
    case step::tls: return "TLS";
    case step::login: return "login";
    case step::sender: return "sender";
    case step::recipient: return "recipient";
    case step::content: return "content";
    }
    return "";
}

std::string describe(smtp_outcome const& outcome) {
    std::string out = outcome.what == kind::accepted  ? "accepted"
                      : outcome.what == kind::refused ? "refused at "
                                                      : "delayed at ";
    if (outcome.what != kind::accepted) out += to_string(outcome.at);
    if (outcome.reply >= 400) {
        out += ": " + std::to_string(outcome.reply);
        if (!outcome.status.empty()) out += " " + outcome.status;
    } else if (*outcome.detail != '\0') {
        out += std::string(": ") + outcome.detail;
    }
    return outcome.may_be_there ? out + "; it may have been delivered" : out;
}

smtp_outcome send_by_smtp(smtp_request const& what, std::atomic<smtp_stop> const& stop) {
    exchange one(what, stop);
    if (!can_stand_in_a_command(what.sender) || !can_stand_in_a_command(what.recipient)) {
        one.outcome.what = kind::refused;
        one.outcome.at = step::recipient;
        one.outcome.detail = "not an address";
        return one.outcome;
    }
    one.prepare();
    return one.outcome_of(curl_easy_perform(one.easy.get()));
}

} // namespace recruiting::transfer
