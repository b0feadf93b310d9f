#include "http/strict_profile.hpp"

#include "core/text.hpp"

#include <algorithm>
#include <array>

namespace recruiting::http {
namespace {

namespace beast_http = boost::beast::http;
using fault = head_fault;

constexpr std::size_t method_most = 32;
constexpr std::size_t length_digits_most = 18;
constexpr std::size_t size_digits_most = 15;

constexpr bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }
constexpr bool is_blank(char c) noexcept { return c == ' ' || c == '\t'; }
constexpr bool is_control(char c) noexcept { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

constexpr auto token_chars = [] {
    std::array<bool, 256> table{};
    for (unsigned c = 0x21; c < 0x7f; ++c) table[c] = true;
    for (char const c : std::string_view("\"(),/:;<=>?@[\\]{}")) table[static_cast<unsigned char>(c)] = false;
    return table;
}();

bool is_token_char(char c) noexcept { return token_chars[static_cast<unsigned char>(c)]; }

// Visible ASCII; a fragment is never sent (RFC 9112 section 3.2).
bool is_target_char(char c) noexcept { return c > 0x20 && c < 0x7f && c != '#'; }

// Some servers read "Content_Length" as Content-Length.
bool is_disguised(field const& one) noexcept {
    std::array<char, 32> plain{};
    if (one.id != field_id::other || one.name.size() > plain.size()) return false;
    if (one.name.find('_') == std::string_view::npos) return false;
    std::replace_copy(one.name.begin(), one.name.end(), plain.begin(), '_', '-');
    return identify({plain.data(), one.name.size()}) != field_id::other;
}

bool is_plain_length(std::string_view text) noexcept {
    bool const leading_zero = text.starts_with('0') && text.size() > 1; // octal to some
    return !text.empty() && text.size() <= length_digits_most && !leading_zero &&
           std::all_of(text.begin(), text.end(), is_digit);
}

// "gzip, chunked": an order that is understood and not followed.
bool is_list_before_chunked(std::string_view codings) noexcept {
    for (auto comma = codings.find(','); comma != std::string_view::npos; comma = codings.find(',')) {
        auto const coding = trim(codings.substr(0, std::min(comma, codings.find(';'))));
        if (!is_token(coding) || iequals(coding, "chunked")) return false;
        codings.remove_prefix(comma + 1);
    }
    return iequals(trim(codings), "chunked");
}

// A row a rule.
std::optional<head_fault> check_framing(field const& one, head_fields const& others, int minor_version) noexcept {
    bool const is_length = one.id == field_id::content_length;
    if (!is_length && one.id != field_id::transfer_encoding) return std::nullopt;
    bool const other_too = others.has(field_id::content_length) || others.has(field_id::transfer_encoding);
    bool const chunked = iequals(one.value, "chunked");

    if (other_too) return fault::unclear_length; // RFC 9112 section 6.3: also twice the same
    if (is_length && !is_plain_length(one.value))
        return fault::unclear_length;                                   // RFC 9110 section 8.6: "5, 5", "05", "+5"
    if (!is_length && minor_version == 0) return fault::unclear_length; // RFC 9112 section 6.1: HTTP/1.0 knows none
    if (!is_length && is_list_before_chunked(one.value) && !chunked)
        return fault::unknown_coding;                         // RFC 9112 section 6.1
    if (!is_length && !chunked) return fault::unclear_length; // RFC 9112 section 6.1: "chunked", once, bare
    return std::nullopt;
}

// What is acted on can't be for this hop alone: the gateway's next hop must get it as well.
bool must_stay(field_id id) noexcept {
    bool const frames = id == field_id::transfer_encoding || id == field_id::connection;
    return frames || (id != field_id::other && !is_in(id, hop_by_hop_fields));
}

void drop_named(head_fields& fields, std::string_view name) noexcept {
    for (auto& one : fields.list)
        if (iequals(one.name, name)) one.dropped = true;
}

} // namespace

std::optional<head_fault> check_request_line(std::string_view method, std::string_view target,
                                             head_limits const& limits) noexcept {
    bool const odd = !std::all_of(target.begin(), target.end(), is_target_char);

    if (method.size() > method_most) return fault::method;            // RFC 9112 section 3: 501
    if (odd) return fault::malformed;                                 // RFC 9112 section 3.2: '#', bytes above 0x7F
    if (target.size() > limits.target) return fault::target_too_long; // RFC 9112 section 3: 414
    return std::nullopt;
}

std::optional<head_fault> check_status(unsigned status) noexcept {
    if (status < 100 || status > 599) return fault::malformed; // RFC 9110 section 15
    return std::nullopt;
}

std::optional<head_fault> check_field(field const& one, head_fields const& others, int minor_version,
                                      head_limits const& limits) noexcept {
    bool const full = others.list.size() >= limits.fields || one.line.size() > limits.line;

    if (one.line.empty()) return fault::malformed;  // RFC 9112 section 5.2: obs-fold
    if (full) return fault::too_large;              // RFC 9110 section 5.4: 431
    if (is_disguised(one)) return fault::malformed; // RFC 9110 section 5.1: an underscore is no hyphen
    return check_framing(one, others, minor_version);
}

bool is_strict_chunk(std::string_view digits, std::string_view extensions) noexcept {
    bool const leading_zero = digits.starts_with('0') && digits.size() > 1;
    if (leading_zero || digits.size() > size_digits_most) return false; // RFC 9112 section 7.1: one spelling, 60 bits
    bool quoted = false;
    for (std::size_t i = 0; i < extensions.size(); ++i) {
        char const c = extensions[i];
        if (c == '"') quoted = !quoted;
        bool const blank = is_blank(c);
        if (blank && !quoted) return false;        // RFC 9112 section 7.1.1: "bad" white space
        if (is_control(c) && !blank) return false; // RFC 9110 section 5.6.4: no control character is quoted
        if (c == '\\' && quoted) ++i;
        if (i < extensions.size() && is_control(extensions[i]) && !is_blank(extensions[i])) return false;
    }
    return true;
}

std::string_view line_of(std::string_view head, std::string_view name, std::string_view value) noexcept {
    auto const begin = static_cast<std::size_t>(name.data() - head.data());
    auto at = begin + name.size() + 1;
    while (at < head.size() && is_blank(head[at])) ++at;
    if (head.data() + at != value.data())
        return {}; // folded: Beast joined the lines elsewhere, or found it on the next
    at += value.size();
    while (at < head.size() && is_blank(head[at])) ++at;
    return head.substr(begin, at + 2 - begin);
}

head_fault fault_of(boost::beast::error_code const& error, std::string_view first_line) noexcept {
    bool const unclear = error == beast_http::error::bad_content_length ||
                         error == beast_http::error::multiple_content_length ||
                         error == beast_http::error::bad_transfer_encoding;
    if (unclear) return fault::unclear_length;
    if (error == beast_http::error::header_limit) return fault::too_large;
    if (error != beast_http::error::bad_version || first_line.size() < 9) return fault::malformed;
    auto const text = first_line.substr(first_line.size() - 9); // " HTTP/2.0"
    bool const other = text.starts_with(" HTTP/") && is_digit(text[6]) && text[7] == '.' && is_digit(text[8]) &&
                       std::count(first_line.begin(), first_line.end(), ' ') == 2;
    return other ? fault::version : fault::malformed; // RFC 9110 section 15.6.6: 505
}

bool has_bare_line_end(std::string_view text) noexcept {
    for (auto at = text.find_first_of("\r\n"); at != std::string_view::npos; at = text.find_first_of("\r\n", at + 2)) {
        if (text[at] == '\n') return true;
        if (at + 1 < text.size() && text[at + 1] != '\n') return true;
    }
    return false;
}

head_scanner::found head_scanner::scan(std::string_view data, head_limits const& limits) noexcept {
    auto const from = seen_ < 3 ? 0 : seen_ - 3;
    auto const end = data.find("\r\n\r\n", from);
    if (end != std::string_view::npos) {
        if (end + 4 > limits.head) return {0, fault::too_large};
        return {end + 4, std::nullopt};
    }
    if (!data.empty() && !is_token_char(data.front())) return {0, fault::malformed};
    for (auto at = data.find('\n', from); at != std::string_view::npos; at = data.find('\n', at + 1))
        if (at == 0 || data[at - 1] != '\r') return {0, fault::malformed};
    // Beside the target, the longest method and the version take up to 64 bytes.
    bool const in_first_line = data.substr(0, limits.target + 64).find('\n') == std::string_view::npos;
    if (in_first_line && data.size() > limits.target + 64) return {0, fault::target_too_long};
    if (data.size() >= limits.head) return {0, fault::too_large};
    seen_ = data.size();
    return {};
}

// RFC 9110 section 5.3: of two values one parser takes the first and another the last.
field const* repeated_single(head_fields const& fields) noexcept {
    constexpr auto singles = field_set(field_id::access_control_request_method, field_id::authorization,
                                       field_id::content_type, field_id::cookie, field_id::expect, field_id::host,
                                       field_id::idempotency_key, field_id::origin, field_id::service_organization);
    auto const doubtful = fields.repeated & singles;
    if (doubtful == 0) return nullptr;
    return &*std::find_if(fields.list.begin(), fields.list.end(),
                          [doubtful](field const& one) { return is_in(one.id, doubtful); });
}

connection_options read_connection(head_fields& fields) {
    constexpr unsigned most = 32; // each is searched for in all fields
    connection_options out;
    if (!fields.has(field_id::connection)) return out;
    unsigned names = 0;
    for (auto const& one : fields.list) {
        if (one.id != field_id::connection) continue;
        for (auto rest = one.value; !rest.empty();) {
            auto const comma = rest.find(',');
            auto const name = trim(rest.substr(0, comma));
            rest.remove_prefix(comma == std::string_view::npos ? rest.size() : comma + 1);
            if (name.empty()) continue;
            if (iequals(name, "close")) out.close = true;
            else if (iequals(name, "keep-alive")) out.keep_alive = true;
            else if (++names > most || !is_token(name) || must_stay(identify(name))) out.refused = true;
            else drop_named(fields, name);
        }
    }
    return out;
}

bool is_token(std::string_view text) noexcept {
    return !text.empty() && std::all_of(text.begin(), text.end(), is_token_char);
}

} // namespace recruiting::http
