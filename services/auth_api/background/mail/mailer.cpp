#include "auth_api/background/mail/mailer.hpp"

#include "auth_api/background/mail/compose.hpp"
#include "auth_api/background/mail/metrics.hpp"
#include "auth_api/background/mail/verdict.hpp"
#include "auth_api/background/pause.hpp"
#include "core/log.hpp"
#include "core/text.hpp"
#include "crypto/digest.hpp"
#include "pg/error.hpp"
#include "pg/traced.hpp"

#include <deque>
#include <random>

namespace recruiting::auth_api::mailing {
namespace {

constexpr std::size_t token_bytes = 32;
constexpr std::int64_t purge_batch = 1'000;
constexpr std::chrono::milliseconds look_again{200}; // while PostgreSQL is away
constexpr std::chrono::seconds observe_interval{5};
constexpr std::chrono::hours purge_interval{1};

} // namespace

struct mailer::state : std::enable_shared_from_this<mailer::state> {
    state(asio::io_context& context, pg::pipeline& c, mail_settings s, metrics::registry& metrics,
          tracing::tracer const* t)
        : connection(c), settings(std::move(s)), tracer(t), way(make_carrier(context, settings)), counts(metrics),
          resting(context) {
        auto const senders = way ? static_cast<std::size_t>(settings.parallel) : 0;
        for (std::size_t i = 0; i < senders; ++i) waiting.emplace_back(context);
        at_work = static_cast<int>(senders);
    }

    task<void> send_mails(pause& between);
    task<bool> send_next();
    task<void> send(lease of, coarse_clock::time_point leased_at);
    task<void> conclude(lease of, outbox_mail const& mail, verdict const& what, tracing::parent under);
    task<void> write(std::vector<pg::statement> segment, pg::traced how);
    task<void> keep_house();
    task<void> purge_old();
    task<std::vector<pg::rows>> run(std::vector<pg::statement> segment, pg::traced how = {});
    [[nodiscard]] bool has_time(coarse_clock::time_point leased_at) const;

    pg::pipeline& connection;
    mail_settings settings;
    tracing::tracer const* tracer;
    std::unique_ptr<carrier> way; // null: nothing is sent
    mail_metrics counts;
    std::deque<pause> waiting; // a sender each
    pause resting;             // the housekeeper's
    std::mt19937_64 random{std::random_device{}()};
    int at_work{0};
    bool closed{false};
};

// Once closed, connection and metrics may be gone: nothing goes on after the answer then.
task<std::vector<pg::rows>> mailer::state::run(std::vector<pg::statement> segment, pg::traced how) {
    auto answer = co_await pg::run(connection, std::move(segment), how);
    if (closed) throw outage("closed");
    co_return answer;
}

task<void> mailer::state::send_mails(pause& between) {
    auto const self = shared_from_this();
    while (!between.stopped()) {
        bool more = false;
        try {
            more = co_await send_next();
        } catch (pg::query_error const& error) {
            if (closed) break;
            log::write(pg::severity(error), "mailer_failed",
                       {{"sqlstate", error.sqlstate()}, {"constraint", error.constraint()}});
        } catch (outage const&) { // the connection itself says so
        }
        if (!more) co_await between.wait(settings.interval);
    }
    --at_work;
}

// False: no mail is due.
task<bool> mailer::state::send_next() {
    auto const fence = random_id();
    auto const leased_at = coarse_clock::now();
    auto leasing = lease_mail(fence, settings.lease);
    auto const answer = co_await run(std::move(leasing));
    auto const leased = read_lease(answer, fence);
    if (!leased) co_return false;
    co_await send(*leased, leased_at);
    co_return true;
}

// Whoever begins to send must have come to an end before the lease does.
bool mailer::state::has_time(coarse_clock::time_point leased_at) const {
    return coarse_clock::now() + settings.timeout * 5 / 4 < leased_at + settings.lease;
}

task<void> mailer::state::send(lease of, coarse_clock::time_point leased_at) {
    auto const token = to_base64url(random_bytes(token_bytes));
    link_hashes const links{sha256(token), sha256(join_token_of(token))};
    auto opening = open_mail(of, links, settings.link_lifetime, settings.per_recipient);
    auto span = tracing::root_span(tracer, tracing::span_kind::consumer, "send mail");
    auto const trace = span.or_parent({});
    pg::traced const how_opened{trace, "open mail"};
    auto const answer = co_await run(std::move(opening), how_opened);
    auto const opened = read_opened(answer);
    if (!opened) co_return;
    span.set("recruiting.mail.kind", to_string(opened->mail.about));
    span.set("recruiting.mail.audience", to_string(opened->mail.to));
    auto composed = compose(*opened, settings, token);
    verdict what{verdict::result::given_back, {}, {}};
    if (auto const* const hopeless = std::get_if<unsendable>(&composed)) {
        what = {verdict::result::dead, hopeless->why, {}};
    } else if (opened->is_beyond_limit) {
        what.what = verdict::result::held_back;
    } else if (!resting.stopped() && has_time(leased_at)) {
        auto message = std::get<mail::message>(std::move(composed));
        tracing::span carrying(trace, tracing::span_kind::client, "hand mail over");
        auto const how = co_await way->carry(std::move(message));
        carrying.end();
        if (closed) co_return;
        auto const chance = std::uniform_real_distribution<double>{0, 1}(random);
        what = judge(how, settings, opened->mail.attempts, chance);
    }
    if (what.what == verdict::result::dead) span.fail("dead");
    if (what.what == verdict::result::delayed) span.fail("delayed");
    co_await conclude(of, opened->mail, what, trace);
}

task<void> mailer::state::conclude(lease of, outbox_mail const& mail, verdict const& what, tracing::parent under) {
    pg::traced const how{under, "note outcome"};
    auto const id = to_string(mail.id);
    log::field const which{"mailId", id};
    log::field const about{"kind", to_string(mail.about)};
    log::field const to{"audience", to_string(mail.to)};
    log::field const attempt{"attempt", mail.attempts};
    std::vector<pg::statement> outcome;
    switch (what.what) {
    case verdict::result::sent:
        counts.sent.add();
        log::info("mail_sent", {which, about, to, attempt});
        outcome = mark_sent(of);
        break;
    case verdict::result::dead:
        counts.dead.add();
        log::warning("mail_dead", {which, about, to, attempt, {"why", what.why}});
        outcome = mark_dead(of, what.why);
        break;
    case verdict::result::delayed:
        counts.delayed.add();
        log::warning("mail_delayed", {which, about, to, attempt, {"why", what.why}, {"pauseMs", what.pause.count()}});
        outcome = mark_delayed(of, what.why, what.pause);
        break;
    case verdict::result::held_back:
        counts.held_back.add();
        log::info("mail_held_back", {which, about, to});
        outcome = hold_back(of);
        break;
    case verdict::result::given_back: outcome = give_back(of); break;
    }
    co_await write(std::move(outcome), how);
}

// What was sent and is not written down is sent again: while PostgreSQL is away nobody else can take the mail, and its
// fence holds until somebody has.
task<void> mailer::state::write(std::vector<pg::statement> segment, pg::traced how) {
    while (!closed) {
        auto again = segment;
        try {
            auto const answer = co_await run(std::move(again), how);
            static_cast<void>(answer);
            co_return;
        } catch (outage const&) { // the connection itself says so
        }
        if (!closed) co_await sleep_for(look_again);
    }
}

task<void> mailer::state::keep_house() {
    auto const self = shared_from_this();
    auto next_purge = coarse_clock::now();
    while (!resting.stopped()) {
        std::chrono::milliseconds next_look = observe_interval;
        try {
            auto looking = select_state();
            auto const answer = co_await run(std::move(looking));
            counts.observe(read_state(answer));
            if (coarse_clock::now() >= next_purge) {
                co_await purge_old();
                next_purge = coarse_clock::now() + purge_interval;
            }
        } catch (pg::query_error const& error) {
            if (closed) break;
            counts.forget();
            log::write(pg::severity(error), "mail_housekeeping_failed", {{"sqlstate", error.sqlstate()}});
        } catch (outage const&) { // the connection itself says so
            if (closed) break;
            counts.forget();
            next_look = look_again;
        }
        co_await resting.wait(next_look);
    }
}

task<void> mailer::state::purge_old() {
    for (auto purged = purge_batch; purged >= purge_batch && !resting.stopped();) {
        auto purging = purge(settings.retention, purge_batch);
        auto const answer = co_await run(std::move(purging));
        purged = read_purged(answer);
    }
}

mailer::mailer(asio::io_context& context, pg::pipeline& connection, mail_settings settings, metrics::registry& metrics,
               tracing::tracer const* tracer)
    : state_(std::make_shared<state>(context, connection, std::move(settings), metrics, tracer)) {
    if (!state_->way) log::warning("mails_wait", {{"message", "RECRUITING_MAIL_URL is not set: no mail is sent"}});
    for (auto& between : state_->waiting) spawn(context, state_->send_mails(between));
    spawn(context, state_->keep_house());
}

mailer::~mailer() {
    stop();
    state_->closed = true;
    state_->way.reset();
}

void mailer::stop() {
    state_->resting.stop();
    for (auto& between : state_->waiting) between.stop();
    if (state_->way) state_->way->leave_off();
}

bool mailer::idle() const noexcept { return state_->at_work == 0; }

} // namespace recruiting::auth_api::mailing
