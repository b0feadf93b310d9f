#include "public_api/catalogue/catalogue_source.hpp"

#include "core/log.hpp"
#include "pg/standby_store.hpp"

namespace recruiting::public_api {
namespace {

constexpr std::chrono::seconds rejection_time{5}; // a standby that is behind delays one reload in this time
constexpr std::chrono::milliseconds poll_interval{20};
constexpr std::chrono::milliseconds first_connection{500};
constexpr std::chrono::hours compared_changes{6}; // PostgreSQL deletes none of them (notify_published)

} // namespace

catalogue_source::catalogue_source(asio::io_context& context, ticker& clock, pg::pipeline& primary,
                                   std::optional<standby_settings> const& standby, standby_metrics& counters)
    : ticks_(clock), primary_(primary), counters_(counters) {
    if (!standby) return;
    max_lag_ = standby->max_lag;
    standby_.emplace(context, clock, standby->connection);
}

task<pg::pipeline*> catalogue_source::choose() {
    if (!standby_ || coarse_clock::now() < retry_at_) co_return &primary_;
    auto const why = co_await why_not();
    note(why);
    co_return why.empty() ? &*standby_ : &primary_;
}

void catalogue_source::failed(pg::pipeline const* chosen) {
    if (standby_ && chosen == &*standby_) note("a read failed");
}

void catalogue_source::note(std::string const& why_not) {
    counters_.in_use.set(why_not.empty() ? 1 : 0);
    if (!why_not.empty()) {
        counters_.rejections.add();
        retry_at_ = coarse_clock::now() + rejection_time;
    }
    if (noted_ == why_not) return;
    noted_ = why_not;
    if (why_not.empty()) log::info("catalogue_standby_used", {});
    else log::warning("catalogue_standby_rejected", {{"message", why_not}});
}

task<std::string> catalogue_source::why_not() {
    bool const is_first = !noted_; // the start's read is the largest one
    for (auto const end = coarse_clock::now() + first_connection;
         is_first && !standby_->ready() && coarse_clock::now() < end;)
        co_await sleep_for(poll_interval);
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
    auto const deadline = coarse_clock::now() + max_lag_;
    for (;;) {
        std::vector<pg::statement> asked = {pg::select_moment(), select_logged(since)};
        auto const found = co_await standby_->run(std::move(asked));
        auto const has = read_server_changes(found.at(0), found.at(1));
        if (has.server.empty() || has.server != wanted.server)
            co_return "it is another server, or on another timeline than the primary";
        if (has_all(has, wanted)) co_return std::string();
        if (coarse_clock::now() >= deadline) co_return "it is behind the primary by more than the permitted lag";
        co_await sleep_for(poll_interval);
    }
}

} // namespace recruiting::public_api
