#include "directory/rules.hpp"

#include "core/text.hpp"
#include "html/accent.hpp"
#include "mail/address.hpp"

#include <algorithm>
#include <arpa/inet.h>
#include <array>

namespace recruiting::directory {
namespace {

constexpr std::size_t most_slug = 63;
constexpr std::size_t most_url = 2048;

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }
bool is_lower_alnum(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

bool has_white_space_or_control(std::string_view text) {
    return std::ranges::any_of(text, [](char c) { return is_control(c) || c == ' '; });
}

// Are all bits of the address after the first `prefix` zero?
bool is_block_start(std::string_view bytes, unsigned prefix) {
    for (std::size_t bit = prefix; bit < bytes.size() * 8; ++bit) {
        unsigned const byte = static_cast<unsigned char>(bytes[bit / 8]);
        if (((byte >> (7 - bit % 8)) & 1U) != 0) return false;
    }
    return true;
}

} // namespace

void problems::add(std::string_view field, std::string_view reason, std::string message) {
    details_.push_back({"body", std::string(field), std::string(reason), std::move(message)});
}

void problems::check(std::string_view field, std::optional<std::string> wrong) {
    if (wrong) add(field, "invalid_value", std::move(*wrong));
}

api_error refusal(std::string_view field, std::string_view reason, std::string message) {
    problems found;
    found.add(field, reason, std::move(message));
    return found.error();
}

api_error absent(std::string message) {
    auto error = make_error(error_code::not_found);
    error.message = std::move(message);
    return error;
}

api_error no_organization(std::string_view slug) {
    return absent("there is no organization with the slug " + std::string(slug));
}

std::optional<std::string> wrong_text(std::string_view text, std::size_t most) {
    auto const size = count_characters(text);
    if (size < 1 || size > most) return "must have 1 to " + std::to_string(most) + " characters";
    if (!is_utf8(text)) return "must be UTF-8";
    if (std::ranges::any_of(text, is_control)) return "must not contain control characters";
    if (trim(text) != text) return "must not begin or end with white space";
    return std::nullopt;
}

std::optional<std::string> wrong_slug(std::string_view text) {
    constexpr auto message = "must be lower-case letters and digits with single hyphens between them, at most 63";
    if (text.empty() || text.size() > most_slug || text.front() == '-' || text.back() == '-') return message;
    if (text.find("--") != std::string_view::npos) return message;
    if (!std::ranges::all_of(text, [](char c) { return c == '-' || is_lower_alnum(c); })) return message;
    return std::nullopt;
}

std::optional<std::string> wrong_email(std::string_view text) { return mail::address_problem(text); }

std::optional<std::string> wrong_url(std::string_view text) {
    auto rest = text;
    if (rest.starts_with("https://")) rest.remove_prefix(8);
    else if (rest.starts_with("http://")) rest.remove_prefix(7);
    else return "must begin with https:// or http://";
    auto const host = rest.substr(0, rest.find_first_of("/?#"));
    if (host.empty() || host.front() == ':' || host.find('@') != std::string_view::npos)
        return "must name a host, and no user";
    if (has_white_space_or_control(text) || text.find_first_of("<>\"\\") != std::string_view::npos || !is_utf8(text))
        return "must be a URL";
    if (text.size() > most_url) return "must have at most 2048 characters";
    return std::nullopt;
}

std::optional<std::string> wrong_apply_url(std::string_view text) {
    constexpr std::string_view mailto = "mailto:";
    if (text.starts_with(mailto)) {
        // In a URI, these would begin header fields, a fragment or an encoded character.
        auto const address = text.substr(mailto.size());
        bool const is_plain = address.find_first_of("?&#%\"<>\\ ") == std::string_view::npos;
        if (is_plain && mail::is_address(address)) return std::nullopt;
        return "must have one e-mail address after mailto:";
    }
    if (!text.starts_with("https://") && !text.starts_with("http://"))
        return "must begin with https://, http:// or mailto:";
    return wrong_url(text);
}

std::optional<std::string> wrong_accent_color(std::string_view text) {
    if (html::is_color(text)) return std::nullopt;
    return "must be # and six hexadecimal digits, such as #0b5fff";
}

std::optional<std::string> wrong_country_code(std::string_view text) {
    auto const is_upper = [](char c) { return c >= 'A' && c <= 'Z'; };
    if (text.size() != 2 || !std::ranges::all_of(text, is_upper)) return "must be two upper-case letters (ISO 3166-1)";
    return std::nullopt;
}

std::optional<std::string> wrong_address_block(std::string_view text) {
    auto const slash = text.find('/');
    std::string const address{text.substr(0, slash)};
    std::array<char, 16> bytes{};
    std::size_t size = 0;
    if (inet_pton(AF_INET, address.c_str(), bytes.data()) == 1) size = 4;
    else if (inet_pton(AF_INET6, address.c_str(), bytes.data()) == 1) size = 16;
    else return std::string(text) + " is not an IP address or block such as 203.0.113.0/24";
    if (slash == std::string_view::npos) return std::nullopt;
    auto const prefix = parse_number<unsigned>(text.substr(slash + 1));
    if (!prefix || *prefix > size * 8) return std::string(text) + " has a wrong prefix length";
    if (!is_block_start({bytes.data(), size}, *prefix))
        return std::string(text) + " has bits beyond its prefix length: give the block's first address";
    return std::nullopt;
}

namespace {

std::optional<role> role_of(actor const& by) { return by.role ? parse_role(*by.role) : std::nullopt; }

bool is_admin(actor const& by) { return role_of(by) == role::admin; }

} // namespace

bool may_own_keys(role held) noexcept { return held != role::viewer && held != role::interviewer; }

api_error role_needed(std::initializer_list<role> roles) {
    std::string names;
    for (auto const one : roles) names.append(names.empty() ? "" : ", ").append(to_string(one));
    auto error = make_error(error_code::insufficient_role);
    error.message = "The member's role does not allow this; roles that do: " + names + ".";
    error.details.push_back({"credential", "role", "missing_role", error.message});
    return error;
}

std::optional<api_error> refuse_unless(actor const& by, std::initializer_list<role> roles) {
    auto const held = role_of(by);
    if (!by.member_id || (held && std::ranges::find(roles, *held) != roles.end())) return std::nullopt;
    return role_needed(roles);
}

std::optional<api_error> refuse_unless_admin(actor const& by) { return refuse_unless(by, {role::admin}); }

std::optional<api_error> refuse_unless_key_owner(actor const& by) {
    return refuse_unless(by, {role::admin, role::recruiter, role::hiring_manager});
}

bool reaches_key(actor const& by, uuid const& owner_id) noexcept {
    return !by.member_id || *by.member_id == owner_id || is_admin(by);
}

key_effect effect_of(api_key const& key, std::optional<role> becomes, timestamp now) noexcept {
    key_effect out;
    if (key.revoked_at || now >= key.expires_at || !key.owner_active) return out;
    auto const granted = expand(key.scopes);
    auto const before = granted & role_allows(key.owner_role);
    auto const after = becomes ? granted & role_allows(*becomes) : scope_set{};
    out.stops = !becomes || (before.any() && after.none());
    out.lost = before & ~after;
    out.gained = after & ~before;
    return out;
}

} // namespace recruiting::directory
