// How others' formats name our values.
#pragma once
#include <span>
#include <string_view>

namespace recruiting::public_api {

struct naming {
    std::string_view ours;
    std::string_view theirs;
};

/// Empty: the format has no name for it.
[[nodiscard]] constexpr std::string_view their_name(std::span<naming const> names, std::string_view ours) noexcept {
    for (auto const& name : names)
        if (name.ours == ours) return name.theirs;
    return {};
}

} // namespace recruiting::public_api
