// Which of a service's addresses gets a request: the one with the fewest under way, of the best rank there is. Pure.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace recruiting::gateway {

/// Each rank is used only when there is none of the ranks before it.
enum class address_rank : std::uint8_t {
    healthy,
    doubtful, // can be connected to, but tells that it is not ready, or lost requests
    trial,    // could not be connected to; one request at a time finds out whether it still can't
    down,     // known to be away: nothing is sent
};

struct candidate {
    std::uint32_t id{0};
    address_rank rank{address_rank::healthy};
    std::uint32_t share{100}; // per cent of its part of the requests, while it returns
    std::uint32_t under_way{0};
};

/// The addresses one request has failed on.
class tried_addresses {
public:
    static constexpr std::size_t most = 16;

    void add(std::uint32_t id) noexcept {
        if (size_ < most) ids_[size_++] = id;
    }
    /// One that may be at fault, or not: its connection was lost, but may only have been closed while it lay idle.
    void avoid(std::uint32_t id) noexcept { avoided_ = id; }
    [[nodiscard]] bool avoids(std::uint32_t id) const noexcept { return avoided_ == id; }
    [[nodiscard]] bool holds(std::uint32_t id) const noexcept {
        for (std::size_t i = 0; i < size_; ++i)
            if (ids_[i] == id) return true;
        return false;
    }

private:
    std::array<std::uint32_t, most> ids_{};
    std::size_t size_{0};
    std::optional<std::uint32_t> avoided_;
};

/// nullptr: there is none. random: breaks ties, and decides whether an address that returns is looked at.
[[nodiscard]] candidate* choose(std::span<candidate* const> all, tried_addresses const& tried,
                                std::uint32_t random) noexcept;

} // namespace recruiting::gateway
