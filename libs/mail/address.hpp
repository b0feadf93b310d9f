// E-mail addresses: their grammar (RFC 5321 section 4.1.2; RFC 6531 for non-ASCII), the one form that decides who
// somebody is, and the form that SMTP is given. For members, candidates, bookings, sign-in and senders. Pure.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace recruiting::mail {

inline constexpr std::size_t longest_address = 254; // bytes: RFC 5321 section 4.5.3.1.3, without the path's brackets

struct address {
    /// Two addresses are one person's exactly when their canonical forms are equal. The domain as A-labels in lower
    /// case (UTS 46, non-transitional); the local part in NFC, its ASCII letters in lower case, quoted only where it
    /// must be. No other letter is folded: a mail server may tell them apart.
    std::string canonical;
    /// Where mail goes: the local part as typed, the domain as A-labels. Not ASCII only where the local part is not.
    std::string mailbox;
};

/// One mailbox of at most 254 bytes, as typed and in both forms: a dot-atom or quoted local part of at most 64 bytes, a
/// domain name that UTS 46 accepts or an address literal. Non-ASCII characters of the local part are those that
/// PRECIS' IdentifierClass (RFC 8264) accepts without a context. No comments, no folding, no controls.
[[nodiscard]] std::optional<address> parse_address(std::string_view typed);

/// The local part as typed, its ASCII letters in lower case: equal where a server could tell no mailboxes apart but by
/// ASCII case. Canonical forms are equal for more: they are normalized.
[[nodiscard]] std::string local_part_ignoring_case(address const& of);

/// What is wrong with an address, as the end of a sentence ("must …"), or nothing.
[[nodiscard]] std::optional<std::string> address_problem(std::string_view typed);
[[nodiscard]] bool is_address(std::string_view typed);

/// address::canonical; nullopt: not an address, and so nobody's.
[[nodiscard]] std::optional<std::string> canonical_address(std::string_view typed);

/// The mailbox that limits count: the canonical address without the tag that many servers ignore ("kim+tag@x" is
/// "kim@x"). Nobody is identified by it, and no mail goes there.
[[nodiscard]] std::string counted_mailbox(std::string_view canonical);

} // namespace recruiting::mail
