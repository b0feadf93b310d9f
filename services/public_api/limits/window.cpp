#include "public_api/limits/window.hpp"

#include "core/text.hpp"

#include <algorithm>

namespace recruiting::public_api {

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

std::optional<api_error> refuse_over(std::vector<counted_use> const& uses, std::vector<std::int64_t> const& counts,
                                     timestamp now) {
    auto free_at = now;
    for (std::size_t i = 0; i < uses.size(); ++i)
        if (counts.at(i) > uses[i].most) free_at = std::max(free_at, window_at(now, uses[i].window).ends_at);
    if (free_at == now) return std::nullopt;
    auto refused = make_error(error_code::rate_limited);
    refused.retry_after_seconds = static_cast<int>(std::chrono::ceil<std::chrono::seconds>(free_at - now).count());
    return refused;
}

} // namespace recruiting::public_api
