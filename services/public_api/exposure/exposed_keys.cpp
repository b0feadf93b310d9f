#include "public_api/exposure/exposed_keys.hpp"

#include "audit/event_store.hpp"
#include "core/log.hpp"
#include "core/text.hpp"
#include "crypto/sealed_box.hpp"
#include "pg/periodic_task.hpp"

#include <iterator>
#include <utility>

namespace recruiting::public_api {
namespace {

constexpr std::string_view reported_by_gateway = "X-Exposed-Credential"; // "GET Authorization sp_live_…"
constexpr std::size_t longest_location = 100;

std::optional<sent_key> read_report(std::string_view field) {
    auto const parts = split(field, ' ');
    if (parts.size() != 3) return std::nullopt;
    auto secret = find_key(parts[2]);
    if (secret.empty()) return std::nullopt;
    return sent_key{{std::move(secret), std::string(parts[1].substr(0, longest_location))}, std::string(parts[0])};
}

bool comes_from(http::request const& req, std::vector<ip_network> const& proxies) {
    auto const peer = parse_ip(req.peer);
    return peer && any_contains(proxies, *peer);
}

std::optional<exposed_key> find_in(http::request const& req) {
    for (auto const& [name, value] : req.headers)
        if (auto found = find_key_in_field(name, value)) return found;
    if (auto found = find_key_in_target(req.target)) return found;
    auto secret = find_key(req.body);
    if (secret.empty()) return std::nullopt;
    return exposed_key{std::move(secret), "body"};
}

} // namespace

std::optional<sent_key> find_exposed_key(http::request const& req, std::vector<ip_network> const& trusted_proxies) {
    auto const report = req.header(reported_by_gateway);
    if (!report.empty() && comes_from(req, trusted_proxies))
        if (auto reported = read_report(report)) return reported;
    auto found = find_in(req);
    if (!found) return std::nullopt;
    return sent_key{std::move(*found), std::string(req.method)};
}

namespace {

constexpr std::size_t most_known = 4096;

metrics::counter& outcome(metrics::registry& registry, std::string const& name) {
    return registry.add_counter("recruiting_public_api_exposed_keys_total",
                                "Possible API keys that were sent here, by outcome.", "outcome=\"" + name + '"');
}

} // namespace

exposure_queue::exposure_queue(std::size_t most, std::chrono::milliseconds repeat, metrics::registry& registry)
    : most_(most), known_(most_known, repeat), reported_(outcome(registry, "reported")),
      dropped_(outcome(registry, "dropped")), over_budget_(outcome(registry, "over_budget")) {}

void exposure_queue::note(exposure seen, recent_set::clock::time_point now) {
    std::scoped_lock const lock(mutex_);
    if (waiting_.size() >= most_) return dropped_.add();
    if (!known_.is_new(seen.secret, now)) return;
    auto const client = parse_ip(seen.report.client);
    if (client && !budget_.take(*client, now)) return over_budget_.add();
    waiting_.push_back(std::move(seen));
}

std::vector<exposure> exposure_queue::take() {
    std::scoped_lock const lock(mutex_);
    return std::exchange(waiting_, {});
}

void exposure_queue::put_back(std::vector<exposure> unwritten) {
    std::scoped_lock const lock(mutex_);
    unwritten.insert(unwritten.end(), std::make_move_iterator(waiting_.begin()),
                     std::make_move_iterator(waiting_.end()));
    waiting_ = std::move(unwritten);
}

namespace {

constexpr std::chrono::milliseconds between_rounds{250};

struct reporting_task final : pg::periodic_task {
    reporting_task(asio::io_context& context, pg::pipeline& connection, exposure_queue& waiting)
        : pg::periodic_task(context, connection), queue(waiting) {}

    task<std::chrono::milliseconds> round() override;
    std::chrono::milliseconds failed(std::exception const& error) override;
    task<std::string> read_key();
    task<void> write_one(exposure const& seen, std::string const& key);

    exposure_queue& queue;
    std::vector<exposure> unwritten; // of this round
    bool reported_no_key{false};
};

// Each report is a transaction of its own: one that can't be written holds back no other.
task<std::chrono::milliseconds> reporting_task::round() {
    if (!connection().ready()) co_return between_rounds;
    unwritten = queue.take();
    if (unwritten.empty()) co_return between_rounds;
    auto const key = co_await read_key();
    if (key.empty()) queue.put_back(std::exchange(unwritten, {}));
    while (!unwritten.empty() && !is_stopped()) {
        co_await write_one(unwritten.front(), key);
        unwritten.erase(unwritten.begin());
    }
    co_return between_rounds;
}

std::chrono::milliseconds reporting_task::failed(std::exception const& error) {
    queue.put_back(std::exchange(unwritten, {}));
    if (dynamic_cast<outage const*>(&error) == nullptr) // the connection itself logs outages
        log::write(pg::severity(error), "exposures_not_written", {{"message", error.what()}});
    return between_rounds;
}

task<std::string> reporting_task::read_key() {
    std::vector<pg::statement> segment{audit::select_exposure_key()};
    auto const answer = co_await run(std::move(segment));
    std::string key(audit::read_exposure_key(answer.at(0)));
    if (key.empty() && !reported_no_key)
        log::warning("exposures_wait", {{"message", "auth-api has published no key yet"}});
    reported_no_key = key.empty();
    co_return key;
}

task<void> reporting_task::write_one(exposure const& seen, std::string const& key) {
    auto const sealed = seal(seen.secret, key);
    if (!sealed) co_return;
    std::vector<pg::statement> segment{audit::insert_exposure_report(seen.report, *sealed)};
    try {
        auto const answer = co_await run(std::move(segment));
        static_cast<void>(answer);
        queue.count_written();
    } catch (pg::query_error const& error) {
        if (error.is_passing()) throw; // the next round writes it
        // A unique violation: an earlier try, whose outcome was unknown, had written the report.
        if (error.sqlstate() != pg::unique_violation)
            log::error("exposure_not_written", {{"sqlstate", error.sqlstate()}});
    }
}

} // namespace

exposure_reporter::exposure_reporter(asio::io_context& context, pg::pipeline& connection, exposure_queue& queue)
    : task_owner(std::make_shared<reporting_task>(context, connection, queue)) {}

} // namespace recruiting::public_api
