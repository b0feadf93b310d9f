// Handing exposed keys to auth-api: sealed, for this program may not read keys.
#pragma once
#include "pg/params.hpp"
#include "public_api/exposure/exposure_queue.hpp"

#include <string_view>

namespace recruiting::public_api {

/// One row and column: the public key to seal to. No row: auth-api has never run here.
[[nodiscard]] pg::statement select_exposure_key();

[[nodiscard]] pg::statement insert_exposure(exposure const& seen, std::string_view sealed);

} // namespace recruiting::public_api
