#include "recruitctl/demo/random.hpp"

namespace recruiting::recruitctl {

uuid demo_random::id(timestamp at) noexcept {
    uuid made;
    auto const millis = static_cast<std::uint64_t>(
        std::chrono::duration_cast<std::chrono::milliseconds>(at.time_since_epoch()).count());
    for (unsigned i = 0; i < 6; ++i) made.bytes[i] = static_cast<std::uint8_t>(millis >> (40U - 8U * i));
    for (std::size_t i = 6; i < 16; ++i) made.bytes[i] = static_cast<std::uint8_t>(next());
    made.bytes[6] = static_cast<std::uint8_t>(0x70U | (made.bytes[6] & 0x0FU));
    made.bytes[8] = static_cast<std::uint8_t>(0x80U | (made.bytes[8] & 0x3FU));
    return made;
}

std::string padded(std::uint64_t number, std::size_t width) {
    auto const text = std::to_string(number);
    return std::string(width - std::min(width, text.size()), '0') + text;
}

} // namespace recruiting::recruitctl
