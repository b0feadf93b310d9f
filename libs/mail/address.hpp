// The one grammar of e-mail addresses, for members, candidates, bookings and senders (RFC 5321 section 4.1.2, RFC 6531
// for non-ASCII), and of the addresses where interviews meet. Pure.
#pragma once
#include "core/ids.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace recruiting::mail {

inline constexpr std::size_t longest_address = 254; // bytes: RFC 5321 section 4.5.3.1.3, without the path's brackets

/// Can mail be sent there: one mailbox, at most 254 bytes, a dot-atom or quoted local part of at most 64, a domain name
/// or an address literal; UTF-8; no comments, no folding, no control characters, so that it can stand in a header.
[[nodiscard]] bool is_address(std::string_view text) noexcept;

// Where interviews meet: the address that a slot, an interviewer, an organization or a deployment may have. Checked
// when it is set, and again when somebody is led there.

/// What is wrong with an address, or nothing: https://, a host, and nothing that ends it in mails, calendars and pages.
[[nodiscard]] std::optional<std::string> meeting_url_problem(std::string_view text);

/// What is wrong with a template, or nothing: a meeting's address with {room} in it once, after the host.
[[nodiscard]] std::optional<std::string> room_template_problem(std::string_view text);
/// The address of a room of its own; nullopt for an empty template. Anyone who knows it may enter: room must be random.
[[nodiscard]] std::optional<std::string> room_url(std::string_view text, uuid const& room);

/// The mailbox that limits count: the canonical address without the tag that many servers ignore ("kim+tag@x" is
/// "kim@x"). Nobody is identified by it, and no mail goes there.
[[nodiscard]] std::string counted_mailbox(std::string_view canonical);

} // namespace recruiting::mail
