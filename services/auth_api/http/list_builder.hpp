// Reads the request of a list (limit, sort, times, filters, cursor or syncToken) into a list_query. Problems go to
// in.query. The conditions are composed from the filters that were given, so that each combination has its own plan.
#pragma once
#include "auth_api/http/list_query.hpp"

#include <span>

namespace recruiting::auth_api {

class list_builder {
public:
    /// Reads what all lists take. parent: the record whose list it is, if the shape has one.
    list_builder(bind_input& in, list_shape const& shape, std::optional<uuid> const& parent = std::nullopt);

    /// Adds the conditions of those filters that were given.
    void filter(std::span<list_filter const> filters);
    void filter(list_filter const& filter, http::value_list const& values);
    /// The same for conditions on another table's row: if one of the filters was given, there must be a row for which
    /// all given ones hold. Each form ends where the conditions and ")" follow.
    struct row_conditions {
        std::string_view indexed;   // "c.id IN (SELECT …": an index of the other table gives its rows
        std::string_view unindexed; // "EXISTS (SELECT …": one look-up per record
        std::string_view unindexed_end;
    };
    void filter_by_row(std::span<list_filter const> filters, row_conditions const& of);
    /// Takes the parameter q. Text without a letter or a digit is a problem: it would filter nothing and return
    /// everything. PostgreSQL decides which of its words fold to nothing (recruiting.search_words).
    void search(word_search const& how);
    void set_descending(bool descending) { list_.descending = descending; }
    void include_deleted() { list_.with_deleted = true; }
    /// Shows more of each record than the list does by itself, under this name; columns: ", j.stages".
    void add_columns(std::string_view name, std::string_view columns);
    void include(list_inclusion const& more) { list_.inclusion = &more; }
    [[nodiscard]] std::optional<std::int64_t> given_limit() const { return list_.given_limit; }

    /// What was asked, when all of it was read; or every problem of the query.
    [[nodiscard]] result<list_query> finish();
    /// The read of the list, whose records `write` writes.
    [[nodiscard]] result<prepared_read> read(record_writer write);

private:
    void read_sort();
    bool read_bound(std::string_view name, sort_key const& of, std::string_view comparison);
    void read_sync();
    [[nodiscard]] std::string bind(std::string_view condition, http::value_list const& values);
    void add_condition(list_filter const& filter, std::string condition, bool several = false);
    void note_cost(list_filter const& filter, bool several);
    void note_search(std::string_view parameter) {
        if (costly_filter_.empty()) costly_filter_ = parameter;
    }
    [[nodiscard]] std::string last_placeholder() const { return "$" + std::to_string(list_.params.size()); }

    bind_input& in_;
    list_query list_;
    std::optional<std::string> cursor_;
    bool ordered_{false};            // a filter's own index gives the page
    std::string_view costly_filter_; // the first parameters that make a search of the page: by what they leave out,
    std::string_view costly_order_;  // or by an order that no index has, which does not matter for one row
};

} // namespace recruiting::auth_api
