#include "gateway/upstream_health.hpp"

#include <algorithm>
#include <utility>

namespace recruiting::gateway {

health_verdict judge(health_verdict before, check_result found, unsigned& in_row) noexcept {
    constexpr unsigned silent_in_row = 2;
    in_row = found == check_result::silent ? in_row + 1 : 0;
    switch (found) {
    case check_result::ready: return health_verdict::ready;
    case check_result::unready: return health_verdict::unready;
    case check_result::refused: return health_verdict::refused;
    case check_result::silent: break;
    }
    return in_row >= silent_in_row ? health_verdict::silent : before;
}

bool address_health::note_failure(bool reached, time_point now) noexcept {
    trial_at_ = now + trial_pause;
    reached_ = reached;
    proven_ = proven_ && reached;
    if (ejected_) return false;
    if (++failures_ < policy_.failures && !returning_) return false;
    auto const doublings = std::min(ejections_++, 16U);
    ejected_until_ = now + std::min(policy_.time * (std::int64_t{1} << doublings), policy_.longest);
    ejected_ = true;
    returning_ = false;
    return true;
}

bool address_health::note_verdict(health_verdict said, time_point now) noexcept {
    auto const before = std::exchange(verdict_, said);
    if (said == before) return false;
    proven_ = false;
    if (said == health_verdict::ready && before != health_verdict::unknown) begin_return(now);
    return said > before && said != health_verdict::ready;
}

void address_health::begin_return(time_point now) noexcept {
    ejected_ = false;
    proven_ = true;
    failures_ = 0;
    returning_ = true;
    returned_at_ = now;
}

void address_health::advance(time_point now) noexcept {
    if (ejected_ && now >= ejected_until_) begin_return(now);
    if (!returning_ || now - returned_at_ < policy_.slow_start) return;
    returning_ = false;
    ejections_ = 0;
}

address_rank address_health::rank(time_point now) const noexcept {
    if (verdict_ == health_verdict::silent) return address_rank::down; // a trial would wait for nothing
    bool const refuses = verdict_ == health_verdict::refused && !proven_;
    if (refuses || (ejected_ && !reached_)) return now < trial_at_ ? address_rank::down : address_rank::trial;
    // One that loses requests may lose some only: better than none, when there is none.
    return ejected_ || verdict_ == health_verdict::unready ? address_rank::doubtful : address_rank::healthy;
}

std::uint32_t address_health::share(time_point now) const noexcept {
    constexpr std::int64_t least = 10;
    if (!returning_ || policy_.slow_start.count() == 0) return 100;
    auto const passed = std::chrono::duration_cast<std::chrono::milliseconds>(now - returned_at_);
    auto const grown = passed.count() * (100 - least) / policy_.slow_start.count();
    return static_cast<std::uint32_t>(std::clamp<std::int64_t>(least + grown, least, 100));
}

} // namespace recruiting::gateway
