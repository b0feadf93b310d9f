#include "gateway/head.hpp"

#include <algorithm>
#include <array>

namespace recruiting::gateway {
namespace {

enum : std::uint8_t { token_char = 1, value_char = 2, target_char = 4, digit = 8 };

constexpr auto classes = [] {
    std::array<std::uint8_t, 256> table{};
    for (unsigned c = 0x21; c <= 0x7e; ++c) table[c] = value_char | target_char;
    for (unsigned c = 0x80; c <= 0xff; ++c) table[c] = value_char; // obs-text
    table[' '] = table['\t'] = value_char;
    for (char const c : std::string_view("!#$%&'*+-.^_`|~")) table[static_cast<unsigned char>(c)] |= token_char;
    for (unsigned c = '0'; c <= '9'; ++c) table[c] |= token_char | digit;
    for (unsigned c = 'A'; c <= 'Z'; ++c) table[c] |= token_char;
    for (unsigned c = 'a'; c <= 'z'; ++c) table[c] |= token_char;
    table['#'] &= static_cast<std::uint8_t>(~target_char); // a fragment is never sent
    return table;
}();

bool is(char c, std::uint8_t what) noexcept { return (classes[static_cast<unsigned char>(c)] & what) != 0; }

// How many characters from `from` on are of that class.
std::size_t run(std::string_view text, std::size_t from, std::uint8_t what) noexcept {
    std::size_t at = from;
    while (at < text.size() && is(text[at], what)) ++at;
    return at - from;
}

bool at_line_end(std::string_view text, std::size_t at) noexcept {
    return at + 2 <= text.size() && text[at] == '\r' && text[at + 1] == '\n';
}

// "HTTP/1.1" or "HTTP/1.0"
bool take_version(std::string_view text, int& minor) noexcept {
    if (text.size() != 8 || !text.starts_with("HTTP/1.") || (text[7] != '0' && text[7] != '1')) return false;
    minor = text[7] - '0';
    return true;
}

std::string_view trim_blanks(std::string_view text) noexcept {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
    return text;
}

// Field lines up to the empty line, which must be the last of the head. A folded line begins with a blank, which is no
// token character: malformed, like white space before the colon.
std::optional<head_fault> parse_fields(std::string_view head, std::size_t at, head_limits const& limits,
                                       head_fields& out) {
    while (!at_line_end(head, at)) {
        auto const name_size = run(head, at, token_char);
        auto const colon = at + name_size;
        if (name_size == 0 || colon >= head.size() || head[colon] != ':') return head_fault::malformed;
        auto const value_size = run(head, colon + 1, value_char);
        auto const end = colon + 1 + value_size;
        if (!at_line_end(head, end)) return head_fault::malformed;
        if (out.list.size() == limits.fields) return head_fault::too_large;
        auto const name = head.substr(at, name_size);
        auto const id = identify(name);
        out.list.push_back(
            {head.substr(at, end + 2 - at), name, trim_blanks(head.substr(colon + 1, value_size)), id, false});
        out.present |= std::uint64_t{1} << static_cast<unsigned>(id);
        at = end + 2;
    }
    return at + 2 == head.size() ? std::nullopt : std::optional(head_fault::malformed);
}

} // namespace

std::size_t head_fields::count(field_id id) const noexcept {
    if (!has(id)) return 0;
    return static_cast<std::size_t>(
        std::count_if(list.begin(), list.end(), [id](field const& f) { return f.id == id; }));
}

std::string_view head_fields::value(field_id id) const noexcept {
    if (!has(id)) return {};
    auto const found = std::find_if(list.begin(), list.end(), [id](field const& f) { return f.id == id; });
    return found == list.end() ? std::string_view() : found->value;
}

void head_fields::clear() noexcept {
    list.clear();
    present = 0;
}

head_finder::found head_finder::look(std::string_view data, head_limits const& limits) noexcept {
    auto const from = seen_ < 3 ? 0 : seen_ - 3;
    auto const end = data.find("\r\n\r\n", from);
    if (end != std::string_view::npos) {
        if (end + 4 > limits.head) return {0, head_fault::too_large};
        return {end + 4, std::nullopt};
    }
    if (!data.empty() && !is(data.front(), token_char)) return {0, head_fault::malformed};
    for (auto at = data.find('\n', from); at != std::string_view::npos; at = data.find('\n', at + 1))
        if (at == 0 || data[at - 1] != '\r') return {0, head_fault::malformed};
    // The longest method and the version leave room of 64 bytes beside the target.
    bool const in_first_line = data.substr(0, limits.target + 64).find('\n') == std::string_view::npos;
    if (in_first_line && data.size() > limits.target + 64) return {0, head_fault::target_too_long};
    if (data.size() >= limits.head) return {0, head_fault::too_large};
    seen_ = data.size();
    return {};
}

std::optional<head_fault> parse_request_head(std::string_view head, head_limits const& limits, request_head& out) {
    out.fields.clear();
    auto const method_size = run(head, 0, token_char);
    if (method_size == 0 || method_size > 32 || head[method_size] != ' ') return head_fault::malformed;
    auto const target_at = method_size + 1;
    auto const target_size = run(head, target_at, target_char);
    auto const version_at = target_at + target_size + 1;
    if (target_size > limits.target) return head_fault::target_too_long;
    if (target_size == 0 || head[version_at - 1] != ' ' || !at_line_end(head, version_at + 8))
        return head_fault::malformed;
    if (!take_version(head.substr(version_at, 8), out.minor_version)) return head_fault::malformed;
    out.method = head.substr(0, method_size);
    out.target = head.substr(target_at, target_size);
    out.line = head.substr(0, version_at + 10);
    return parse_fields(head, version_at + 10, limits, out.fields);
}

std::optional<head_fault> parse_response_head(std::string_view head, head_limits const& limits, response_head& out) {
    out.fields.clear();
    // "HTTP/1.1 200 OK": the reason may be empty, and some servers then leave out the blank before it.
    if (head.size() < 16 || !take_version(head.substr(0, 8), out.minor_version)) return head_fault::malformed;
    if (head[8] != ' ' || run(head, 9, digit) != 3) return head_fault::malformed;
    out.status = static_cast<unsigned>((head[9] - '0') * 100 + (head[10] - '0') * 10 + (head[11] - '0'));
    if (out.status < 100 || out.status > 599) return head_fault::malformed;
    std::size_t line_end = 12;
    out.reason = {};
    if (head[12] == ' ') {
        auto const size = run(head, 13, value_char);
        out.reason = head.substr(13, size);
        line_end = 13 + size;
    }
    if (!at_line_end(head, line_end)) return head_fault::malformed;
    return parse_fields(head, line_end + 2, limits, out.fields);
}

bool is_token(std::string_view text) noexcept { return !text.empty() && run(text, 0, token_char) == text.size(); }

} // namespace recruiting::gateway
