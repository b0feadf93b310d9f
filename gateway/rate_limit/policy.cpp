#include "gateway/rate_limit/policy.hpp"

#include "core/text.hpp"
#include "gateway/rate_limit/total_counts.hpp"

namespace recruiting::gateway {
namespace {

metrics::counter& decided(metrics::registry& registry, std::string_view policy, std::string_view decision) {
    std::string labels = "policy=\"";
    labels.append(policy).append("\",decision=\"").append(decision).append("\"");
    return registry.add_counter("recruiting_gateway_ceiling_decisions_total", "Requests the ceiling judged.",
                                std::move(labels));
}

limiter_metrics::decisions decisions_under(metrics::registry& registry, std::string_view policy) {
    return {&decided(registry, policy, "allowed"), &decided(registry, policy, "refused"),
            &decided(registry, policy, "shadow_refused")};
}

} // namespace

limiter_metrics::limiter_metrics(metrics::registry& registry, limiter_settings const& settings)
    : by_policy{decisions_under(registry, settings.names[0]), decisions_under(registry, settings.names[1])},
      total_refused(decided(registry, total_counts::name, "refused")),
      total_shadow_refused(decided(registry, total_counts::name, "shadow_refused")),
      enforced(registry.add_gauge("recruiting_gateway_ceiling_enforced",
                                  "1: clients over the ceiling are refused; 0: shadow mode, or no ceiling.")),
      refused_from_memory(registry.add_counter("recruiting_gateway_ceiling_refused_from_memory_total",
                                               "Requests judged without asking Redis: their client was over already.")),
      counted_alone(registry.add_counter("recruiting_gateway_ceiling_counted_alone_total",
                                         "Requests counted in the process because Redis was away, slow or in error.")),
      told_late(registry.add_counter("recruiting_gateway_ceiling_told_late_total",
                                     "Requests that Redis was told of later: after it was away, or lost its counts.")),
      redis_writes(registry.add_counter("recruiting_gateway_redis_writes_total", "Pipelined writes to Redis.")),
      redis_errors(registry.add_counter("recruiting_gateway_redis_errors_total",
                                        "Writes that Redis lost or answered with an error.")),
      generations(
          registry.add_counter("recruiting_gateway_redis_reigns_total",
                               "How often a thread saw Redis begin to count anew: restarts, failovers, FLUSHALL.")),
      redis_up(registry.add_gauge("recruiting_redis_connections",
                                  "Connections to Redis, one a thread; a thread without one counts alone.")),
      redis_in_error(registry.add_gauge("recruiting_gateway_redis_in_error",
                                        "Threads that were answered with an error, or not at all, a moment ago.")),
      redis_latency(registry.add_histogram("recruiting_gateway_redis_write_duration_seconds",
                                           "From a write to Redis to its last reply.")) {
    enforced.set(settings.counts && !settings.policies[0].shadow ? 1 : 0);
}

void append_count_key(std::string& out, std::string_view policy, local_counts::client const& who, unsigned ipv6_bits,
                      generation under) {
    out.append("rl:").append(policy) += ':';
    append_count_name(out, who.address, ipv6_bits);
    out += ':';
    append_number(out, who.window);
    out += ':';
    for (int shift = 28; shift >= 0; shift -= 4) out += "0123456789abcdef"[(under >> shift) & 15U];
}

std::size_t add_count(redis::batch& commands, std::string& key, limiter_settings const& settings, std::size_t policy,
                      local_counts::client const& who, generation under, local_counts::delta const& sent) {
    key.clear();
    append_count_key(key, settings.names[policy], who, settings.ipv6_bits, under);
    if (sent.fresh) {
        auto const lifetime = std::to_string(key_lifetime(settings.policies[policy]));
        commands.add({"SET", key, "0", "NX", "EX", lifetime});
    }
    commands.add({"INCRBY", key, std::to_string(sent.report)});
    return sent.fresh ? 2 : 1;
}

} // namespace recruiting::gateway
