// A filter of a list: its parameter, its condition, and what an index does for it, which decides what the page costs.
#pragma once
#include <cstdint>
#include <string_view>

namespace recruiting::auth_api {

enum class filter_index : std::uint8_t {
    none,    // the list is read in its order, and rows that do not fulfil the filter are left out
    sorted,  // an index gives the rows that fulfil it, however many they are; they are sorted for the page
    ordered, // an index gives the rows that fulfil it in the list's default order
    unique,  // an index gives one row
    range,   // bounds the default order's own index
};

struct list_filter {
    std::string_view parameter;
    std::string_view condition; // '?' stands for the value
    filter_index index{filter_index::none};
    std::string_view implied{}; // what else holds of these rows: an index of a part of the table is used by it
};

/// The first column of the statement word_search::words.
struct word_columns {
    enum : int { count };
};

/// How the words of q are found in a list's records.
struct word_search {
    std::string_view words;    // a statement: how many words q has ($1 is q), and what the conditions need of them
    std::string_view has_all;  // the record has all of them; '?' stands for q
    std::string_view rarest{}; // and it has the rarest word, by that word's index; false where every word is common
    std::string_view common{}; // and every word is common: the list is then read in its order
};

} // namespace recruiting::auth_api
