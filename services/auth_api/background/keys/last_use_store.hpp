// Writing the last uses of many keys at once.
#pragma once
#include "core/ids.hpp"
#include "core/ip.hpp"
#include "pg/params.hpp"

#include <vector>

namespace recruiting::auth_api {

struct key_use {
    uuid credential;
    ip_address address;
    timestamp at;
};

/// A whole segment. Never sets a key's last use back.
[[nodiscard]] std::vector<pg::statement> write_last_uses(std::vector<key_use> const& uses);

} // namespace recruiting::auth_api
