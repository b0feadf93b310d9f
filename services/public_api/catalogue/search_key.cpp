#include "public_api/catalogue/search_key.hpp"

#include "core/text.hpp"

#include <algorithm>
#include <array>
#include <utf8proc.h>
#include <vector>

namespace recruiting::public_api {
namespace {

// Most titles: nothing in them decomposes.
bool is_ascii(std::string_view text) noexcept {
    return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

utf8proc_int32_t lower_mapped(utf8proc_int32_t code_point, void*) { return utf8proc_tolower(code_point); }

bool is_accent(utf8proc_int32_t code_point) noexcept { return code_point >= 0x300 && code_point <= 0x36F; }

// options: of utf8proc_decompose. Empty: text is not UTF-8.
std::vector<utf8proc_int32_t> code_points_of(std::string_view text, int options) {
    auto const* const bytes = reinterpret_cast<utf8proc_uint8_t const*>(text.data());
    auto const size = static_cast<utf8proc_ssize_t>(text.size());
    auto const decompose = [&](std::vector<utf8proc_int32_t>& into) {
        return utf8proc_decompose_custom(bytes, size, into.data(), static_cast<utf8proc_ssize_t>(into.size()),
                                         static_cast<utf8proc_option_t>(options), lower_mapped, nullptr);
    };
    std::vector<utf8proc_int32_t> points(text.size());
    auto const needed = decompose(points);
    if (needed > static_cast<utf8proc_ssize_t>(points.size())) {
        points.resize(static_cast<std::size_t>(needed));
        decompose(points);
    }
    points.resize(needed < 0 ? 0 : static_cast<std::size_t>(needed));
    return points;
}

std::string folded(std::string_view text, int options, bool without_accents) {
    if (is_ascii(text)) return to_lower(text);
    auto const points = code_points_of(text, options);
    if (points.empty()) return std::string(text);
    std::string out;
    std::array<utf8proc_uint8_t, 4> encoded{};
    for (auto const point : points) {
        if (without_accents && is_accent(point)) continue;
        auto const size = utf8proc_encode_char(point, encoded.data());
        out.append(reinterpret_cast<char const*>(encoded.data()), static_cast<std::size_t>(size));
    }
    return out;
}

} // namespace

std::string search_key(std::string_view text) { return folded(text, UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT, true); }

std::string lower_case(std::string_view text) { return folded(text, 0, false); }

} // namespace recruiting::public_api
