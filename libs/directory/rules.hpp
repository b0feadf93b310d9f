// What values the directory accepts. Pure; each returns what is wrong, or nothing. Lengths are in characters (code
// points), as PostgreSQL counts them.
#pragma once
#include "core/error.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

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

} // namespace recruiting::directory
