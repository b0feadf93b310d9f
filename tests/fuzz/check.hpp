// What fuzz targets share: a check that ends the run, and input that is used up from its front.
#pragma once
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace recruiting::fuzz {

inline void check(bool holds, char const* what) {
    if (holds) return;
    std::fprintf(stderr, "does not hold: %s\n", what);
    std::abort();
}

/// The first bytes of an input decide how the rest is used.
class input {
public:
    input(std::uint8_t const* data, std::size_t size) : rest_(reinterpret_cast<char const*>(data), size) {}
    [[nodiscard]] std::uint8_t byte() noexcept {
        if (rest_.empty()) return 0;
        auto const value = static_cast<std::uint8_t>(rest_.front());
        rest_.remove_prefix(1);
        return value;
    }
    [[nodiscard]] std::string_view rest() const noexcept { return rest_; }

private:
    std::string_view rest_;
};

/// Sizes of pieces, pseudo-random from a seed: the same input is always cut the same way.
class pieces {
public:
    explicit pieces(std::uint8_t seed) : state_(seed * 2654435761U + 1) {}
    [[nodiscard]] std::size_t next() noexcept {
        state_ = state_ * 1664525U + 1013904223U;
        auto const size = state_ >> 24U;
        return size < 128 ? 1 + size % 4 : size;
    }

private:
    std::uint32_t state_;
};

} // namespace recruiting::fuzz
