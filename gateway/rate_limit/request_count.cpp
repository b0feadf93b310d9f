#include "gateway/rate_limit/request_count.hpp"

#include <algorithm>
#include <utility>

namespace recruiting::gateway {

request_count::report_state& request_count::report_to(generation under) noexcept {
    if (auto* const known = find_report(under)) return *known;
    reports_ = {report_state{under, 0, 0, false}, reports_.front()};
    return reports_.front();
}

request_count::report_state* request_count::find_report(generation under) noexcept {
    auto* const found = std::ranges::find(reports_, under, &report_state::under);
    return found == reports_.end() ? nullptr : &*found;
}

request_count::delta request_count::take_delta(std::int64_t n, generation under) noexcept {
    auto& reported = report_to(under);
    auto const unreported = mine_ - reported.reported;
    delta const out{unreported + n, others_ + ranked_ - unreported, reported.seen, !reported.has_lifetime,
                    ranked_locally_};
    mine_ += n;
    reported.reported = mine_;
    reported.has_lifetime = true;
    return out;
}

request_count::ranked request_count::answered(std::int64_t n, generation under, delta const& sent,
                                              std::int64_t total) noexcept {
    auto out = rank(n, sent, total);
    // Redis may know less than this process: what others have not reported yet, what it has lost, or what was ranked
    // here since the delta was taken. Its totals then rank no client lower than this process does. Else they are exact,
    // in whatever order the answers come.
    bool const lacks_counts = total - sent.report < sent.known || ranked_locally_ != sent.ranked_locally;
    if (lacks_counts && out.base < others_ + ranked_) out.base = rank_locally(n);
    else ranked_ += n;
    others_ = std::max(others_, total - mine_);
    if (auto* const reported = find_report(under))
        reported->seen = out.counter_decreased ? total : std::max(reported->seen, total);
    return out;
}

std::int64_t request_count::failed(std::int64_t n, generation under, delta const& sent,
                                   bool may_have_counted) noexcept {
    if (auto* const reported = find_report(under)) {
        if (sent.fresh) reported->has_lifetime = false; // the SET may be lost as well
        if (!may_have_counted) reported->reported = std::max<std::int64_t>(0, reported->reported - sent.report);
    }
    return rank_locally(n);
}

std::int64_t request_count::count_locally(std::int64_t n) noexcept {
    mine_ += n;
    return rank_locally(n);
}

// Requests that still wait for Redis get a rank of their own later: the limit holds among all of this process.
std::int64_t request_count::rank_locally(std::int64_t n) noexcept {
    ranked_locally_ += n;
    return others_ + std::exchange(ranked_, ranked_ + n);
}

} // namespace recruiting::gateway
