#include "audit/refusal_counters.hpp"

#include <algorithm>

namespace recruiting::audit {
namespace {

timestamp minute_of(event const& of) { return std::chrono::floor<std::chrono::minutes>(of.occurred_at); }

} // namespace

std::vector<uuid> refusal_counters::counters_of(std::span<event const> events) const {
    std::vector<uuid> out;
    for (auto const& one : events) {
        auto const found = full_.find(one.credential_id.value());
        bool const is_full = found != full_.end() && found->second == minute_of(one);
        out.push_back(is_full ? own_ : uuid{});
    }
    return out;
}

void refusal_counters::note(std::span<event const> events, std::span<uuid const> written) {
    for (auto const& one : events) {
        if (std::ranges::find(written, one.id) != written.end()) continue;
        auto const minute = minute_of(one);
        auto const [at, is_new] = full_.try_emplace(one.credential_id.value(), minute);
        at->second = std::max(at->second, minute);
        if (is_new) std::erase_if(full_, [minute](auto const& key) { return key.second < minute; });
    }
}

} // namespace recruiting::audit
