// What the directory refuses: values that are wrong, and changes that an actor's role does not allow. Every operation
// asks here, so that recruitctl, the agent's tools and the console have the same rules. Pure.
#pragma once
#include "core/error.hpp"
#include "directory/records.hpp"

#include <initializer_list>

namespace recruiting::directory {

/// Collects everything wrong with an input, so that all of it is reported at once.
class problems {
public:
    void add(std::string_view field, std::string_view reason, std::string message);
    /// adds `wrong` as an invalid value of `field`, if there is something wrong.
    void check(std::string_view field, std::optional<std::string> wrong);
    [[nodiscard]] bool empty() const noexcept { return details_.empty(); }
    [[nodiscard]] api_error error() const { return invalid_request(details_); }

private:
    std::vector<error_detail> details_;
};

/// One reason why an operation is refused although its input is well-formed.
[[nodiscard]] api_error refusal(std::string_view field, std::string_view reason, std::string message);
[[nodiscard]] api_error absent(std::string message);
[[nodiscard]] api_error no_organization(std::string_view slug);

// What is wrong with a value, or nothing. Lengths are in characters (code points), as PostgreSQL counts them.

/// 1 to `most` characters without control characters and without white space around them.
[[nodiscard]] std::optional<std::string> wrong_text(std::string_view text, std::size_t most);
/// Lower-case letters, digits and single hyphens between them, at most 63 characters: fit for a URL and a host name.
[[nodiscard]] std::optional<std::string> wrong_slug(std::string_view text);
/// What mail can be sent to (mail::parse_address).
[[nodiscard]] std::optional<std::string> wrong_email(std::string_view text);
/// http or https with a host, at most 2048 characters.
[[nodiscard]] std::optional<std::string> wrong_url(std::string_view text);
/// What wrong_url accepts, or mailto: and one e-mail address without header fields (RFC 6068).
[[nodiscard]] std::optional<std::string> wrong_apply_url(std::string_view text);
/// "#rrggbb", lower case.
[[nodiscard]] std::optional<std::string> wrong_accent_color(std::string_view text);
/// ISO 3166-1 alpha-2, upper case.
[[nodiscard]] std::optional<std::string> wrong_country_code(std::string_view text);
/// An address, or a block without bits beyond its prefix, in the form PostgreSQL's cidr takes: "10.0.0.0/8",
/// "2001:db8::/32", "203.0.113.7" (that address alone).
[[nodiscard]] std::optional<std::string> wrong_address_block(std::string_view text);

// Who may change what in an organization (proto-docs/keys.md, concepts.md), and what a change of a member does to their
// API keys.

/// Viewers and interviewers own no keys that are made from now on; keys of before keep what their role lets through.
[[nodiscard]] bool may_own_keys(role held) noexcept;

/// insufficient_role: details[0] is of the field `role`, its message names the roles that may.
[[nodiscard]] api_error role_needed(std::initializer_list<role> roles);
/// nullopt: the actor's role is one of these, or they are no member (an operator).
[[nodiscard]] std::optional<api_error> refuse_unless(actor const& by, std::initializer_list<role> roles);
/// Members are the admins' to change. nullopt: allowed, as for an actor who is no member (an operator).
[[nodiscard]] std::optional<api_error> refuse_unless_admin(actor const& by);
/// Refuses a member whose role owns no keys. nullopt: allowed, as for an operator.
[[nodiscard]] std::optional<api_error> refuse_unless_key_owner(actor const& by);
/// Admins reach every key of their organization, other members their own, operators all.
[[nodiscard]] bool reaches_key(actor const& by, uuid const& owner_id) noexcept;

struct key_effect {
    bool stops{false}; // the key works now and would open nothing
    scope_set lost;    // effective now, and not then
    scope_set gained;
};

/// What the key would do if its owner had that role, or were removed (nullopt). A key that does not work now (revoked,
/// expired, its owner not active) neither stops nor gains.
[[nodiscard]] key_effect effect_of(api_key const& key, std::optional<role> becomes, timestamp now) noexcept;

} // namespace recruiting::directory
