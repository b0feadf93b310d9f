#include "public_api/catalogue/catalogue_keeper.hpp"

#include "async/task.hpp"
#include "core/log.hpp"
#include "pg/standby_store.hpp"
#include "public_api/catalogue/catalogue_builder.hpp"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <set>
#include <thread>

namespace recruiting::public_api {
namespace {

constexpr char const* published_channel = "recruiting_published"; // of notify_published
constexpr std::chrono::milliseconds coalescing_delay{50}; // what changes meanwhile is read with the first change
constexpr std::chrono::milliseconds retry_pause{500};
constexpr std::size_t jobs_at_once = 500; // so that no statement runs into its timeout, however many jobs there are

std::int64_t seconds_since_1970() {
    return std::chrono::duration_cast<std::chrono::seconds>(system_time().now().time_since_epoch()).count();
}

} // namespace

struct catalogue_keeper::state {
    struct work {
        std::set<uuid> organizations; // which PostgreSQL reported
        bool refresh{false};          // and those whose changes were not reported
        bool is_reconnected{false};
    };

    state(catalogue_servers const& servers, std::string_view url, catalogue_intervals const& times,
          shared_catalogue& target, catalogue_metrics& metrics)
        : public_url(url), intervals(times), into(target), counters(metrics), database(context, ticks, servers.primary),
          source(context, ticks, database, servers.standby, metrics.standby) {
        database.listen(
            published_channel, [this](std::string_view payload) { note_change(payload); },
            [this] {
                due.is_reconnected = true;
                note_refresh();
            });
        ticking = ticks.subscribe([this](coarse_clock::time_point now) { tick(now); });
    }

    void note_change(std::string_view organization);
    void note_refresh();
    void tick(coarse_clock::time_point now);
    void wake() { idle.resume(true); }
    [[nodiscard]] bool is_due() const { return database.ready() && (due.refresh || !due.organizations.empty()); }
    void put_back(work const& failed);

    task<void> keep();
    task<bool> try_reload(work const& now_due);
    task<void> reload(work const& now_due);
    task<void> follow(work const& now_due);
    task<void> compare_all();
    task<void> read(catalogue_builder& next, organization_choice const& which);
    void publish(catalogue_builder& next);

    std::string public_url;
    catalogue_intervals intervals;
    shared_catalogue& into;
    catalogue_metrics& counters;
    asio::io_context context{1};
    ticker ticks{context};
    pg::pipeline database;
    catalogue_source source;
    pg::pipeline* read_from{&database};
    ticker::subscription ticking;
    waiter idle;
    work due;
    std::optional<read_mark> mark; // nothing: not all of it has been read yet
    coarse_clock::time_point refresh_at{coarse_clock::time_point::max()};
    coarse_clock::time_point compare_at{coarse_clock::time_point::min()};
    std::thread thread;
};

void catalogue_keeper::state::note_change(std::string_view organization) {
    auto const id = parse_id(organization);
    if (!id) return note_refresh(); // any other text means that something has changed
    due.organizations.insert(*id);
    wake();
}

void catalogue_keeper::state::note_refresh() {
    due.refresh = true;
    wake();
}

void catalogue_keeper::state::tick(coarse_clock::time_point now) {
    counters.connected.set(database.ready() ? 1 : 0);
    if (now >= refresh_at) note_refresh();
}

void catalogue_keeper::state::put_back(work const& failed) {
    due.organizations.insert(failed.organizations.begin(), failed.organizations.end());
    due.refresh = due.refresh || failed.refresh;
    due.is_reconnected = due.is_reconnected || failed.is_reconnected;
}

task<void> catalogue_keeper::state::keep() {
    for (;;) {
        while (!is_due()) {
            bool const woken = co_await idle.wait();
            static_cast<void>(woken);
        }
        co_await sleep_for(coalescing_delay);
        auto const now_due = std::exchange(due, work());
        bool const done = co_await try_reload(now_due);
        if (done) continue;
        counters.failures.add();
        put_back(now_due);
        co_await sleep_for(retry_pause);
    }
}

task<bool> catalogue_keeper::state::try_reload(work const& now_due) {
    try {
        co_await reload(now_due);
        co_return true;
    } catch (outage const&) { // the connection's loss is in the log already
    } catch (pg::query_error const& error) {
        log::error("catalogue_reload_failed", {{"sqlstate", error.sqlstate()}, {"message", error.what()}});
    } catch (std::exception const& error) {
        log::error("catalogue_reload_failed", {{"message", error.what()}});
    }
    source.failed(read_from);
    co_return false;
}

// What changes after the position was read, is read with the next one: a transaction that has not ended by then has a
// number at or above ended_below.
task<void> catalogue_keeper::state::reload(work const& now_due) {
    auto const began = ticks.now();
    read_from = &database;
    if (!now_due.refresh) {
        co_await follow(now_due);
        co_return;
    }
    auto complete = now_due;
    std::vector<pg::statement> asked = {pg::select_moment()};
    if (mark) asked.push_back(select_changes(first_unread(*mark, now_due.is_reconnected)));
    auto const found = co_await database.run(std::move(asked));
    auto const moment = pg::read_moment(found.at(0));
    bool const is_continued = mark && continues(*mark, moment, began, now_due.is_reconnected);
    if (!is_continued || began >= compare_at) {
        co_await compare_all();
        compare_at = began + intervals.comparison;
    } else {
        for (auto const& id : read_ids(found.at(1))) complete.organizations.insert(id);
        co_await follow(complete);
    }
    mark = read_mark{moment, began};
    counters.read_at.set(seconds_since_1970());
    refresh_at = began + intervals.refresh;
}

task<void> catalogue_keeper::state::follow(work const& now_due) {
    if (now_due.organizations.empty()) co_return;
    auto const began = std::chrono::steady_clock::now();
    read_from = co_await source.choose();
    organization_choice const which = std::vector<uuid>(now_due.organizations.begin(), now_due.organizations.end());
    auto const base = into.get();
    catalogue_builder next(*base, public_url);
    co_await read(next, which);
    publish(next);
    counters.reloads_of_changes.add();
    counters.seconds.observe(std::chrono::steady_clock::now() - began);
}

// Page by page, so that no statement runs into its timeout, however many organizations there are. The snapshot is made
// once of all pages: each making costs as much as there are jobs.
task<void> catalogue_keeper::state::compare_all() {
    auto const began = std::chrono::steady_clock::now();
    read_from = co_await source.choose();
    auto const base = into.get();
    catalogue_builder next(*base, public_url);
    std::vector<pg::statement> asked = {select_pages()};
    auto const pages = co_await read_from->run(std::move(asked));
    auto const ends = read_ids(pages.at(0));
    std::optional<uuid> after;
    for (std::size_t at = 0; at <= ends.size(); ++at) {
        auto const last = at < ends.size() ? std::optional(ends[at]) : std::nullopt;
        organization_choice const which = organization_range{std::exchange(after, last), last};
        co_await read(next, which);
    }
    publish(next);
    counters.reloads_of_all.add();
    counters.seconds.observe(std::chrono::steady_clock::now() - began);
}

// What differs in these organizations, as PostgreSQL has them now, from the snapshot that `next` is made from.
task<void> catalogue_keeper::state::read(catalogue_builder& next, organization_choice const& which) {
    std::vector<pg::statement> asked = {select_organizations(which), select_job_versions(which)};
    auto const found = co_await read_from->run(std::move(asked));
    catalogue_reload changes(next.base(), which, read_organizations(found.at(0)), read_job_versions(found.at(1)));
    for (std::size_t at = 0; at < changes.wanted().size(); at += jobs_at_once) {
        auto const first = changes.wanted().begin() + static_cast<std::ptrdiff_t>(at);
        auto const count = std::min(jobs_at_once, changes.wanted().size() - at);
        std::vector<uuid> const some(first, first + static_cast<std::ptrdiff_t>(count));
        std::vector<pg::statement> reads = {select_jobs(some), select_stages(some)};
        auto const jobs = co_await read_from->run(std::move(reads));
        for (auto& job : read_jobs(jobs.at(0), jobs.at(1))) changes.add(std::move(job));
    }
    changes.put_into(next);
}

void catalogue_keeper::state::publish(catalogue_builder& next) {
    bool const is_first = !into.get()->loaded();
    if (!is_first && next.is_unchanged()) return;
    auto const made = std::make_shared<catalogue const>(next.build());
    counters.organizations.set(static_cast<std::int64_t>(made->organizations().size()));
    counters.jobs.set(static_cast<std::int64_t>(made->job_count()));
    if (is_first)
        log::info("catalogue_loaded", {{"organizations", made->organizations().size()}, {"jobs", made->job_count()}});
    into.publish(made);
}

catalogue_keeper::catalogue_keeper(catalogue_servers const& servers, std::string_view public_url,
                                   catalogue_intervals const& intervals, shared_catalogue& into,
                                   catalogue_metrics& counters)
    : state_(std::make_unique<state>(servers, public_url, intervals, into, counters)) {
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

constexpr std::chrono::hours longest_trusted_age{12}; // PostgreSQL keeps changes for a day (notify_published)
// Numbers that a server had assigned and not written to its disk yet when it crashed are assigned again.
constexpr std::int64_t assigned_again = 10'000;

} // namespace

bool continues(read_mark const& last, pg::server_moment const& now, coarse_clock::time_point at,
               bool is_reconnected) noexcept {
    bool const is_known = !now.line.empty() || !is_reconnected;
    return is_known && now.line == last.moment.line && now.ended_below >= last.moment.ended_below &&
           at - last.read_at < longest_trusted_age;
}

std::int64_t first_unread(read_mark const& last, bool is_reconnected) noexcept {
    return std::max(std::int64_t{0}, last.moment.ended_below - (is_reconnected ? assigned_again : 0));
}

} // namespace recruiting::public_api
