// The ceiling, second half: what became of a write, and what each request is told.
#include "gateway/ceiling.hpp"

namespace recruiting::gateway {
namespace {

using std::chrono::steady_clock;

constexpr std::size_t over_limit = 100'000; // clients remembered; more are asked for in Redis again

} // namespace

void ceiling::settle(turn* sent, redis::outcome what, std::vector<redis::reply>& replies) {
    std::unique_ptr<turn> done(sent);
    --under_way_;
    if (what == redis::outcome::answered) {
        round_trip_ = steady_clock::now() - done->sent_at;
        metrics_.redis_latency.observe(round_trip_);
    } else {
        fail("no answer");
    }
    for (std::size_t i = 0; i < done->used; ++i) {
        auto& one = done->groups[i];
        answer(one, base_of(one, done->under, what, replies));
    }
    done->reset();
    spare_.push_back(std::move(done));
    // Those that were held, behind one more turn of the loop: it brings them company.
    if (!open_) return;
    asio::post(context_, [this, alive = std::weak_ptr<void>(alive_)] {
        if (!alive.expired()) post_flush();
    });
}

// Of the group's requests: the number before the first one's.
std::int64_t ceiling::base_of(turn::group const& one, reign under, redis::outcome what,
                              std::vector<redis::reply> const& replies) {
    auto& table = shared_.tables[one.policy];
    auto const n = static_cast<std::int64_t>(one.waiting.size());
    bool const answered = what == redis::outcome::answered;
    if (!answered || replies[one.total_at].type != redis::reply::kind::integer) {
        if (answered) fail(replies[one.total_at].text);
        metrics_.counted_alone.add(static_cast<std::uint64_t>(n));
        return table.failed(one.who, n, under, one.sent, what == redis::outcome::lost);
    }
    auto const ranked = table.answered(one.who, n, under, one.sent, replies[one.total_at].integer);
    bool const may_stay_for_ever = one.sent.fresh && replies[one.total_at - 1].is_error();
    if (ranked.redis_forgot || may_stay_for_ever) give_lifetime(one, under);
    if (ranked.redis_forgot) reigns_.look();
    return ranked.base;
}

void ceiling::fail(std::string_view why) {
    metrics_.redis_errors.add();
    reigns_.note_error(why);
}

// Redis lost the key, and our INCRBY made it anew: without a lifetime.
void ceiling::give_lifetime(turn::group const& one, reign under) {
    std::string key;
    append_count_key(key, settings_.names[one.policy], one.who, settings_.ipv6_bits, under);
    redis::batch command;
    command.add({"EXPIRE", key, std::to_string(key_lifetime(settings_.policies[one.policy]))});
    redis_.send(command, [](redis::outcome, std::vector<redis::reply>&) {});
}

// Redis went away between the requests' joining and their write.
void ceiling::count_alone(turn& done) {
    for (std::size_t i = 0; i < done.used; ++i) {
        auto& one = done.groups[i];
        auto const n = static_cast<std::int64_t>(one.waiting.size());
        metrics_.counted_alone.add(static_cast<std::uint64_t>(n));
        answer(one, shared_.tables[one.policy].count_alone(one.who, n));
    }
}

void ceiling::answer(turn::group& one, std::int64_t base) {
    for (auto& waiter : one.waiting) waiter.succeed(decide(one.policy, one.who, ++base, one.seconds_left));
}

verdict ceiling::decide(std::size_t policy, count_table::client const& who, std::int64_t rank, int seconds_left) {
    auto const& limited = settings_.policies[policy];
    auto const said = judge(rank, limited, seconds_left);
    auto const& counters = metrics_.by_policy[policy];
    (!said.over ? counters.allowed : said.shadow ? counters.shadow_refused : counters.refused)->add();
    if (rank >= limited.limit) remember_over(over_[policy], who);
    return said;
}

void ceiling::remember_over(over_clients& over, count_table::client const& who) {
    if (who.window < over.window) return; // was under way when its window ended
    if (over.window != who.window) {
        over.window = who.window;
        over.known.clear();
    }
    if (over.known.size() < over_limit) over.known.insert(who.address);
}

} // namespace recruiting::gateway
