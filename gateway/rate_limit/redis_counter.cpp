#include "gateway/rate_limit/redis_counter.hpp"

#include "core/ids.hpp"
#include "core/log.hpp"

namespace recruiting::gateway {
namespace {

// A generation that ended unnoticed is noticed within this and a tick; what the gateways counted is then reported
// within moments.
constexpr std::chrono::milliseconds poll_interval{400};
// Seconds; every poll prolongs it. No count of a current window lives for less: if the clock of Redis jumps and counts
// expire early, the mark has expired too, and a new generation gets them again.
constexpr std::string_view mark_lifetime = "60";

redis::batch question() {
    redis::batch commands;
    commands.add({"SET", generation_key, new_request_id(), "NX", "EX", mark_lifetime});
    commands.add({"EXPIRE", generation_key, mark_lifetime});
    commands.add({"GET", generation_key});
    commands.add({"INFO", "replication"});
    return commands;
}

std::string_view text_of(redis::reply const& one) noexcept {
    return one.type == redis::reply::kind::text ? std::string_view(one.text) : std::string_view();
}

} // namespace

void append_count_key(std::string& out, std::size_t policy, local_counts::client_key const& client,
                      std::int64_t ipv6_bits, generation under) {
    out.append("rl:").append(policy_names[policy]) += ':';
    append_count_name(out, client.address, ipv6_bits);
    out += ':';
    append_number(out, client.window);
    out += ':';
    for (int shift = 28; shift >= 0; shift -= 4) out += "0123456789abcdef"[(under >> shift) & 15U];
}

std::size_t add_count(redis::batch& commands, std::string& key, limiter_settings const& settings, std::size_t policy,
                      local_counts::client_key const& client, generation under, local_counts::delta const& sent) {
    key.clear();
    append_count_key(key, policy, client, settings.ipv6_bits, under);
    if (sent.fresh) commands.add({"SET", key, "0", "NX", "EX", key_lifetime(settings.policy(policy))});
    commands.add({"INCRBY", key, std::to_string(sent.report)});
    return sent.fresh ? 2 : 1;
}

std::string key_lifetime(limit_policy const& policy) { return std::to_string(policy.window_seconds + 60); }

void redis_counter::connection_changed(bool up) {
    if (std::exchange(under_, std::nullopt)) metrics_.redis_up.add(-1);
    if (up) poll();
}

void redis_counter::poll() {
    if (std::exchange(polling_, true)) return;
    redis_.send(question(), [this](redis::batch_status what, std::vector<redis::reply>& replies) {
        polling_ = false;
        if (what != redis::batch_status::answered) return; // connection_changed() is called as well
        next_poll_ = std::chrono::steady_clock::now() + poll_interval;
        learn(replies);
    });
}

void redis_counter::on_tick(std::chrono::steady_clock::time_point now) {
    if (under_ && now >= next_poll_) poll();
}

// For a user that may neither read nor write the mark, INFO alone gives the generation, or a constant does.
void redis_counter::learn(std::vector<redis::reply> const& replies) {
    auto const found = generation_of(text_of(replies[3]), text_of(replies[2]));
    bool const is_new = under_ != found;
    if (!under_) metrics_.redis_up.add(1);
    under_ = found;
    if (is_new) {
        metrics_.generations.add();
        must_report_ = true;
    }
    if (!error_since_poll_ && failing_) {
        if (shared_.errors.set(failing_, false)) log::info("rate_limit_counts_in_redis");
        metrics_.redis_failing.add(-1);
    }
    error_since_poll_ = false;
    bool const may_write = !replies[0].is_error();
    if (reporting_ || !may_write) return;
    for (auto& table : shared_.tables) must_report_ = table.has_unreported() || must_report_;
    if (std::exchange(must_report_, false)) report_from(0);
}

void redis_counter::note_error(std::string_view why) {
    error_since_poll_ = true;
    if (failing_) return;
    if (shared_.errors.set(failing_, true)) log::warning("rate_limit_counts_locally", {{"reason", why}});
    metrics_.redis_failing.add(1);
}

// Part after part, each when the one before is answered: other requests' writes go between them.
void redis_counter::report_from(std::size_t part) {
    reporting_ = false;
    for (; under_ && part < local_counts::parts * rate_policy_count; ++part) {
        auto now = std::make_shared<reporting>();
        now->policy = part % rate_policy_count;
        now->under = *under_;
        auto const window = window_at(clock_.now(), settings_.policy(now->policy).window_seconds).number;
        now->deltas = shared_.tables[now->policy].take_unreported(part / rate_policy_count, window, *under_);
        if (now->deltas.empty()) continue;
        reporting_ = true;
        redis_.send(write_unreported(*now),
                    [this, now, part](redis::batch_status what, std::vector<redis::reply>& replies) {
                        finish_unreported(*now, what, replies);
                        report_from(part + 1);
                    });
        return;
    }
}

redis::batch redis_counter::write_unreported(reporting& what) {
    redis::batch commands;
    std::string key;
    std::size_t replies = 0;
    for (auto const& one : what.deltas) {
        replies += add_count(commands, key, settings_, what.policy, one.client, what.under, one.sent);
        what.totals_at.push_back(replies - 1);
        metrics_.replayed.add(static_cast<std::uint64_t>(one.sent.report));
    }
    return commands;
}

void redis_counter::finish_unreported(reporting const& what, redis::batch_status became,
                                      std::vector<redis::reply> const& replies) {
    auto& table = shared_.tables[what.policy];
    for (std::size_t i = 0; i < what.deltas.size(); ++i) {
        auto const& [client, sent] = what.deltas[i];
        auto const* const total = became == redis::batch_status::answered ? &replies[what.totals_at[i]] : nullptr;
        if (total != nullptr && total->type == redis::reply::kind::integer)
            static_cast<void>(table.answered(client, 0, what.under, sent, total->integer));
        else static_cast<void>(table.failed(client, 0, what.under, sent, became == redis::batch_status::lost));
    }
}

} // namespace recruiting::gateway
