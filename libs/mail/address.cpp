#include "mail/address.hpp"

#include "core/ip.hpp"
#include "core/text.hpp"
#include "mail/encodings.hpp"
#include "mail/unicode.hpp"

#include <algorithm>
#include <variant>

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
    return std::all_of(label.begin(), label.end(), [](char c) { return is_alphanumeric(c) || c == '-'; });
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

// RFC 5321 section 4.1.3, in one form. General-address-literal has no registered tag: refused.
std::optional<std::string> canonical_literal(std::string_view text) {
    if (!text.ends_with(']')) return std::nullopt;
    text = text.substr(1, text.size() - 2);
    constexpr std::string_view tag = "IPv6:";
    bool const is_v6 = text.size() > tag.size() && iequals(text.substr(0, tag.size()), tag);
    if (is_v6) text.remove_prefix(tag.size());
    if (is_v6 != (text.find(':') != std::string_view::npos)) return std::nullopt;
    auto const parsed = parse_ip(text);
    if (!parsed) return std::nullopt;
    return (is_v6 ? "[IPv6:" : "[") + to_string(*parsed) + "]";
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

// A domain name of ASCII letters alone is its own A-label form; only a label that says it is an A-label is checked as
// one.
std::optional<std::string> canonical_domain(std::string_view typed) {
    if (typed.starts_with('[')) return canonical_literal(typed);
    auto name = to_lower(typed);
    if (std::ranges::any_of(name, is_beyond_ascii) || name.starts_with("xn--") || name.find(".xn--") != name.npos) {
        auto converted = to_a_labels(typed);
        if (!converted) return std::nullopt;
        name = std::move(*converted);
    }
    if (!is_domain_name(name)) return std::nullopt;
    return name;
}

std::string canonical_local_part(std::string_view content) {
    auto const composed = is_printable_ascii(content) ? std::string(content) : to_nfc(content);
    return to_lower(is_dot_atom(composed) ? composed : quoted_string(composed));
}

constexpr auto not_an_address = "must be an e-mail address";
constexpr auto too_long = "must have at most 254 bytes, its domain in ASCII";

std::variant<address, char const*> read(std::string_view typed) {
    if (typed.size() > longest_address) return too_long;
    if (holds_control(typed) || !is_utf8(typed)) return not_an_address;
    auto const at = typed.rfind('@'); // a quoted local part may hold one; a domain never does
    if (at == std::string_view::npos || at == 0 || at > longest_local_part) return not_an_address;
    auto const local = typed.substr(0, at);
    if (!is_quoted_string(local) && !is_dot_atom(local)) return not_an_address;
    auto const domain = canonical_domain(typed.substr(at + 1));
    if (!domain) return "must have a domain that UTS 46 accepts";
    auto const content = unquoted(local); // the quotes and backslashes are no part of it (RFC 5321 section 4.1.2)
    if (!is_precis_identifier(content)) return "must have no characters before the @ that PRECIS (RFC 8264) refuses";
    address out{canonical_local_part(content) + '@' + *domain, std::string(local) + '@' + *domain};
    if (std::max(out.canonical.size(), out.mailbox.size()) > longest_address) return too_long;
    return out;
}

} // namespace

std::optional<address> parse_address(std::string_view typed) {
    auto result = read(typed);
    if (auto* const parsed = std::get_if<address>(&result)) return std::move(*parsed);
    return std::nullopt;
}

std::string local_part_ignoring_case(address const& of) {
    return to_lower(std::string_view(of.mailbox).substr(0, of.mailbox.rfind('@')));
}

std::optional<std::string> address_problem(std::string_view typed) {
    auto const result = read(typed);
    if (auto const* const problem = std::get_if<char const*>(&result)) return *problem;
    return std::nullopt;
}

bool is_address(std::string_view typed) { return !address_problem(typed); }

std::optional<std::string> canonical_address(std::string_view typed) {
    auto parsed = parse_address(typed);
    if (!parsed) return std::nullopt;
    return std::move(parsed->canonical);
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
