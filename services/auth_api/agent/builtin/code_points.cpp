#include "auth_api/agent/builtin/code_points.hpp"

#include "core/text.hpp"

namespace recruiting::auth_api::agent::responder {
namespace {

// U+00C0 to U+017F without accents.
constexpr std::string_view latin_bases = "aaaaaaaceeeeiiiidnoooooxouuuuytsaaaaaaaceeeeiiiidnooooo ouuuuyty"
                                         "aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiiiiijjkkklllllll"
                                         "lllnnnnnnnnnoooooooorrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs";
static_assert(latin_bases.size() == 0x180 - 0xC0);

std::uint32_t assemble(std::string_view bytes) noexcept {
    constexpr unsigned lead_bits[] = {0, 0x7F, 0x1F, 0x0F, 0x07};
    auto value = static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[0]) & lead_bits[bytes.size()]);
    for (char const c : bytes.substr(1)) value = (value << 6U) | (static_cast<unsigned char>(c) & 0x3FU);
    return value;
}

bool between(std::uint32_t value, std::uint32_t first, std::uint32_t last) noexcept {
    return value >= first && value <= last;
}

} // namespace

code_point first_code_point(std::string_view text) noexcept {
    auto const lead = static_cast<unsigned char>(text[0]);
    std::size_t const size = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    if (text.size() < size || !is_utf8(text.substr(0, size))) return {};
    return {assemble(text.substr(0, size)), size};
}

bool is_word_character(std::uint32_t value) noexcept {
    if (value < 0x80) {
        auto const c = static_cast<char>(value);
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    }
    if (is_invisible(value) || between(value, 0x80, 0xBF)) return value == 0xAA || value == 0xB5 || value == 0xBA;
    return !between(value, 0x2000, 0x2BFF) && !between(value, 0x3000, 0x303F) && !between(value, 0xFF00, 0xFF0F) &&
           value != 0xFFFD;
}

bool is_invisible(std::uint32_t value) noexcept {
    return value < 0x20 || between(value, 0x7F, 0x9F) || value == 0xAD || between(value, 0x200B, 0x200F) ||
           between(value, 0x2028, 0x202E) || between(value, 0x2060, 0x206F) || value == 0xFEFF ||
           between(value, 0xE0000, 0xE007F);
}

void append_plain(std::string& out, std::string_view bytes, std::uint32_t value) {
    if (between(value, 'A', 'Z')) out += static_cast<char>(value + ('a' - 'A'));
    else if (between(value, 0xC0, 0x17F)) out += latin_bases[value - 0xC0];
    else if (!between(value, 0x300, 0x36F)) out += bytes;
}

} // namespace recruiting::auth_api::agent::responder
