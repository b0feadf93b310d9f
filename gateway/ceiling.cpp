#include "gateway/ceiling.hpp"

#include "core/log.hpp"

namespace recruiting::gateway {
namespace {

constexpr std::size_t over_limit = 100'000;      // clients remembered; more are asked for in Redis again
constexpr std::string_view key_lifetime = "120"; // seconds: the window, and a margin for clocks that differ

char const* const decisions = "gateway_ceiling_decisions_total";
char const* const decisions_help = "Requests the ceiling judged.";

} // namespace

ceiling_metrics::ceiling_metrics(metrics::registry& registry)
    : allowed(registry.add_counter(decisions, decisions_help, R"(decision="allowed")")),
      refused(registry.add_counter(decisions, decisions_help, R"(decision="refused")")),
      refused_from_memory(
          registry.add_counter("gateway_ceiling_refused_from_memory_total",
                               "Requests refused without asking Redis: their client was over already.")),
      counted_alone(registry.add_counter("gateway_ceiling_counted_alone_total",
                                         "Requests counted in the process because Redis was away, slow or in error.")),
      redis_writes(registry.add_counter("gateway_redis_writes_total", "Pipelined writes to Redis.")),
      redis_errors(
          registry.add_counter("gateway_redis_errors_total", "Writes that Redis lost or answered with an error.")),
      redis_latency(registry.add_histogram("gateway_redis_seconds", "From a write to Redis to its last reply.")) {}

ceiling::ceiling(asio::io_context& context, redis::connection& redis, count_table& table, time_source const& clock,
                 ceiling_settings settings, ceiling_metrics& counters)
    : context_(context), redis_(redis), table_(table), clock_(clock), settings_(settings), metrics_(counters) {}

ceiling::client_key ceiling::key_of(route const& to, ip_address const& client) const noexcept {
    return {count_address(client, settings_.ipv6_bits), static_cast<std::size_t>(to.to)};
}

std::string ceiling::text_of(client_key const& who, std::int64_t number) const {
    std::string key;
    append_count_key(key, settings_.names[who.policy], count_name(who.address, settings_.ipv6_bits), number);
    return key;
}

std::optional<verdict> ceiling::at_once(route const& to, ip_address const& client) {
    auto const who = key_of(to, client);
    auto const when = window_at(clock_.now(), settings_.policies[who.policy].window_seconds);
    if (over_window_ == when.number && over_.contains(who)) {
        metrics_.refused_from_memory.add();
        metrics_.refused.add();
        return judge(settings_.policies[who.policy].limit + 1, settings_.policies[who.policy], when.seconds_left);
    }
    if (redis_.ready()) return std::nullopt;
    metrics_.counted_alone.add();
    auto const base = table_.count_alone(text_of(who, when.number), when.number, 1, 1);
    return decide(who, base + 1, when);
}

task<verdict> ceiling::in_turn(route const& to, ip_address const& client) {
    auto const who = key_of(to, client);
    auto const start = [this, who](completion<verdict> resume) { join(who, std::move(resume)); };
    return suspend<verdict>(context_.get_executor(), start);
}

void ceiling::join(client_key const& who, completion<verdict> resume) {
    if (!turn_) {
        turn_ = std::make_shared<turn>();
        // Runs behind everything this turn of the loop has ready, so all of it shares one write.
        asio::post(context_, [this] { flush(); });
    }
    auto const when = window_at(clock_.now(), settings_.policies[who.policy].window_seconds);
    auto const [found, is_new] = turn_->index.try_emplace(who, turn_->groups.size());
    if (!is_new && turn_->groups[found->second].when.number != when.number) found->second = turn_->groups.size();
    if (found->second == turn_->groups.size())
        turn_->groups.push_back({who, when, text_of(who, when.number), {}, 1, {}});
    turn_->groups[found->second].waiting.push_back(std::move(resume));
}

void ceiling::flush() {
    auto const now = std::exchange(turn_, nullptr);
    redis::batch commands;
    for (auto& one : now->groups) {
        one.sent = table_.claim_for(one.key, one.when.number, static_cast<std::int64_t>(one.waiting.size()));
        one.replies = one.sent.restore ? 2 : 1;
        // SET … NX gives the key its lifetime in the same write, and brings back what a restarted Redis lost.
        if (one.sent.restore) commands.add({"SET", one.key, std::to_string(one.sent.base), "NX", "EX", key_lifetime});
        commands.add({"INCRBY", one.key, std::to_string(one.sent.report)});
    }
    metrics_.redis_writes.add();
    now->began = std::chrono::steady_clock::now();
    redis_.send(commands,
                [this, now](redis::outcome what, std::vector<redis::reply>& replies) { settle(*now, what, replies); });
}

void ceiling::settle(turn& done, redis::outcome what, std::vector<redis::reply>& replies) {
    bool failed = what != redis::outcome::answered;
    std::string_view why = failed ? "no answer" : "";
    std::size_t at = 0;
    for (auto& one : done.groups) {
        std::int64_t const* total = nullptr;
        if (what == redis::outcome::answered) {
            at += one.replies;
            auto const& counted = replies[at - 1];
            if (counted.type == redis::reply::kind::integer) total = &counted.integer;
            else why = counted.text;
        }
        failed = failed || total == nullptr;
        settle(one, what, total);
    }
    if (failed) metrics_.redis_errors.add();
    if (!failed) metrics_.redis_latency.observe(std::chrono::steady_clock::now() - done.began);
    if (failed && !redis_in_error_) log::warning("ceiling_counts_alone", {{"reason", why}});
    if (!failed && redis_in_error_) log::info("ceiling_counts_in_redis");
    redis_in_error_ = failed;
}

// total: what Redis counts now, or nullptr when it did not say.
void ceiling::settle(group& one, redis::outcome what, std::int64_t const* total) {
    auto const n = static_cast<std::int64_t>(one.waiting.size());
    std::int64_t rank = 0;
    if (total != nullptr) {
        rank = table_.answered(one.key, one.when.number, n, one.sent, *total);
    } else {
        // A lost write may have counted: reporting it again could count twice, so it is not.
        auto const unsent = what == redis::outcome::lost ? 0 : one.sent.report;
        metrics_.counted_alone.add(static_cast<std::uint64_t>(n));
        rank = table_.count_alone(one.key, one.when.number, n, unsent);
    }
    for (auto& waiter : one.waiting) waiter.succeed(decide(one.who, ++rank, one.when));
}

verdict ceiling::decide(client_key const& who, std::int64_t rank, window const& when) {
    auto const limit = settings_.policies[who.policy].limit;
    auto const said = judge(rank, settings_.policies[who.policy], when.seconds_left);
    (said.allowed ? metrics_.allowed : metrics_.refused).add();
    if (rank >= limit) remember_over(who, when.number);
    return said;
}

void ceiling::remember_over(client_key const& who, std::int64_t number) {
    if (number < over_window_) return;
    if (number > over_window_) {
        over_window_ = number;
        over_.clear();
    }
    if (over_.size() < over_limit) over_.insert(who);
}

} // namespace recruiting::gateway
