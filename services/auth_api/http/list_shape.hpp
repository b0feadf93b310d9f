// What a list consists of (proto-docs/lists.md). A new list is one list_shape and a table of list_filter.
#pragma once
#include "http/query.hpp"
#include "pg/params.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace recruiting::auth_api {

/// What an index does for a filter; it decides what the page costs.
enum class filter_index : std::uint8_t {
    none,    // the list is read in its order, and rows that do not fulfil the filter are left out
    sorted,  // an index gives the rows that fulfil it, however many they are; they are sorted for the page
    ordered, // an index gives the rows that fulfil it in the list's default order
    unique,  // an index gives one row
    range,   // bounds the default order's own index
};

/// Reads the values of a parameter, as text. Nothing: the parameter was not given, or it was refused.
using value_reader = std::optional<http::value_list> (*)(http::query_reader& query, std::string_view name);

// Readers of one value. http::read_ids and http::read_words take several.
[[nodiscard]] std::optional<http::value_list> read_text(http::query_reader& query, std::string_view name);
[[nodiscard]] std::optional<http::value_list> read_external_id(http::query_reader& query, std::string_view name);
[[nodiscard]] std::optional<http::value_list> read_id(http::query_reader& query, std::string_view name);
[[nodiscard]] std::optional<http::value_list> read_flag(http::query_reader& query, std::string_view name); // t, f
[[nodiscard]] std::optional<http::value_list> read_time(http::query_reader& query, std::string_view name);

struct list_filter {
    std::string_view parameter;
    value_reader read;
    std::string_view condition; // '?' stands for the value; if there may be several, "= ?" or "= ?::type" ends it
    filter_index index{filter_index::none};
    std::string_view implied{};      // what else holds of these rows: an index of a part of the table is used by it
    std::string_view unindexed{};    // the value whose rows are not in that index
    std::string_view with_deleted{}; // the value that asks for deleted records too
};

/// How the words of q are found in a list's records.
struct word_search {
    std::string_view words;    // a statement: how many words q has ($1 is q), and what the conditions need of them
    std::string_view has_all;  // the record has all of them; {q} stands for q
    std::string_view rarest{}; // and it has the rarest word, by that word's index; false where every word is common
    std::string_view common{}; // and every word is common: the list is then read in its order
};

struct sort_key {
    std::string_view name;   // "createdAt", "title"
    std::string_view column; // "j.created_at"
    bool is_time;
    bool indexed{true}; // an index gives the list in this order
};

/// How the page of a restricted caller, a hiring manager, is read: of each of their jobs one page in the list's order,
/// and of these the first. Both texts are parts of the page's template (list_query_store.cpp).
struct restricted_shape {
    std::string_view from; // FROM … WHERE …, around {job_conditions} and {after} of one job's page in the order of
    std::array<std::string_view, 3> sorts; // {job_sort}, of the same names as the list's,
    std::string_view id;                   // and this id
    std::string_view first; // FROM … WHERE …{conditions}: the same, without filters, in the default order's index
};

struct list_shape {
    std::string_view route;        // part of every cursor: one list's cursor does not fit another
    std::string_view columns;      // the select list, the id first
    std::string_view from;         // FROM … WHERE …, ending in a condition
    std::string_view live;         // what leaves deleted records out: "j.deleted_at IS NULL"
    std::string_view id;           // "j.id"
    std::array<sort_key, 3> sorts; // the first, descending, is the default
    std::string_view feed{};       // where syncToken is offered: what changed, see list_sync_store.cpp
    std::string_view record{}; // joins the record to the feed's row f: " LEFT JOIN recruiting.jobs j ON j.id = f.id"
    std::string_view gone{"NULL"}; // when a joined record was deleted of which a sync shows only that
    bool depends_on_caller{false}; // which records there are
    int most_read{0};              // set: a page reads at most so many rows where filters leave out others
    restricted_shape const* restricted{nullptr};   // set: `from` is read for unrestricted callers only
    std::string_view own{};                        // set: `from` is read for admins, and this for everyone else
    bool may_be_behind{false};                     // a standby may answer its searches
    pg::statement (*parent)(uuid const&){nullptr}; // set: reads the record whose list it is, by its id, the list's $1
};

/// More of each record, asked for by include=….
struct list_inclusion {
    std::string_view name;    // "applications"
    std::string_view rows;    // a record's, p.record_id: what follows LATERAL
    int columns;              // of these rows
    std::string_view feed;    // what changes by itself as time passes
    std::string_view visible; // the scope without which a part of it is hidden
};

} // namespace recruiting::auth_api
