#include "public_api/catalogue/catalogue_keeper.hpp"

#include "core/log.hpp"

#include <algorithm>
#include <boost/asio/post.hpp>

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

catalogue_keeper::catalogue_keeper(catalogue_servers const& servers, std::string_view public_url,
                                   catalogue_intervals const& intervals, shared_catalogue& into,
                                   catalogue_metrics& counters)
    : public_url_(public_url), intervals_(intervals), into_(into), counters_(counters),
      database_(context_, ticks_, servers.primary),
      source_(context_, ticks_, database_, servers.standby, counters.standby) {
    database_.listen(
        published_channel, [this](std::string_view payload) { note_change(payload); },
        [this] {
            due_.is_reconnected = true;
            note_refresh();
        });
    ticking_ = ticks_.subscribe([this](coarse_clock::time_point now) { tick(now); });
    spawn(context_, keep());
    thread_ = std::thread([this] { context_.run(); });
}

catalogue_keeper::~catalogue_keeper() {
    asio::post(context_, [this] { context_.stop(); });
    thread_.join();
    ticks_.unsubscribe(ticking_);
    counters_.connected.set(0);
}

void catalogue_keeper::note_change(std::string_view organization) {
    auto const id = parse_id(organization);
    if (!id) return note_refresh(); // any other text means that something has changed
    due_.organizations.insert(*id);
    idle_.resume(true);
}

void catalogue_keeper::note_refresh() {
    due_.refresh = true;
    idle_.resume(true);
}

void catalogue_keeper::tick(coarse_clock::time_point now) {
    counters_.connected.set(database_.ready() ? 1 : 0);
    if (now >= refresh_at_) note_refresh();
}

void catalogue_keeper::put_back(work const& failed) {
    due_.organizations.insert(failed.organizations.begin(), failed.organizations.end());
    due_.refresh = due_.refresh || failed.refresh;
    due_.is_reconnected = due_.is_reconnected || failed.is_reconnected;
}

task<void> catalogue_keeper::keep() {
    for (;;) {
        while (!is_due()) {
            bool const woken = co_await idle_.wait();
            static_cast<void>(woken);
        }
        co_await sleep_for(coalescing_delay);
        auto const now_due = std::exchange(due_, work());
        bool const done = co_await try_reload(now_due);
        if (done) continue;
        counters_.failures.add();
        put_back(now_due);
        co_await sleep_for(retry_pause);
    }
}

task<bool> catalogue_keeper::try_reload(work const& now_due) {
    try {
        co_await reload(now_due);
        co_return true;
    } catch (outage const&) { // the connection's loss is in the log already
    } catch (pg::query_error const& error) {
        log::error("catalogue_reload_failed", {{"sqlstate", error.sqlstate()}, {"message", error.what()}});
    } catch (std::exception const& error) {
        log::error("catalogue_reload_failed", {{"message", error.what()}});
    }
    source_.failed(read_from_);
    co_return false;
}

// What changes after the position was read, is read with the next one: a transaction that has not ended by then has a
// number at or above ended_below.
task<void> catalogue_keeper::reload(work const& now_due) {
    auto const began = ticks_.now();
    read_from_ = &database_;
    if (!now_due.refresh) {
        co_await follow(now_due);
        co_return;
    }
    auto complete = now_due;
    std::vector<pg::statement> asked = {pg::select_moment()};
    if (mark_) asked.push_back(select_changes(first_unread(*mark_, now_due.is_reconnected)));
    auto const found = co_await database_.run(std::move(asked));
    auto const moment = pg::read_moment(found.at(0));
    bool const is_continued = mark_ && continues(*mark_, moment, began, now_due.is_reconnected);
    if (!is_continued || began >= compare_at_) {
        co_await compare_all();
        compare_at_ = began + intervals_.comparison;
    } else {
        for (auto const& id : read_ids(found.at(1))) complete.organizations.insert(id);
        co_await follow(complete);
    }
    mark_ = read_mark{moment, began};
    counters_.read_at.set(seconds_since_1970());
    refresh_at_ = began + intervals_.refresh;
}

task<void> catalogue_keeper::follow(work const& now_due) {
    if (now_due.organizations.empty()) co_return;
    auto const began = std::chrono::steady_clock::now();
    read_from_ = co_await source_.choose();
    organization_choice const which = std::vector<uuid>(now_due.organizations.begin(), now_due.organizations.end());
    auto const base = into_.get();
    catalogue_builder next(*base, public_url_);
    co_await read(next, which);
    publish(next);
    counters_.reloads_of_changes.add();
    counters_.seconds.observe(std::chrono::steady_clock::now() - began);
}

// Page by page, so that no statement runs into its timeout, however many organizations there are. The snapshot is made
// once of all pages: each making costs as much as there are jobs.
task<void> catalogue_keeper::compare_all() {
    auto const began = std::chrono::steady_clock::now();
    read_from_ = co_await source_.choose();
    auto const base = into_.get();
    catalogue_builder next(*base, public_url_);
    std::vector<pg::statement> asked = {select_pages()};
    auto const pages = co_await read_from_->run(std::move(asked));
    auto const ends = read_ids(pages.at(0));
    std::optional<uuid> after;
    for (std::size_t at = 0; at <= ends.size(); ++at) {
        auto const last = at < ends.size() ? std::optional(ends[at]) : std::nullopt;
        organization_choice const which = organization_range{std::exchange(after, last), last};
        co_await read(next, which);
    }
    publish(next);
    counters_.reloads_of_all.add();
    counters_.seconds.observe(std::chrono::steady_clock::now() - began);
}

// What differs in these organizations, as PostgreSQL has them now, from the snapshot that `next` is made from.
task<void> catalogue_keeper::read(catalogue_builder& next, organization_choice const& which) {
    std::vector<pg::statement> asked = {select_organizations(which), select_job_versions(which)};
    auto const found = co_await read_from_->run(std::move(asked));
    catalogue_reload changes(next.base(), which, read_organizations(found.at(0)), read_job_versions(found.at(1)));
    for (std::size_t at = 0; at < changes.wanted().size(); at += jobs_at_once) {
        auto const first = changes.wanted().begin() + static_cast<std::ptrdiff_t>(at);
        auto const count = std::min(jobs_at_once, changes.wanted().size() - at);
        std::vector<uuid> const some(first, first + static_cast<std::ptrdiff_t>(count));
        std::vector<pg::statement> reads = {select_jobs(some), select_stages(some)};
        auto const jobs = co_await read_from_->run(std::move(reads));
        for (auto& job : read_jobs(jobs.at(0), jobs.at(1))) changes.add(std::move(job));
    }
    changes.put_into(next);
}

void catalogue_keeper::publish(catalogue_builder& next) {
    bool const is_first = !into_.get()->loaded();
    if (!is_first && next.is_unchanged()) return;
    auto const made = std::make_shared<catalogue const>(next.build());
    counters_.organizations.set(static_cast<std::int64_t>(made->organizations().size()));
    counters_.jobs.set(static_cast<std::int64_t>(made->job_count()));
    if (is_first)
        log::info("catalogue_loaded", {{"organizations", made->organizations().size()}, {"jobs", made->job_count()}});
    into_.publish(made);
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
