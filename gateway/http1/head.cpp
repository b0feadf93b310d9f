#include "gateway/http1/head.hpp"

#include "gateway/http1/characters.hpp"

#include <algorithm>
#include <array>

namespace recruiting::gateway {
namespace {

bool at_line_end(std::string_view text, std::size_t at) noexcept {
    return at + 2 <= text.size() && text[at] == '\r' && text[at + 1] == '\n';
}

// "HTTP/1.1" or "HTTP/1.0"; any other two digits are another version.
std::optional<head_fault> take_version(std::string_view text, int& minor) noexcept {
    bool const well_formed = text.size() == 8 && text.starts_with("HTTP/") && is(text[5], digit_char) &&
                             text[6] == '.' && is(text[7], digit_char);
    if (!well_formed) return head_fault::malformed;
    if (text[5] != '1' || text[7] > '1') return head_fault::version;
    minor = text[7] - '0';
    return std::nullopt;
}

std::string_view trim_blanks(std::string_view text) noexcept {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
    return text;
}

// Some servers read "Content_Length" as Content-Length: what would then be a field the edge acts on is in doubt.
bool is_disguised(std::string_view name) noexcept {
    std::array<char, 32> plain{};
    if (name.size() > plain.size() || name.find('_') == std::string_view::npos) return false;
    std::replace_copy(name.begin(), name.end(), plain.begin(), '_', '-');
    return identify({plain.data(), name.size()}) != field_id::other;
}

constexpr std::uint64_t bit(field_id id) noexcept { return std::uint64_t{1} << static_cast<unsigned>(id); }

constexpr std::uint64_t singles = bit(field_id::access_control_request_method) | bit(field_id::authorization) |
                                  bit(field_id::content_length) | bit(field_id::content_type) | bit(field_id::cookie) |
                                  bit(field_id::expect) | bit(field_id::host) | bit(field_id::idempotency_key) |
                                  bit(field_id::max_forwards) | bit(field_id::origin) |
                                  bit(field_id::service_organization) | bit(field_id::transfer_encoding);

// Field lines up to the empty line, which must be the last of the head. A folded line begins with a blank, which is no
// token character: malformed, like white space before the colon.
std::optional<head_fault> parse_fields(std::string_view head, std::size_t at, head_limits const& limits,
                                       head_fields& out) {
    while (!at_line_end(head, at)) {
        auto const name_size = run(head, at, token_char);
        auto const colon = at + name_size;
        if (name_size == 0 || colon >= head.size() || head[colon] != ':') return head_fault::malformed;
        auto const value_size = run_of_value(head, colon + 1);
        auto const end = colon + 1 + value_size;
        if (!at_line_end(head, end)) return head_fault::malformed;
        if (out.list.size() == limits.fields || end + 2 - at > limits.line) return head_fault::too_large;
        auto const name = head.substr(at, name_size);
        auto const id = identify(name);
        if (id == field_id::other && is_disguised(name)) return head_fault::malformed;
        out.list.push_back(
            {head.substr(at, end + 2 - at), name, trim_blanks(head.substr(colon + 1, value_size)), id, false});
        out.repeated |= out.present & bit(id);
        out.present |= bit(id);
        at = end + 2;
    }
    return at + 2 == head.size() ? std::nullopt : std::optional(head_fault::malformed);
}

} // namespace

field const* head_fields::repeated_single() const noexcept {
    auto const doubtful = repeated & singles;
    if (doubtful == 0) return nullptr;
    auto const found =
        std::find_if(list.begin(), list.end(), [doubtful](field const& f) { return (doubtful & bit(f.id)) != 0; });
    return &*found;
}

std::string_view head_fields::value(field_id id) const noexcept {
    if (!has(id)) return {};
    auto const found = std::find_if(list.begin(), list.end(), [id](field const& f) { return f.id == id; });
    return found == list.end() ? std::string_view() : found->value;
}

void head_fields::clear() noexcept {
    list.clear();
    present = repeated = 0;
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
    if (method_size == 0 || head[method_size] != ' ') return head_fault::malformed;
    if (method_size > 32) return head_fault::method;
    auto const target_at = method_size + 1;
    auto const target_size = run(head, target_at, target_char);
    auto const version_at = target_at + target_size + 1;
    if (target_size > limits.target) return head_fault::target_too_long;
    if (target_size == 0 || head[version_at - 1] != ' ' || !at_line_end(head, version_at + 8))
        return head_fault::malformed;
    if (auto const fault = take_version(head.substr(version_at, 8), out.minor_version)) return fault;
    out.method = head.substr(0, method_size);
    out.target = head.substr(target_at, target_size);
    out.line = head.substr(0, version_at + 10);
    return parse_fields(head, version_at + 10, limits, out.fields);
}

std::optional<head_fault> parse_response_head(std::string_view head, head_limits const& limits, response_head& out) {
    out.fields.clear();
    // "HTTP/1.1 200 OK": the reason may be empty, and some servers then leave out the blank before it.
    if (head.size() < 16 || take_version(head.substr(0, 8), out.minor_version)) return head_fault::malformed;
    if (head[8] != ' ' || run(head, 9, digit_char) != 3) return head_fault::malformed;
    out.status = static_cast<unsigned>((head[9] - '0') * 100 + (head[10] - '0') * 10 + (head[11] - '0'));
    if (out.status < 100 || out.status > 599) return head_fault::malformed;
    std::size_t line_end = 12;
    out.reason = {};
    if (head[12] == ' ') {
        auto const size = run_of_value(head, 13);
        out.reason = head.substr(13, size);
        line_end = 13 + size;
    }
    if (!at_line_end(head, line_end)) return head_fault::malformed;
    return parse_fields(head, line_end + 2, limits, out.fields);
}

bool is_token(std::string_view text) noexcept { return !text.empty() && run(text, 0, token_char) == text.size(); }

} // namespace recruiting::gateway
