// Hashes for tables whose keys strangers choose.
#pragma once
#include <cstdint>
#include <string_view>

namespace recruiting {

/// SipHash-2-4 under a random key of this process: nobody outside can choose keys that meet in one bucket.
[[nodiscard]] std::uint64_t keyed_hash(std::string_view text) noexcept;

} // namespace recruiting
