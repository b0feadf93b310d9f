// Identifiers. On the wire: 32 lower-case hex characters.
#pragma once
#include "core/time.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace recruiting {

struct uuid {
    std::array<std::uint8_t, 16> bytes{};
    auto operator<=>(uuid const&) const = default;
};

/// UUIDv7 (RFC 9562 section 5.7): time-ordered, so good for keyset paging. now gives the 48 bits of milliseconds.
[[nodiscard]] uuid new_record_id(timestamp now = system_time().now());
/// 16 random bytes: an API key's ID.
[[nodiscard]] uuid random_id();
/// "0190…": 32 hex characters.
[[nodiscard]] std::string to_string(uuid const& id);
void append_id(std::string& out, uuid const& id);
/// Writes them without a terminator; returns where they end.
inline constexpr std::size_t uuid_text_size = 32;
char* write_id(char* out, uuid const& id) noexcept;
/// "0190…-…": the dashed form, for correlation ids.
[[nodiscard]] std::string to_dashed_string(uuid const& id);
/// 32 hex characters of either case, or the dashed form of RFC 9562 section 4, which mean the same id.
[[nodiscard]] std::optional<uuid> parse_id(std::string_view text) noexcept;
/// A request id: 32 characters that match ^[A-Za-z0-9_-]{8,64}$. A UUIDv7, so that the audit log's index of them grows
/// at its end.
[[nodiscard]] std::string new_request_id();
void append_request_id(std::string& out);
/// May an inbound request id be kept?
[[nodiscard]] bool is_request_id(std::string_view text) noexcept;
/// The inbound one where it may be kept, else a new one.
[[nodiscard]] std::string request_id_for(std::string_view inbound);

} // namespace recruiting
