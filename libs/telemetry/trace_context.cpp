#include "telemetry/trace_context.hpp"

#include "core/ids.hpp"
#include "core/text.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace recruiting::tracing {
namespace {

constexpr std::uint64_t random_values = std::uint64_t{1} << 56U;

constexpr std::size_t version_00_size = 55;

int lower_hex(char c) noexcept {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return -1;
}

template <std::size_t Size>
bool read_hex(std::string_view text, std::array<std::uint8_t, Size>& out) noexcept {
    int wrong = 0;
    for (std::size_t i = 0; i < Size; ++i) {
        int const high = lower_hex(text[2 * i]);
        int const low = lower_hex(text[2 * i + 1]);
        wrong |= high | low; // -1 sets the sign
        out[i] = static_cast<std::uint8_t>(static_cast<unsigned>(high) << 4U | static_cast<unsigned>(low));
    }
    return wrong >= 0;
}

template <std::size_t Size>
void write_hex(char* to, std::array<std::uint8_t, Size> const& bytes) noexcept {
    constexpr char digits[] = "0123456789abcdef";
    for (std::size_t i = 0; i < Size; ++i) {
        to[2 * i] = digits[bytes[i] >> 4U];
        to[2 * i + 1] = digits[bytes[i] & 15U];
    }
}

template <std::size_t Size>
void append_bytes(std::string& out, std::array<std::uint8_t, Size> const& bytes) {
    char text[2 * Size];
    write_hex(text, bytes);
    out.append(text, sizeof text);
}

// Section 3.3.1.3.1
bool is_key_character(char c) noexcept {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '*' || c == '/';
}

bool is_key_part(std::string_view text, std::size_t longest, bool may_begin_with_digit) noexcept {
    if (text.empty() || text.size() > longest) return false;
    bool const letter = text.front() >= 'a' && text.front() <= 'z';
    bool const digit = text.front() >= '0' && text.front() <= '9';
    return (letter || (digit && may_begin_with_digit)) && std::all_of(text.begin(), text.end(), is_key_character);
}

bool is_key(std::string_view key) noexcept {
    auto const at = key.find('@');
    if (at == std::string_view::npos) return is_key_part(key, 256, false);
    return is_key_part(key.substr(0, at), 241, true) && is_key_part(key.substr(at + 1), 14, false);
}

bool is_value(std::string_view value) noexcept {
    auto const fits = [](char c) { return c >= 0x20 && c <= 0x7E && c != ',' && c != '='; };
    return !value.empty() && value.size() <= 256 && value.back() != ' ' &&
           std::all_of(value.begin(), value.end(), fits);
}

bool is_member(std::string_view member) noexcept {
    auto const equals = member.find('=');
    return equals != std::string_view::npos && is_key(member.substr(0, equals)) && is_value(member.substr(equals + 1));
}

} // namespace

trace_id new_trace_id() { return random_id().bytes; }

span_id new_span_id() {
    auto const random = random_id().bytes;
    span_id id;
    std::memcpy(id.data(), random.data(), id.size());
    return id;
}

std::optional<context> parse_traceparent(std::string_view field) noexcept {
    if (field.size() < version_00_size || field[2] != '-' || field[35] != '-' || field[52] != '-') return std::nullopt;
    std::array<std::uint8_t, 1> version{};
    std::array<std::uint8_t, 1> flags{};
    context out;
    if (!read_hex(field, version) || !read_hex(field.substr(3), out.trace) || !read_hex(field.substr(36), out.span) ||
        !read_hex(field.substr(53), flags))
        return std::nullopt;
    bool const longer = field.size() > version_00_size;
    if (version[0] == 0xFF || (longer && (version[0] == 0 || field[version_00_size] != '-'))) return std::nullopt;
    if (out.trace == trace_id{} || out.span == span_id{}) return std::nullopt;
    out.sampled = (flags[0] & 1U) != 0;
    return out;
}

void append_traceparent(std::string& out, context const& of) {
    out += "00-";
    append_bytes(out, of.trace);
    out += '-';
    append_bytes(out, of.span);
    out += of.sampled ? "-01" : "-00";
}

void append_hex(std::string& out, trace_id const& id) { append_bytes(out, id); }
void append_hex(std::string& out, span_id const& id) { append_bytes(out, id); }

trace_text::trace_text(context const& of) noexcept : size_(of.trace == trace_id{} ? 0 : text_.size()) {
    write_hex(text_.data(), of.trace);
}

std::optional<unsigned> count_tracestate(std::string_view field) noexcept {
    unsigned members = 0;
    for (;;) {
        auto const comma = field.find(',');
        auto const member = trim(field.substr(0, comma));
        if (!member.empty()) { // section 3.3.1.1: empty ones are allowed
            if (!is_member(member)) return std::nullopt;
            ++members;
        }
        if (comma == std::string_view::npos) return members;
        field.remove_prefix(comma + 1);
    }
}

ratio::ratio(double share) noexcept
    : below_(
          static_cast<std::uint64_t>(std::llround(std::clamp(share, 0.0, 1.0) * static_cast<double>(random_values)))) {}

bool ratio::takes(trace_id const& id) const noexcept {
    std::uint64_t random = 0;
    for (std::size_t i = 9; i < id.size(); ++i) random = random << 8U | id[i];
    return random_values - random <= below_;
}

} // namespace recruiting::tracing
