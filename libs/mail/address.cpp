#include "mail/address.hpp"

#include "core/ip.hpp"
#include "core/text.hpp"

#include <algorithm>

namespace recruiting::mail {
namespace {

constexpr std::size_t longest_local_part = 64;
constexpr std::size_t longest_domain = 253; // in the name's text form
constexpr std::size_t longest_label = 63;

// Bytes of what is not ASCII; that they are well-formed is checked once, for the whole.
bool is_beyond_ascii(char c) noexcept { return static_cast<unsigned char>(c) >= 0x80; }

// RFC 5321 section 4.1.2, atext with RFC 6531's addition.
bool is_atext(char c) noexcept {
    constexpr std::string_view others = "!#$%&'*+-/=?^_`{|}~";
    return is_alphanumeric(c) || is_beyond_ascii(c) || others.find(c) != std::string_view::npos;
}

bool is_dot_atom(std::string_view text) {
    auto const atoms = split(text, '.');
    return std::all_of(atoms.begin(), atoms.end(), [](std::string_view atom) {
        return !atom.empty() && std::all_of(atom.begin(), atom.end(), is_atext);
    });
}

// quoted-string of RFC 5321: printable ASCII, a backslash before any of it.
bool is_quoted_string(std::string_view text) noexcept {
    if (text.size() < 2 || text.front() != '"' || text.back() != '"') return false;
    text = text.substr(1, text.size() - 2);
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '"') return false;
        if (text[i] != '\\') continue;
        if (++i == text.size() || is_beyond_ascii(text[i])) return false;
    }
    return true;
}

bool is_label(std::string_view label) noexcept {
    if (label.empty() || label.size() > longest_label || label.front() == '-' || label.back() == '-') return false;
    return std::all_of(label.begin(), label.end(),
                       [](char c) { return is_alphanumeric(c) || is_beyond_ascii(c) || c == '-'; });
}

bool is_number(std::string_view text) noexcept {
    return std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// A last label of digits is no top-level domain: what looks like an address without its brackets.
bool is_domain_name(std::string_view text) {
    if (text.size() > longest_domain) return false;
    auto const labels = split(text, '.');
    return std::all_of(labels.begin(), labels.end(), is_label) && !is_number(labels.back());
}

// RFC 5321 section 4.1.3. General-address-literal has no registered tag: refused.
bool is_address_literal(std::string_view text) {
    if (!text.starts_with('[') || !text.ends_with(']')) return false;
    text = text.substr(1, text.size() - 2);
    constexpr std::string_view tag = "IPv6:";
    if (text.size() > tag.size() && iequals(text.substr(0, tag.size()), tag))
        return text.find(':', tag.size()) != std::string_view::npos && parse_ip(text.substr(tag.size()));
    return text.find(':') == std::string_view::npos && parse_ip(text);
}

// C0 and C1 controls, DEL, and the line separators that some mail programs break lines at.
bool holds_control(std::string_view text) noexcept {
    for (std::size_t i = 0; i < text.size(); ++i) {
        auto const c = static_cast<unsigned char>(text[i]);
        if (c < 0x20 || c == 0x7F) return true;
        if (c == 0xC2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xA0) return true;
        if (text.substr(i).starts_with("\xE2\x80\xA8") || text.substr(i).starts_with("\xE2\x80\xA9")) return true;
    }
    return false;
}

} // namespace

bool is_address(std::string_view text) noexcept {
    if (text.size() > longest_address || holds_control(text) || !is_utf8(text)) return false;
    auto const at = text.rfind('@'); // a quoted local part may hold one; a domain never does
    if (at == std::string_view::npos || at == 0 || at > longest_local_part) return false;
    auto const local = text.substr(0, at);
    auto const domain = text.substr(at + 1);
    return (is_dot_atom(local) || is_quoted_string(local)) && (is_domain_name(domain) || is_address_literal(domain));
}

namespace {

constexpr std::string_view placeholder = "{room}";
constexpr std::string_view secure = "https://";
constexpr std::size_t longest = 2'000;
constexpr std::size_t longest_template = 1'000;

// Printable ASCII without what ends an address.
bool is_safe(char c) noexcept {
    return c > ' ' && c < '\x7f' && std::string_view("\"<>\\^`").find(c) == std::string_view::npos;
}

} // namespace

std::optional<std::string> meeting_url_problem(std::string_view text) {
    if (!text.starts_with(secure)) return "must begin with https://";
    auto const host = text.substr(secure.size(), text.find_first_of("/?#", secure.size()) - secure.size());
    if (host.empty() || host.starts_with(':') || host.find('@') != host.npos) return "must name a host, and no user";
    if (text.size() > longest) return "must be at most " + std::to_string(longest) + " characters";
    if (!std::all_of(text.begin(), text.end(), is_safe)) return "must be printable ASCII without spaces and quotes";
    return std::nullopt;
}

std::optional<std::string> room_template_problem(std::string_view text) {
    if (auto problem = meeting_url_problem(text)) return problem;
    if (text.size() > longest_template) return "must be at most " + std::to_string(longest_template) + " characters";
    auto const first = text.find(placeholder);
    if (first == text.npos || text.find(placeholder, first + 1) != text.npos) return "must contain {room} once";
    if (text.substr(secure.size(), first - secure.size()).find('/') == text.npos)
        return "must contain {room} after the host";
    return std::nullopt;
}

std::optional<std::string> room_url(std::string_view text, uuid const& room) {
    auto const at = text.find(placeholder);
    if (at == text.npos) return std::nullopt;
    return std::string(text.substr(0, at)) + to_string(room) + std::string(text.substr(at + placeholder.size()));
}

std::string counted_mailbox(std::string_view canonical) {
    auto const at = canonical.rfind('@');
    auto const tag = canonical.substr(0, at).find('+');
    // A quoted local part is no name with a tag; one that begins with + has no name before it.
    if (at == canonical.npos || tag == canonical.npos || tag == 0 || canonical.front() == '"')
        return std::string(canonical);
    return std::string(canonical.substr(0, tag)) + std::string(canonical.substr(at));
}

} // namespace recruiting::mail
