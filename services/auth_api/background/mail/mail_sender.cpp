#include "auth_api/background/mail/mailer.hpp"

#include "auth/session.hpp"
#include "core/log.hpp"
#include "core/text.hpp"
#include "crypto/digest.hpp"
#include "mail/address.hpp"
#include "pg/periodic_task.hpp"

#include <utility>

namespace recruiting::auth_api::mailing {
namespace {

constexpr std::size_t token_bytes = 32;
constexpr std::chrono::milliseconds retry_interval{200}; // until PostgreSQL has taken an outcome

// Both times are PostgreSQL's, so that no other clock counts.
attempt_history history_of(auto const& mail) {
    return {mail.attempts, std::chrono::floor<std::chrono::milliseconds>(mail.now - mail.first_attempt_at)};
}

// A mail without an address is not sent, and counts for no other.
std::string recipient_of(outbox_mail const& mail) {
    return mail.candidate_email_key.empty() ? to_string(mail.id) : mail::counted_mailbox(mail.candidate_email_key);
}

} // namespace

mail_sender::mail_sender(asio::io_context& context, pg::pipeline& connection, mail_settings settings,
                         metrics::registry& metrics, tracing::tracer const* tracer)
    : connection_(connection), settings_(std::move(settings)), tracer_(tracer),
      transport_(make_transport(context, settings_)), counts_(metrics) {}

void mail_sender::stop() {
    stopped_ = true;
    if (transport_) transport_->stop();
}

void mail_sender::close() {
    closed_ = true;
    transport_.reset();
}

// Once closed, connection and metrics may be gone: nothing continues after the answer.
task<std::vector<pg::rows>> mail_sender::run(std::vector<pg::statement> segment, pg::traced how) {
    auto answer = co_await pg::run(connection_, std::move(segment), how);
    if (closed_) throw outage("closed");
    co_return answer;
}

task<bool> mail_sender::send_next() {
    auto const fence = random_id();
    auto const leased_at = coarse_clock::now();
    auto leasing = lease_mail(fence, settings_.lease);
    auto const answer = co_await run(std::move(leasing));
    auto const leased = read_lease(answer, fence);
    if (!leased) co_return false;
    if (leased->is_to_member) co_await send_to_member(*leased, leased_at);
    else co_await send(*leased, leased_at);
    co_return true;
}

// An attempt that begins must end before its lease does.
bool mail_sender::has_time(coarse_clock::time_point leased_at) const {
    return coarse_clock::now() + settings_.timeout * 5 / 4 < leased_at + settings_.lease;
}

task<void> mail_sender::send(lease of, coarse_clock::time_point leased_at) {
    link_tokens const tokens{to_base64url(random_bytes(token_bytes)), to_base64url(random_bytes(token_bytes))};
    link_hashes const links{sha256(tokens.manage), sha256(join_token_of(tokens.manage)), sha256(tokens.decline)};
    auto opening = open_mail(of);
    auto span = tracing::root_span(tracer_, tracing::span_kind::consumer, "send mail");
    auto const trace = span.or_parent({});
    pg::traced const how_opened{trace, "open mail"};
    auto const answer = co_await run(std::move(opening), how_opened);
    auto const mail = read_opened(answer);
    if (!mail) co_return;
    mail_facts const facts{mail->id, to_string(mail->about), to_string(mail->to), history_of(*mail)};
    auto counting = count_mail(of, recipient_of(*mail), settings_.per_recipient, links, settings_.link_lifetime);
    pg::traced const how_counted{trace, "count mail"};
    auto const counted = co_await run(std::move(counting), how_counted);
    auto const opened = read_counted(*mail, counted);
    auto composed = compose(opened, settings_, tokens);
    attempt_outcome what{attempt_outcome::result::held_back};
    if (!opened.is_beyond_limit || std::holds_alternative<unsendable>(composed)) {
        auto made = co_await attempt(std::move(composed), facts, leased_at, trace);
        what = std::move(made);
    }
    if (closed_) co_return;
    co_await conclude(of, facts, std::move(what), span);
}

task<void> mail_sender::send_to_member(lease of, coarse_clock::time_point leased_at) {
    auto const token = auth::new_session_secret();
    member_link const link{auth::hash_sign_in_token(token), settings_.sign_in_lifetime, settings_.invitation_lifetime};
    auto opening = open_member_mail(of, link);
    auto span = tracing::root_span(tracer_, tracing::span_kind::consumer, "send mail");
    auto const trace = span.or_parent({});
    pg::traced const how_opened{trace, "open mail"};
    auto const answer = co_await run(std::move(opening), how_opened);
    auto const mail = read_member_mail(answer);
    if (!mail) co_return;
    mail_facts const facts{mail->id, to_string(mail->about), "member", history_of(*mail)};
    auto composed = compose_member_mail(*mail, settings_, token);
    auto what = co_await attempt(std::move(composed), facts, leased_at, trace);
    if (closed_) co_return;
    co_await conclude(of, facts, std::move(what), span);
}

task<attempt_outcome> mail_sender::attempt(std::variant<unsendable, mail::message> composed, mail_facts of,
                                           coarse_clock::time_point leased_at, tracing::parent under) {
    using result = attempt_outcome::result;
    if (auto const* const hopeless = std::get_if<unsendable>(&composed))
        co_return attempt_outcome{result::dead, hopeless->why, {}};
    if (stopped_ || !has_time(leased_at)) co_return attempt_outcome{result::given_back};
    auto message = std::get<mail::message>(std::move(composed));
    tracing::span sending(under, tracing::span_kind::client, "hand mail over");
    auto sent = co_await transport_->send(std::move(message));
    sending.end();
    if (closed_) co_return attempt_outcome{result::given_back};
    auto const chance = std::uniform_real_distribution<double>{0, 1}(random_);
    co_return with_pause(std::move(sent), settings_, of.history, chance);
}

task<void> mail_sender::conclude(lease of, mail_facts mail, attempt_outcome what, tracing::span& span) {
    span.set("recruiting.mail.kind", mail.about);
    span.set("recruiting.mail.audience", mail.to);
    using result = attempt_outcome::result;
    if (what.what == result::dead) span.fail("dead");
    if (what.what == result::delayed) span.fail("delayed");
    auto const trace = span.or_parent({});
    pg::traced const how{trace, "note outcome"};
    auto const id = to_string(mail.id);
    log::field const which{"mailId", id};
    log::field const about{"kind", mail.about};
    log::field const to{"audience", mail.to};
    log::field const attempt{"attempt", mail.history.attempts};
    switch (what.what) {
    case result::sent:
        counts_.sent.add();
        log::info("mail_sent", {which, about, to, attempt});
        break;
    case result::dead:
        counts_.dead.add();
        log::warning("mail_dead", {which, about, to, attempt, {"why", what.why}});
        break;
    case result::delayed:
        counts_.delayed.add();
        log::warning("mail_delayed", {which, about, to, attempt, {"why", what.why}, {"pauseMs", what.pause.count()}});
        break;
    case result::held_back:
        counts_.held_back.add();
        log::info("mail_held_back", {which, about, to});
        break;
    case result::given_back: break;
    }
    auto segment = mailing::conclude(of, what);
    co_await write(std::move(segment), how);
}

// A mail that was sent and is not written down is sent again, so the outcome is written until PostgreSQL takes it:
// after an outage, and after a statement that was cancelled or met a deadlock. Once another sender has taken the mail,
// the fence lets nothing be written.
task<void> mail_sender::write(std::vector<pg::statement> segment, pg::traced how) {
    for (bool logged = false; !closed_;) {
        auto again = segment;
        try {
            auto const answer = co_await run(std::move(again), how);
            static_cast<void>(answer);
            co_return;
        } catch (pg::query_error const& error) {
            if (!error.is_passing()) throw;
            if (!std::exchange(logged, true)) pg::log_failed_round("mailer_failed", error);
        } catch (outage const&) { // the connection itself says so
        }
        if (!closed_) co_await sleep_for(retry_interval);
    }
}

task<void> mail_sender::observe() {
    auto segment = select_state();
    segment.push_back(bring_forward(settings_.longest_pause, settings_.lease));
    auto const answer = co_await run(std::move(segment));
    counts_.observe(read_state(answer));
}

} // namespace recruiting::auth_api::mailing
