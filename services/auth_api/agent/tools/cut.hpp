// A record too long to show a model is cut: shorter texts and lists in it, always whole JSON. Pure.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace recruiting::auth_api::agent {

/// {"truncated":true, …} of at most `most` bytes (at least 256): the object `json` with its longest texts (ending in …)
/// and lists cut as far as it needs. Beside a list that was cut, hasMore says so where the record has it.
[[nodiscard]] std::string cut_record(std::string_view json, std::size_t most);

} // namespace recruiting::auth_api::agent
