// E-mail addresses as they are taken from strangers (RFC 5321 section 4.1.2, RFC 6531 for non-ASCII). Pure.
#pragma once
#include <string_view>

namespace recruiting::mail {

/// Can mail be sent there: one mailbox, at most 254 bytes, a dot-atom or quoted local part of at most 64, a domain name
/// or an address literal; UTF-8; no comments, no folding, no control characters, so that it can stand in a header.
[[nodiscard]] bool is_address(std::string_view text) noexcept;

} // namespace recruiting::mail
