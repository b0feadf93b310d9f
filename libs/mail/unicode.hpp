// What ICU knows of the Unicode in an address: domain names (UTS 46), local parts (PRECIS, NFC). Pure.
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace recruiting::mail {

/// A domain name as A-labels in lower case (UTS 46, non-transitional, STD3 rules, Bidi and ContextJ checked); nullopt:
/// UTS 46 refuses it. UTF-8.
[[nodiscard]] std::optional<std::string> to_a_labels(std::string_view domain);

/// Whether PRECIS' IdentifierClass (RFC 8264 section 8) accepts every non-ASCII character without looking at its
/// context, and the Bidi rule (RFC 5893 section 2) the whole. UTF-8. What has a compatibility form, such as the Kelvin
/// sign or a full-width letter, is refused: NFC could turn it into another person's address.
[[nodiscard]] bool is_precis_identifier(std::string_view text);

/// UTF-8 in Normalization Form C.
[[nodiscard]] std::string to_nfc(std::string_view text);

} // namespace recruiting::mail
