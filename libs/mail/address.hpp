// The one grammar of e-mail addresses, for members, candidates, bookings and senders (RFC 5321 section 4.1.2, RFC 6531
// for non-ASCII). Pure.
#pragma once
#include <cstddef>
#include <string_view>

namespace recruiting::mail {

inline constexpr std::size_t longest_address = 254; // bytes: RFC 5321 section 4.5.3.1.3, without the path's brackets

/// Can mail be sent there: one mailbox, at most 254 bytes, a dot-atom or quoted local part of at most 64, a domain name
/// or an address literal; UTF-8; no comments, no folding, no control characters, so that it can stand in a header.
[[nodiscard]] bool is_address(std::string_view text) noexcept;

} // namespace recruiting::mail
