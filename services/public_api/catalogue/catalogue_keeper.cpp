#include "public_api/catalogue/catalogue_keeper.hpp"

#include "async/task.hpp"
#include "core/ids.hpp"
#include "core/log.hpp"
#include "public_api/catalogue/catalogue_builder.hpp"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <set>
#include <thread>

namespace recruiting::public_api {
namespace {

constexpr char const* published_channel = "recruiting_published"; // migration 0009: notify_published
constexpr std::chrono::milliseconds coalescing_delay{50}; // what changes meanwhile is read with the first change
constexpr std::chrono::milliseconds retry_pause{500};
constexpr std::size_t jobs_at_once = 500; // so that no statement runs into its timeout, however many jobs there are

std::int64_t seconds_since_1970() {
    return std::chrono::duration_cast<std::chrono::seconds>(system_time().now().time_since_epoch()).count();
}

} // namespace

struct catalogue_keeper::state {
    state(pg::pipeline_settings const& connection, std::string_view url, std::chrono::milliseconds between_reads,
          shared_catalogue& target, catalogue_metrics& metrics)
        : public_url(url), refresh(between_reads), into(target), counters(metrics),
          database(context, ticks, connection) {
        database.listen(
            published_channel, [this](std::string_view payload) { note_change(payload); },
            [this] {
                echoes.begin(ticks.now());
                note_all();
            });
        ticking = ticks.subscribe([this](coarse_clock::time_point now) { tick(now); });
    }

    void note_change(std::string_view organization);
    void note_all();
    void tick(coarse_clock::time_point now);
    void wake() { idle.resume(true); }
    [[nodiscard]] bool is_due() const { return database.ready() && (all_due || !changed.empty()); }
    [[nodiscard]] organization_choice take_due();
    void put_back(organization_choice const& which);

    task<void> keep();
    task<void> notify_itself();
    task<bool> try_reload(organization_choice const& which);
    task<void> reload(organization_choice const& which);
    void finish(organization_choice const& which, catalogue_reload& done);

    std::string public_url;
    std::chrono::milliseconds refresh;
    shared_catalogue& into;
    catalogue_metrics& counters;
    asio::io_context context{1};
    ticker ticks{context};
    pg::pipeline database;
    ticker::subscription ticking;
    listening echoes{to_string(random_id())};
    waiter idle;
    std::set<uuid> changed;
    bool all_due{false};
    coarse_clock::time_point refresh_at{coarse_clock::time_point::max()};
    std::thread thread;
};

void catalogue_keeper::state::note_change(std::string_view organization) {
    if (echoes.take(organization)) return;
    auto const id = parse_id(organization);
    if (!id) return note_all(); // any other text means that something has changed
    changed.insert(*id);
    wake();
}

void catalogue_keeper::state::note_all() {
    all_due = true;
    wake();
}

void catalogue_keeper::state::tick(coarse_clock::time_point now) {
    counters.connected.set(database.ready() && echoes.is_receiving(now) ? 1 : 0);
    if (now >= refresh_at) note_all();
    if (!database.ready() || !echoes.is_due(now)) return;
    echoes.sent(now);
    spawn(context, notify_itself());
}

// A failure here shows by the missing echo.
task<void> catalogue_keeper::state::notify_itself() {
    try {
        std::vector<pg::statement> asked = {notify_listeners(published_channel, echoes.payload())};
        auto const done = co_await database.run(std::move(asked));
        static_cast<void>(done);
    } catch (outage const&) {
    } catch (pg::query_error const& error) {
        log::warning("catalogue_notify_failed", {{"sqlstate", error.sqlstate()}, {"message", error.what()}});
    }
}

organization_choice catalogue_keeper::state::take_due() {
    auto const ids = std::exchange(changed, {});
    if (std::exchange(all_due, false)) return std::nullopt;
    return std::vector<uuid>(ids.begin(), ids.end());
}

void catalogue_keeper::state::put_back(organization_choice const& which) {
    if (which) changed.insert(which->begin(), which->end());
    else all_due = true;
}

task<void> catalogue_keeper::state::keep() {
    for (;;) {
        while (!is_due()) {
            bool const woken = co_await idle.wait();
            static_cast<void>(woken);
        }
        co_await sleep_for(coalescing_delay);
        auto const which = take_due();
        bool const done = co_await try_reload(which);
        if (done) continue;
        counters.failures.add();
        put_back(which);
        co_await sleep_for(retry_pause);
    }
}

task<bool> catalogue_keeper::state::try_reload(organization_choice const& which) {
    try {
        co_await reload(which);
        co_return true;
    } catch (outage const&) { // the connection's loss is in the log already
    } catch (pg::query_error const& error) {
        log::error("catalogue_reload_failed", {{"sqlstate", error.sqlstate()}, {"message", error.what()}});
    } catch (std::exception const& error) {
        log::error("catalogue_reload_failed", {{"message", error.what()}});
    }
    co_return false;
}

task<void> catalogue_keeper::state::reload(organization_choice const& which) {
    auto const began = std::chrono::steady_clock::now();
    auto const base = into.get();
    std::vector<pg::statement> asked = {select_organizations(which), select_job_versions(which)};
    auto const found = co_await database.run(std::move(asked));
    catalogue_reload next(*base, which, read_organizations(found.at(0)), read_job_versions(found.at(1)));
    for (std::size_t at = 0; at < next.wanted().size(); at += jobs_at_once) {
        auto const first = next.wanted().begin() + static_cast<std::ptrdiff_t>(at);
        auto const count = std::min(jobs_at_once, next.wanted().size() - at);
        std::vector<uuid> const some(first, first + static_cast<std::ptrdiff_t>(count));
        std::vector<pg::statement> reads = {select_jobs(some), select_stages(some)};
        auto const read = co_await database.run(std::move(reads));
        for (auto& job : read_jobs(read.at(0), read.at(1))) next.add(std::move(job));
    }
    finish(which, next);
    counters.seconds.observe(std::chrono::steady_clock::now() - began);
}

void catalogue_keeper::state::finish(organization_choice const& which, catalogue_reload& done) {
    auto const base = into.get();
    if (!base->loaded() || !done.is_unchanged()) {
        auto const next = std::make_shared<catalogue const>(done.build(public_url));
        counters.organizations.set(static_cast<std::int64_t>(next->organizations().size()));
        counters.jobs.set(static_cast<std::int64_t>(next->job_count()));
        if (!base->loaded())
            log::info("catalogue_loaded",
                      {{"organizations", next->organizations().size()}, {"jobs", next->job_count()}});
        into.publish(next);
    }
    if (which) return counters.reloads_of_changes.add();
    counters.reloads_of_all.add();
    counters.read_at.set(seconds_since_1970());
    refresh_at = ticks.now() + refresh;
}

catalogue_keeper::catalogue_keeper(pg::pipeline_settings const& database, std::string_view public_url,
                                   std::chrono::milliseconds refresh, shared_catalogue& into,
                                   catalogue_metrics& counters)
    : state_(std::make_unique<state>(database, public_url, refresh, into, counters)) {
    spawn(state_->context, state_->keep());
    state_->thread = std::thread([s = state_.get()] { s->context.run(); });
}

catalogue_keeper::~catalogue_keeper() {
    asio::post(state_->context, [s = state_.get()] { s->context.stop(); });
    state_->thread.join();
    state_->ticks.unsubscribe(state_->ticking);
    state_->counters.connected.set(0);
}

namespace {

constexpr std::chrono::seconds between_echoes{5};
constexpr std::chrono::seconds patience{3}; // with one on its way

} // namespace

void listening::begin(clock::time_point now) {
    received_ = false;
    due_at_ = now;
    echo_deadline_ = clock::time_point::max();
}

void listening::sent(clock::time_point now) {
    due_at_ = now + between_echoes;
    if (echo_deadline_ == clock::time_point::max()) echo_deadline_ = now + patience;
}

bool listening::take(std::string_view payload) {
    if (!payload.starts_with(mark)) return false;
    if (payload != payload_) return true;
    received_ = true;
    echo_deadline_ = clock::time_point::max();
    return true;
}

} // namespace recruiting::public_api
