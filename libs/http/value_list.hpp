// Several values of one filter: "status=open,on_hold" asks for either. For filters whose values hold no comma.
#pragma once
#include "http/query.hpp"

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace recruiting::http {

inline constexpr std::size_t most_values = 64;

/// Sorted and each once, so that "a,b" and "b,a" are one filter.
using value_list = std::vector<std::string>;

// Each returns nothing when the parameter was not given or was refused: the problem names the first wrong value.
[[nodiscard]] std::optional<value_list> read_choices(query_reader& query, std::string_view name,
                                                     std::initializer_list<std::string_view> allowed);
[[nodiscard]] std::optional<value_list> read_ids(query_reader& query, std::string_view name);
[[nodiscard]] std::optional<value_list> read_integers(query_reader& query, std::string_view name, std::int64_t least,
                                                      std::int64_t most);
/// Words of an open set, such as an audit row's action.
[[nodiscard]] std::optional<value_list> read_words(query_reader& query, std::string_view name);

} // namespace recruiting::http
