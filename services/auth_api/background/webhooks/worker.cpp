// The two tasks of webhooks (proto-docs/webhooks.md, decision 0129): one compares what has changed with what was told,
// the other sends. Any number of instances at once; killed at any instant, a message is sent again under the same
// webhook-id.
#include "auth_api/background/pause.hpp"
#include "auth_api/background/tasks.hpp"
#include "auth_api/background/webhooks/store.hpp"
#include "core/log.hpp"
#include "core/text.hpp"
#include "mail/encodings.hpp"
#include "pg/periodic_task.hpp"
#include "transfer/http_exchange.hpp"

#include <algorithm>
#include <map>
#include <random>

namespace recruiting::auth_api::webhooks {
namespace {

constexpr std::int64_t positions_at_once = 1'000;
constexpr std::int64_t most_at_once = 128;        // receivers of a process: one that hangs has its place for 15 s
constexpr int share_of_comparing = 20;            // a twentieth of the time, however many webhooks there are
constexpr std::chrono::minutes longest_window{1}; // whatever comparing takes
constexpr std::chrono::seconds attempt_timeout{15};
constexpr std::chrono::hours longest_pause{8};
constexpr std::chrono::hours give_up_after{72};
constexpr std::chrono::milliseconds sending_interval{1'000};
constexpr std::size_t kept_of_answer = 4 * 1024; // more than its first characters need
constexpr std::size_t excerpt_characters = 200;

struct counts {
    explicit counts(metrics::registry& metrics)
        : waiting(metrics.add_gauge("recruiting_webhook_waiting_messages",
                                    "Messages of webhooks that are not delivered yet; no value while they can't be "
                                    "counted.")) {
        waiting.forget();
        for (auto const* const name : {"delivered", "delayed", "failed", "gone"})
            outcomes.emplace(name, &metrics.add_counter("recruiting_webhook_deliveries_total",
                                                        "Attempts to deliver a message of a webhook.",
                                                        "outcome=\"" + std::string(name) + "\""));
    }
    metrics::gauge& waiting;
    std::map<std::string, metrics::counter*> outcomes;
};

struct comparing_task final : pg::periodic_task {
    comparing_task(asio::io_context& context, pg::pipeline& connection, std::chrono::milliseconds window,
                   std::shared_ptr<counts> of)
        : pg::periodic_task(context, connection, window, "webhooks_failed"), metrics(std::move(of)) {}

    // What changes within a window is one message. A full round is followed by the next at once.
    task<std::chrono::milliseconds> round() override {
        auto segment = write_messages(positions_at_once);
        auto const answer = co_await run(std::move(segment));
        auto const done = read_written(answer);
        metrics->waiting.set(done.waiting);
        if (done.moved >= positions_at_once) co_return std::chrono::milliseconds{0};
        co_return std::clamp<std::chrono::milliseconds>(done.took * share_of_comparing, interval(), longest_window);
    }
    std::chrono::milliseconds failed(std::exception const& error) override {
        metrics->waiting.forget();
        return pg::periodic_task::failed(error);
    }

    std::shared_ptr<counts> metrics;
};

std::string excerpt_of(std::string const& body) {
    auto const line = mail::harmless_line(body);
    std::string_view rest = line;
    for (std::size_t i = 0; i < excerpt_characters && !rest.empty(); ++i)
        rest.remove_prefix(std::max<std::size_t>(first_character(rest).size, 1));
    return line.substr(0, line.size() - rest.size());
}

delivery delivery_of(transfer::http_result const& result, timestamp began, std::chrono::milliseconds took) {
    delivery out;
    out.began = began;
    out.took = took;
    if (auto const* const answer = std::get_if<transfer::http_answer>(&result)) {
        out.status_code = answer->status;
        out.excerpt = excerpt_of(answer->body);
    } else {
        out.failure = to_string(std::get<transfer::http_failure>(result).why);
    }
    return out;
}

// Takes webhooks with a message that is due, each for a coroutine of its own, which sends its messages one after the
// other until one fails or none is left: a receiver that is slow delays its own alone.
struct sending_task final : pg::periodic_task {
    sending_task(asio::io_context& context, pg::pipeline& connection, webhook_settings with, std::shared_ptr<counts> of)
        : pg::periodic_task(context, connection, std::min(sending_interval, with.window), "webhooks_failed"),
          io(context), settings(std::move(with)), metrics(std::move(of)),
          engine(std::make_unique<transfer::engine>(context)) {}

    task<std::chrono::milliseconds> round() override {
        if (busy < most_at_once) {
            auto segment = lease_webhooks(most_at_once - busy);
            auto const answer = co_await run(std::move(segment));
            for (auto const& one : read_leases(answer)) {
                ++busy;
                spawn(io, send_all(std::static_pointer_cast<sending_task>(shared_from_this()), one));
            }
        }
        co_return interval();
    }

    // What PostgreSQL doesn't answer ends with the lease: the messages are sent again.
    static task<void> send_all(std::shared_ptr<sending_task> self, lease of) {
        try {
            for (bool more = true; more;) more = co_await self->send_next(of);
        } catch (std::exception const& error) {
            if (!self->is_stopped()) static_cast<void>(self->failed(error));
        }
        --self->busy;
    }

    task<bool> send_next(lease of) {
        auto reading = next_message(of);
        auto const answer = co_await run(std::move(reading));
        auto const due = read_next(answer);
        if (!due) {
            auto giving_back = give_back(of);
            auto const given = co_await run(std::move(giving_back));
            static_cast<void>(given);
            co_return false;
        }
        auto const how = co_await attempt(*due);
        if (is_stopped()) co_return false;
        auto const chance = std::uniform_real_distribution<double>{0, 1}(random);
        auto const pause = growing_pause(settings.first_pause, longest_pause, due->failures + 1, chance);
        auto concluding = conclude(of, due->what.id, how, pause, give_up_after);
        auto const concluded = co_await run(std::move(concluding));
        auto const outcome = read_outcome(concluded);
        if (auto const found = metrics->outcomes.find(outcome); found != metrics->outcomes.end()) found->second->add();
        if (outcome == "failed" || outcome == "gone")
            log::warning("webhook_stopped", {{"webhookId", to_string(of.webhook)}, {"status", outcome}});
        co_return outcome == "delivered";
    }

    task<delivery> attempt(due_message const& due) {
        auto const now = system_time().now();
        if (directory::wrong_receiver(due.url, settings.receivers)) { // the rules have changed since it was made
            delivery refused;
            refused.began = now;
            refused.failure = to_string(transfer::http_failure::kind::not_allowed);
            co_return refused;
        }
        transfer::http_request request;
        request.method = transfer::http_request::verb::post;
        request.url = due.url;
        request.body = body_of(due.what);
        request.headers = signed_headers(due.what, now, request.body, due.secrets);
        request.headers.emplace_back("Content-Type: application/json");
        request.headers.emplace_back("User-Agent: recruiting-webhooks/" + std::string(version()));
        request.timeout = attempt_timeout;
        request.response_limit = kept_of_answer;
        request.keeps_beginning = true;
        request.ca_file = settings.ca_file;
        request.may_connect = [rules = settings.receivers](ip_address const& address) { return rules.allow(address); };
        auto const begun = coarse_clock::now();
        transfer::http_exchange exchange(*engine, std::move(request));
        auto const result = co_await exchange.run();
        auto const took = std::chrono::floor<std::chrono::milliseconds>(coarse_clock::now() - begun);
        auto out = delivery_of(result, now, took);
        co_return out;
    }

    asio::io_context& io;
    webhook_settings settings;
    std::shared_ptr<counts> metrics;
    std::unique_ptr<transfer::engine> engine; // its connections were all checked against these settings
    std::mt19937_64 random{std::random_device{}()};
    std::int64_t busy{0};
};

} // namespace

void declare(settings_reader& reader, webhook_settings& target) {
    using namespace std::chrono_literals;
    reader.owns("RECRUITING_WEBHOOK_");
    directory::declare(reader, target.receivers);
    reader.certificates_file("RECRUITING_WEBHOOK_CA_FILE", target.ca_file,
                             "CA certificates (PEM) that verify receivers of webhooks; empty: the system's.");
    reader.duration("RECRUITING_WEBHOOK_WINDOW", target.window, 50ms, 1min,
                    "Changes of a resource within this time are one message of a webhook.");
    reader.duration("RECRUITING_WEBHOOK_RETRY_FIRST", target.first_pause, 1ms, 1h,
                    "Pause before the first retry of a webhook's message; it doubles with each retry, up to 8 hours.");
}

struct workers::state {
    std::shared_ptr<comparing_task> comparing;
    std::shared_ptr<sending_task> sending;
};

workers::workers(asio::io_context& context, pg::pipeline& connection, webhook_settings settings,
                 metrics::registry& metrics)
    : state_(std::make_unique<state>()) {
    auto const shared = std::make_shared<counts>(metrics);
    state_->comparing = std::make_shared<comparing_task>(context, connection, settings.window, shared);
    state_->sending = std::make_shared<sending_task>(context, connection, std::move(settings), shared);
    state_->comparing->start();
    state_->sending->start();
}

workers::~workers() {
    stop();
    state_->sending->engine.reset();
}

void workers::stop() {
    state_->comparing->stop();
    state_->sending->stop();
}

} // namespace recruiting::auth_api::webhooks
