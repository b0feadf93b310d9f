// The keys under which public-api seals reports of exposed API keys, and auth-api opens them.
#pragma once
#include "crypto/sealed_box.hpp"

namespace recruiting {

/// Of a pepper: the same in every instance that has it.
[[nodiscard]] box_keys exposure_keys(std::string_view pepper);

} // namespace recruiting
