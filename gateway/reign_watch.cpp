#include "gateway/reign_watch.hpp"

#include "core/ids.hpp"
#include "core/log.hpp"

namespace recruiting::gateway {
namespace {

// A reign that ended unnoticed is noticed within this; what the gateways counted is then told within moments.
constexpr std::chrono::milliseconds look_interval{500};
constexpr std::string_view mark_lifetime = "86400"; // seconds; a look prolongs it

redis::batch question() {
    redis::batch commands;
    commands.add({"SET", reign_key, new_request_id(), "NX", "EX", mark_lifetime});
    commands.add({"EXPIRE", reign_key, mark_lifetime});
    commands.add({"GET", reign_key});
    commands.add({"INFO", "replication"});
    return commands;
}

std::string_view text_of(redis::reply const& one) noexcept {
    return one.type == redis::reply::kind::text ? std::string_view(one.text) : std::string_view();
}

} // namespace

reign_watch::reign_watch(asio::io_context& context, redis::connection& redis, ceiling_shared& shared,
                         time_source const& clock, ceiling_settings const& settings, ceiling_metrics& counters)
    : redis_(redis), shared_(shared), clock_(clock), settings_(settings), metrics_(counters), again_(context) {}

void reign_watch::connection_changed(bool up) {
    if (std::exchange(under_, std::nullopt)) metrics_.redis_up.add(-1);
    if (up) look();
    else again_.cancel();
}

void reign_watch::look() {
    if (looking_) return;
    looking_ = true;
    again_.cancel();
    auto const commands = question();
    redis_.send(commands, [this](redis::outcome what, std::vector<redis::reply>& replies) {
        looking_ = false;
        if (what != redis::outcome::answered) return; // connection_changed() is told as well
        learn(replies);
        look_again_later();
    });
}

void reign_watch::look_again_later() {
    again_.expires_after(look_interval);
    again_.async_wait([this, alive = std::weak_ptr<void>(alive_)](auto cancelled) {
        if (!cancelled && !alive.expired()) look();
    });
}

// A user that may neither read nor write the mark is under the reign INFO tells, or under none that changes.
void reign_watch::learn(std::vector<redis::reply> const& replies) {
    auto const found = reign_of(text_of(replies[3]), text_of(replies[2]));
    bool const is_new = under_ != found;
    if (!under_) metrics_.redis_up.add(1);
    under_ = found;
    if (is_new) {
        metrics_.reigns.add();
        owes_ = true;
    }
    if (!error_since_look_ && in_error_) {
        if (shared_.errors.set(in_error_, false)) log::info("ceiling_counts_in_redis");
        metrics_.redis_in_error.add(-1);
    }
    error_since_look_ = false;
    bool const may_write = !replies[0].is_error();
    if (telling_ || !may_write) return;
    for (auto& table : shared_.tables) owes_ = table.take_debt() || owes_;
    if (std::exchange(owes_, false)) tell_debts(0);
}

void reign_watch::note_error(std::string_view why) {
    error_since_look_ = true;
    if (in_error_) return;
    if (shared_.errors.set(in_error_, true)) log::warning("ceiling_counts_alone", {{"reason", why}});
    metrics_.redis_in_error.add(1);
}

// Part after part, each when the one before is answered: other requests' writes go between them.
void reign_watch::tell_debts(std::size_t part) {
    telling_ = false;
    for (; under_ && part < count_table::parts * service_count; ++part) {
        auto now = std::make_shared<telling>();
        now->policy = part % service_count;
        now->under = *under_;
        auto const window = window_at(clock_.now(), settings_.policies[now->policy].window_seconds).number;
        now->debts = shared_.tables[now->policy].claim_debts(part / service_count, window, *under_);
        if (now->debts.empty()) continue;
        telling_ = true;
        redis_.send(write_debts(*now), [this, now, part](redis::outcome what, std::vector<redis::reply>& replies) {
            settle_debts(*now, what, replies);
            tell_debts(part + 1);
        });
        return;
    }
}

redis::batch reign_watch::write_debts(telling& what) {
    redis::batch commands;
    std::string key;
    std::size_t replies = 0;
    for (auto const& one : what.debts) {
        replies += add_count(commands, key, settings_, what.policy, one.who, what.under, one.sent);
        what.totals_at.push_back(replies - 1);
        metrics_.told_late.add(static_cast<std::uint64_t>(one.sent.report));
    }
    return commands;
}

void reign_watch::settle_debts(telling const& what, redis::outcome became, std::vector<redis::reply> const& replies) {
    auto& table = shared_.tables[what.policy];
    for (std::size_t i = 0; i < what.debts.size(); ++i) {
        auto const& [who, sent] = what.debts[i];
        auto const* const total = became == redis::outcome::answered ? &replies[what.totals_at[i]] : nullptr;
        if (total != nullptr && total->type == redis::reply::kind::integer)
            static_cast<void>(table.answered(who, 0, what.under, sent, total->integer));
        else static_cast<void>(table.failed(who, 0, what.under, sent, became == redis::outcome::lost));
    }
}

} // namespace recruiting::gateway
