#include "transfer/smtp_exchange.hpp"

#include "async/task.hpp"
#include "core/text.hpp"
#include "transfer/curl_parts.hpp"
#include "transfer/engine.hpp"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>
#include <cstdint>

namespace recruiting::transfer {
namespace {

using step = smtp_outcome::step;
using kind = smtp_outcome::kind;
using clock = std::chrono::steady_clock;

constexpr std::chrono::seconds goodbye_limit{1};

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
    bool offers_utf8{false};
    bool needs_utf8{false}; // and the server does not offer it
    bool cancelled{false};
    clock::time_point goodbye_until{clock::time_point::max()};
    easy_handle easy; // goes first: it points into the others

    void prepare();
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

// Everything up to the login.
void prepare_server(CURL* easy, smtp_request const& what) {
    prepare(easy, {what.url, "smtp,smtps", what.timeout, what.connect_timeout, what.ca_file});
    curl_easy_setopt(easy, CURLOPT_PROXY, ""); // "" ignores the environment's
    auto const use = what.security == smtp_security::required        ? CURLUSESSL_ALL
                     : what.security == smtp_security::opportunistic ? CURLUSESSL_TRY
                                                                     : CURLUSESSL_NONE;
    curl_easy_setopt(easy, CURLOPT_USE_SSL, static_cast<long>(use));
    if (what.user.empty()) return;
    curl_easy_setopt(easy, CURLOPT_USERNAME, what.user.c_str());
    curl_easy_setopt(easy, CURLOPT_PASSWORD, what.password.c_str());
}

void exchange::prepare() {
    prepare_server(easy.get(), what);
    set(CURLOPT_QUICK_EXIT, 1L);
    set(CURLOPT_FORBID_REUSE, 1L);
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
}

std::size_t exchange::give(char* to, std::size_t size, std::size_t count, void* self) {
    auto& me = *static_cast<exchange*>(self);
    if (me.needs_utf8) return CURL_READFUNC_ABORT;
    auto const copied = me.what.content.copy(to, size * count, me.given);
    me.given += copied;
    me.all_given = me.given == me.what.content.size();
    return copied;
}

// "250-…" continues the reply, "250 …" ends it.
void exchange::on_reply(std::string_view line) {
    auto const code = parse_number<unsigned>(line.substr(0, 3));
    if (!code) return;
    if (*code != outcome.reply) outcome.status.clear();
    outcome.reply = *code;
    auto rest = line.substr(std::min<std::size_t>(line.size(), 4));
    if (outcome.at == step::greeting && iequals(trim(rest), "SMTPUTF8")) offers_utf8 = true;
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
        goodbye_until = clock::now() + goodbye_limit;
        return;
    }
    if (command == "EHLO" || command == "HELO") {
        outcome.at = step::greeting;
        offers_utf8 = false; // what was offered before TLS does not count
    }
    if (command == "STARTTLS") outcome.at = step::tls;
    if (command == "AUTH") outcome.at = step::login;
    if (command == "MAIL") {
        outcome.at = step::sender;
        needs_utf8 = !offers_utf8 && !is_printable_ascii(what.recipient); // RFC 6531 section 3.2
    }
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
    return cancelled || needs_utf8 || clock::now() >= goodbye_until;
}

int exchange::progress(void* self, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
    return static_cast<exchange*>(self)->must_end() ? 1 : 0;
}

// A login that is refused or missing (RFC 4954 section 6) is the operator's fault, and no reason to give a mail up for
// good.
bool is_about_login(unsigned reply) noexcept { return reply == 530 || reply == 534 || reply == 535 || reply == 538; }

smtp_outcome exchange::outcome_of(CURLcode code) {
    outcome.cancelled = cancelled;
    if (code == CURLE_OK) {
        outcome.what = kind::accepted;
        return outcome;
    }
    if (needs_utf8) return {kind::refused, step::recipient, 0, {}, "the server does not offer SMTPUTF8"};
    outcome.detail = curl_easy_strerror(code);
    if (is_tls_problem(code)) outcome.at = step::tls;
    outcome.possibly_delivered = all_given && !answered;
    bool const about_mail =
        outcome.at == step::recipient || (outcome.at == step::content && !outcome.possibly_delivered);
    bool const for_good = outcome.reply >= 500 && outcome.reply < 600 && !is_about_login(outcome.reply);
    outcome.what = about_mail && for_good ? kind::refused : kind::delayed;
    return outcome;
}

std::size_t drop(char*, std::size_t size, std::size_t count, void*) { return size * count; }

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
                      : outcome.what == kind::refused ? "rejected at "
                                                      : "deferred at ";
    if (outcome.what != kind::accepted) out += to_string(outcome.at);
    if (outcome.reply >= 400) {
        out += ": " + std::to_string(outcome.reply);
        if (!outcome.status.empty()) out += " " + outcome.status;
    } else if (*outcome.detail != '\0') {
        out += std::string(": ") + outcome.detail;
    }
    return outcome.possibly_delivered ? out + "; it may have been delivered" : out;
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

smtp_probe_result probe_smtp(smtp_request const& what) {
    auto const easy = new_easy();
    prepare_server(easy.get(), what);
    curl_easy_setopt(easy.get(), CURLOPT_CUSTOMREQUEST, "NOOP"); // after greeting, TLS and login
    curl_easy_setopt(easy.get(), CURLOPT_WRITEFUNCTION, &drop);
    curl_easy_setopt(easy.get(), CURLOPT_HEADERFUNCTION, &drop);
    auto const code = curl_easy_perform(easy.get());
    if (code == CURLE_OK) return {true, {}};
    long reply = 0;
    curl_easy_getinfo(easy.get(), CURLINFO_RESPONSE_CODE, &reply);
    std::string why = curl_easy_strerror(code);
    if (reply >= 400) why += " (" + std::to_string(reply) + ")";
    return {false, why};
}

struct smtp_sender::state {
    state(asio::io_context& context, std::size_t threads) : executor(context.get_executor()), pool(threads) {}
    io_executor executor;
    std::atomic<smtp_stop> stop{smtp_stop::none};
    asio::thread_pool pool; // destroyed first: its threads use the rest
};

smtp_sender::smtp_sender(asio::io_context& context, std::size_t threads)
    : state_(std::make_unique<state>(context, threads)) {}

smtp_sender::~smtp_sender() {
    stop(smtp_stop::all);
    state_->pool.join();
}

task<smtp_outcome> smtp_sender::send(smtp_request what) {
    auto enqueue = [self = state_.get(), asked = std::move(what)](completion<smtp_outcome> done) mutable {
        asio::post(self->pool, [self, request = std::move(asked), end = std::move(done)]() mutable {
            try {
                end.succeed(send_by_smtp(request, self->stop));
            } catch (std::exception const&) {
                end.fail(std::current_exception());
            }
        });
    };
    auto const outcome = co_await suspend<smtp_outcome>(state_->executor, std::move(enqueue));
    co_return outcome;
}

void smtp_sender::stop(smtp_stop which) { state_->stop = which; }

} // namespace recruiting::transfer
