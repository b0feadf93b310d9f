#include "public_api/limits/window.hpp"

#include "core/text.hpp"

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <utility>

namespace recruiting::public_api {
namespace {

struct full_window {
    counted_use const* use;
    int seconds; // until it ends
};

int seconds_left(counted_use const& use, timestamp now) {
    return static_cast<int>(std::chrono::ceil<std::chrono::seconds>(window_at(now, use.window).ends_at - now).count());
}

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

// Keys are digests, so the next one is arbitrary: no client chooses whose count is dropped.
template <class Counts>
void drop_neighbour(Counts& counts, typename Counts::iterator added) {
    auto const next = std::next(added);
    counts.erase(next == counts.end() ? counts.begin() : next);
}

} // namespace

window window_at(timestamp now, std::chrono::seconds length) noexcept {
    auto const number = std::chrono::floor<std::chrono::seconds>(now.time_since_epoch()) / length;
    return {number, timestamp{(number + 1) * length}};
}

std::string count_key(counted_use const& use, timestamp now) {
    std::string key = "bl:";
    key.append(use.name).append(":").append(use.key).append(":");
    append_number(key, window_at(now, use.window).number);
    return key;
}

std::optional<limit_refusal> refuse_over(std::vector<counted_use> const& uses, std::vector<std::int64_t> const& counts,
                                         timestamp now) {
    std::vector<full_window> full;
    for (std::size_t i = 0; i < uses.size(); ++i)
        if (!uses[i].is_silent && counts.at(i) > uses[i].most) full.push_back({&uses[i], seconds_left(uses[i], now)});
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

local_count window_counts::add_one(counted_use const& use, timestamp now) {
    auto& held = tables_[use.name];
    auto const window = window_at(now, use.window).number;
    // A thread whose clock was read just before the window began counts in the new one.
    if (window > held.window) held = {window, {}, {}};
    if (auto const known = held.shared.find(use.key); known != held.shared.end()) return {++known->second, true};
    if (held.shared.size() < most_) {
        held.shared.emplace(use.key, 1);
        return {1, true};
    }
    auto const [at, is_new] = held.own.try_emplace(use.key, 0);
    auto const count = ++at->second;
    if (is_new && held.own.size() > most_) drop_neighbour(held.own, at);
    return {count, false};
}

std::vector<local_count> window_counts::add(std::vector<counted_use> const& uses, timestamp now) {
    std::lock_guard const lock(mutex_);
    std::vector<local_count> counts;
    bool is_refused = false;
    for (auto const& use : uses) {
        auto const counted = use.is_silent && is_refused ? local_count{} : add_one(use, now);
        is_refused |= !use.is_silent && counted.count > use.most;
        counts.push_back(counted);
    }
    return counts;
}

std::size_t window_counts::size() const {
    std::lock_guard const lock(mutex_);
    std::size_t all = 0;
    for (auto const& [limit, held] : tables_) all += held.shared.size() + held.own.size();
    return all;
}

} // namespace recruiting::public_api
