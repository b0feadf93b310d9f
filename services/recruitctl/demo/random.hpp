// Chance for the demo data: the same seed, kind and index always give the same record, however many others are made.
// SplitMix64 (Steele, Lea, Flood 2014); the standard library's distributions differ between implementations.
#pragma once
#include "core/ids.hpp"
#include "core/time.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

namespace recruiting::recruitctl {

class demo_random {
public:
    demo_random(std::uint64_t seed, std::string_view kind, std::uint64_t index) : state_(seed) {
        for (char const c : kind) state_ = next() ^ static_cast<unsigned char>(c);
        state_ = next() ^ index;
    }

    std::uint64_t next() noexcept {
        auto z = (state_ += 0x9E3779B97F4A7C15U);
        z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
        z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
        return z ^ (z >> 31U);
    }
    /// 0 … bound − 1; the bias of % is below what a demo shows.
    std::uint64_t below(std::uint64_t bound) noexcept { return next() % bound; }
    bool chance(unsigned percent) noexcept { return below(100) < percent; }
    template <class List>
    auto const& pick(List const& from) noexcept {
        return from[below(from.size())];
    }
    timestamp between(timestamp from, timestamp to) noexcept {
        auto const span = (to - from) / std::chrono::milliseconds(1);
        return span <= 0 ? from : from + std::chrono::milliseconds(below(static_cast<std::uint64_t>(span)));
    }
    /// A UUIDv7 (RFC 9562 section 5.7) of that time.
    uuid id(timestamp at) noexcept {
        uuid made;
        auto const millis = static_cast<std::uint64_t>(
            std::chrono::duration_cast<std::chrono::milliseconds>(at.time_since_epoch()).count());
        for (unsigned i = 0; i < 6; ++i) made.bytes[i] = static_cast<std::uint8_t>(millis >> (40U - 8U * i));
        for (std::size_t i = 6; i < 16; ++i) made.bytes[i] = static_cast<std::uint8_t>(next());
        made.bytes[6] = static_cast<std::uint8_t>(0x70U | (made.bytes[6] & 0x0FU));
        made.bytes[8] = static_cast<std::uint8_t>(0x80U | (made.bytes[8] & 0x3FU));
        return made;
    }

private:
    std::uint64_t state_;
};

/// The number in decimal with leading zeros, `width` digits at least: what demo ids end with.
inline std::string padded(std::uint64_t number, std::size_t width) {
    auto const text = std::to_string(number);
    return std::string(width - std::min(width, text.size()), '0') + text;
}

} // namespace recruiting::recruitctl
