#include "core/log.hpp"
#include "public_api/catalogue/catalogue_keeper.hpp"

namespace recruiting::public_api {
namespace {

constexpr std::chrono::milliseconds max_lag{2'000}; // a healthy standby is behind by milliseconds
constexpr std::chrono::milliseconds poll_interval{20};
constexpr std::chrono::milliseconds first_connection{500};
constexpr std::chrono::hours compared_changes{6}; // PostgreSQL deletes none of them (notify_published)

} // namespace

catalogue_source::catalogue_source(asio::io_context& context, ticker& clock, pg::pipeline& primary,
                                   std::optional<pg::pipeline_settings> const& standby, standby_metrics& counters)
    : primary_(primary), counters_(counters) {
    if (standby) standby_.emplace(context, clock, *standby);
}

task<pg::pipeline*> catalogue_source::choose() {
    if (!standby_ || use_.is_paused(coarse_clock::now())) co_return &primary_;
    auto const why_not = co_await check_standby();
    note(why_not);
    co_return why_not.empty() ? &*standby_ : &primary_;
}

void catalogue_source::failed(pg::pipeline const* chosen) {
    if (standby_ && chosen == &*standby_) note("a read failed");
}

void catalogue_source::note(std::string const& why_not) {
    counters_.in_use.set(why_not.empty() ? 1 : 0);
    if (!why_not.empty()) counters_.rejections.add();
    if (!use_.note(why_not, !why_not.empty(), coarse_clock::now())) return;
    if (why_not.empty()) log::info("catalogue_standby_used", {});
    else log::warning("catalogue_standby_rejected", {{"message", why_not}});
}

task<std::string> catalogue_source::check_standby() {
    // The first read, at the program's start, is the largest one: it waits for the connection.
    auto const end = coarse_clock::now() + first_connection;
    while (!use_.was_asked() && !standby_->ready() && coarse_clock::now() < end) co_await sleep_for(poll_interval);
    if (!standby_->ready()) co_return standby_->fault();
    auto const since = system_time().now() - compared_changes;
    std::vector<pg::statement> asked = {pg::select_moment(), select_logged(since)};
    auto const found = co_await primary_.run(std::move(asked));
    auto const wanted = read_server_changes(found.at(0), found.at(1));
    try {
        auto const why = co_await wait_for(wanted, since);
        co_return why;
    } catch (outage const&) {
        co_return "it gives no answer";
    } catch (pg::query_error const& error) {
        co_return "it can't answer: SQLSTATE " + error.sqlstate();
    }
}

task<std::string> catalogue_source::wait_for(server_changes const& wanted, timestamp since) {
    auto const deadline = coarse_clock::now() + max_lag;
    for (;;) {
        std::vector<pg::statement> asked = {pg::select_moment(), select_logged(since)};
        auto const found = co_await standby_->run(std::move(asked));
        auto const has = read_server_changes(found.at(0), found.at(1));
        if (has.line.empty() || has.line != wanted.line)
            co_return "it is another server, or on another timeline than the primary";
        if (has_all(has, wanted)) co_return std::string();
        if (coarse_clock::now() >= deadline) co_return "it is behind the primary by more than the permitted lag";
        co_await sleep_for(poll_interval);
    }
}

} // namespace recruiting::public_api
