#include "public_api/limits/limits.hpp"

#include "core/text.hpp"

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <utility>

namespace recruiting::public_api {
namespace {

// The most keys of one limit and window that one process writes to Redis, which keeps them for a day
// (proto-docs/scaling.md).
constexpr std::size_t most_clients = 100'000;

rate_limit::options options_of(redis::address const& where, std::array<std::int64_t, 3> const& most) {
    constexpr std::int64_t hour = 3'600;
    rate_limit::options out;
    out.policies = {{booking_client_limit, most[0], hour},
                    {booking_address_limit, most[1], 24 * hour},
                    {booking_address_total_limit, most[2], 24 * hour}};
    out.redis = where;
    out.key_prefix = "bl:";
    out.append_client = [](std::string& name, rate_limit::client_key const& client) {
        name += to_base64url({reinterpret_cast<char const*>(client.data()), client.size()});
    };
    out.clients_limit = most_clients;
    return out;
}

// Policies are in the order of limit_names.
std::size_t policy_of(counted_use const& use) {
    return static_cast<std::size_t>(std::ranges::find(limit_names, use.name) - limit_names.begin());
}

struct full_window {
    counted_use const* use;
    int seconds; // until it ends
};

std::string sentence_of(std::string_view limit) {
    if (limit == booking_client_limit)
        return "This client has reached the limit of booking requests for this job. Try again later.";
    if (limit == booking_address_limit)
        return "This client's network has reached today's limit of booking requests for this e-mail address.";
    return "The interview has reached the limit of changes through its links. Try again later.";
}

// An item of a structured list (RFC 9651 section 3.1): "booking_client";r=0;t=1800
void append_item(std::string& out, std::string_view name,
                 std::initializer_list<std::pair<std::string_view, std::int64_t>> parameters) {
    if (!out.empty()) out += ", ";
    out.append("\"").append(name).append("\"");
    for (auto const& [key, value] : parameters) {
        out.append(";").append(key).append("=");
        append_number(out, value);
    }
}

// While the cursor secret is rotated a use is counted under the keys of both secrets, and is over its limit once.
bool is_over(std::vector<counted_use> const& uses, std::vector<std::int64_t> const& numbers, std::size_t which) {
    auto const over = [&](std::size_t i) { return numbers.at(i) > uses[i].most; };
    if (!over(which)) return false;
    for (std::size_t i = 0; i < which; ++i)
        if (uses[i].name == uses[which].name && over(i)) return false;
    return true;
}

} // namespace

std::optional<limit_refusal> refuse_over(std::vector<counted_use> const& uses, std::vector<std::int64_t> const& numbers,
                                         timestamp now) {
    std::vector<full_window> full;
    for (std::size_t i = 0; i < uses.size(); ++i)
        if (!uses[i].is_silent && is_over(uses, numbers, i))
            full.push_back({&uses[i], rate_limit::window_at(now, uses[i].window.count()).seconds_left});
    if (full.empty()) return std::nullopt;
    std::ranges::stable_sort(full, std::ranges::greater(), &full_window::seconds);
    limit_refusal out{make_error(error_code::rate_limited), {}, {}};
    out.error.retry_after_seconds = full.front().seconds;
    for (auto const& [use, seconds] : full) {
        std::string const name(use->name);
        out.error.details.push_back({"limit", name, name, sentence_of(use->name)});
        append_item(out.policy, name, {{"q", use->most}, {"w", use->window.count()}});
        append_item(out.state, name, {{"r", 0}, {"t", seconds}});
    }
    return out;
}

shared_limits::shared_limits(redis::address const& where, std::array<std::int64_t, 3> const& most,
                             metrics::registry& registry)
    : counts(options_of(where, most), registry) {
    for (auto const name : limit_names)
        refused[name] = &registry.add_counter("recruiting_public_api_limited_requests_total",
                                              "Requests over a booking limit.", "limit=\"" + std::string(name) + '"');
}

task<limit_decision> limiter::count(std::vector<counted_use> const& uses, timestamp now) {
    std::vector<std::int64_t> numbers(uses.size()); // 0: not counted yet
    bool is_refused = false;
    auto const counted = [&](std::size_t i, std::int64_t number) {
        numbers[i] = number;
        is_refused |= !uses[i].is_silent && number > uses[i].most;
    };
    for (std::size_t i = 0; i < uses.size(); ++i) {
        if (uses[i].is_silent) continue;
        if (auto const known = counts_.at_once(policy_of(uses[i]), uses[i].key, now)) counted(i, known->number);
    }
    for (std::size_t i = 0; i < uses.size(); ++i) {
        if (numbers[i] > 0 || (uses[i].is_silent && is_refused)) continue;
        if (is_refused) {
            counted(i, counts_.count_locally(policy_of(uses[i]), uses[i].key, now).number);
        } else {
            auto const number = co_await number_of(uses[i], now);
            counted(i, number);
        }
    }
    co_return decide(uses, numbers, now);
}

// Takes the same time whatever is known of the use: when a silent limit is exceeded, nothing may tell it.
task<std::int64_t> limiter::number_of(counted_use const& use, timestamp now) {
    auto const start = [this, &use, now](completion<rate_limit::count> resume) {
        counts_.join(policy_of(use), use.key, now, std::move(resume));
    };
    auto const counted = co_await suspend<rate_limit::count>(context_.get_executor(), start);
    co_return counted.number;
}

limit_decision limiter::decide(std::vector<counted_use> const& uses, std::vector<std::int64_t> const& numbers,
                               timestamp now) {
    limit_decision out{refuse_over(uses, numbers, now), false};
    for (std::size_t i = 0; i < uses.size(); ++i) {
        if (!is_over(uses, numbers, i)) continue;
        shared_.refused.at(uses[i].name)->add();
        out.is_excess |= uses[i].is_silent;
    }
    return out;
}

limit_refusal limiter::refuse(counted_use const& use, timestamp now) {
    shared_.refused.at(use.name)->add();
    return refuse_over({use}, {use.most + 1}, now).value();
}

} // namespace recruiting::public_api
