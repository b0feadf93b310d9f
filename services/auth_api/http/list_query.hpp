// One page of a list (proto-docs/lists.md): limit, sort, time filters, signed keyset cursor; or a step of a warehouse
// sync. Composes the statement from the filters that were given, so that each combination has its own plan.
#pragma once
#include "auth_api/http/resource.hpp"
#include "http/json_writer.hpp"
#include "http/query.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
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

/// A filter of a list: its parameter and its condition.
struct list_filter {
    std::string_view parameter;
    std::string_view condition; // '?' stands for the value
    filter_index index{filter_index::none};
    std::string_view implied{}; // what else holds of these rows: an index of a part of the table is used by it
};

/// How the words of q are found in a list's records.
struct word_search {
    std::string_view words;    // a statement: how many words q has ($1 is q), and what the conditions need of them
    std::string_view has_all;  // the record has all of them; '?' stands for q
    std::string_view rarest{}; // and it has the rarest word, by that word's index; false where every word is common
    std::string_view common{}; // and every word is common: the list is then read in its order
};

struct sort_key {
    std::string_view name;   // "createdAt", "title"
    std::string_view column; // "j.created_at"
    bool is_time;
    bool indexed{true}; // an index gives the list in this order
};

inline constexpr int export_page_rows = 1000;
inline constexpr std::size_t longest_external_id = 200; // characters, as imports take them

/// How many columns a select list has: its commas outside of parentheses, and one.
[[nodiscard]] constexpr int count_columns(std::string_view select_list) noexcept {
    int depth = 0;
    int columns = 1;
    for (char const c : select_list) {
        if (c == '(') ++depth;
        if (c == ')') --depth;
        if (c == ',' && depth == 0) ++columns;
    }
    return columns;
}

/// How a hiring manager's page is read: of each of their jobs one page in the list's order, and of these the first.
struct reach_shape {
    std::string_view from; // FROM … WHERE …; behind the conditions of one job's page {page}, of all of them {first}
    std::string_view id;   // there
    std::array<std::string_view, 3> sorts;
    std::string_view first; // the same, without filters and in the default order's index; {after}: the position
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
    std::string_view parts{};      // more of each record than the list has by itself: a sync's token goes with it
    bool by_reach{false};          // the records depend on the caller
    std::string_view
        walked{}; // set: FROM … of the rows of which a page reads at most most_walked, where filters leave out others
    std::string_view most_walked{};
    reach_shape const* reach{nullptr};       // set: the list itself is read for those who see all of it
    bool may_be_behind{false};               // a standby may answer its searches
    int own_columns{count_columns(columns)}; // what every page or a sync adds begins behind them
};

/// Where the id stands in list_shape::columns.
inline constexpr int id_column = 0;

/// What a page has behind the list's own columns: the record's place in the order; with an inclusion or a horizon, its
/// id. The horizon is the last row that the page has read; only lists with `walked` have its two columns.
struct page_columns {
    enum : int { record_sort, record_id, horizon_sort, horizon_id, count, count_without_horizon = horizon_sort };
};

/// What a step of a sync has there.
struct sync_columns {
    enum : int { xid, record_id, left_at, record_sort, count };
};

/// More of each record, asked for by include=….
struct list_inclusion {
    std::string_view name;    // "applications"
    std::string_view rows;    // a record's, p.record_id: what follows LATERAL
    std::string_view feed;    // what changes by itself as time passes
    std::string_view visible; // the scope without which a part of it is hidden
};

class list_query {
public:
    using position = std::array<std::string, 2>; // a record's sort value and id

    /// Reads limit, cursor, sort, syncToken and the time filters; problems go to in.query.
    /// first: the value of $1 where shape.from has one.
    list_query(bind_input& in, list_shape const& shape, std::optional<uuid> const& first = std::nullopt);

    /// Adds a filter's condition.
    void where(list_filter const& filter, std::string_view value);
    /// Adds a condition that any of several values fulfils; it ends in "= ?", or "= ?::type" where the type is not
    /// text.
    void where_any(list_filter const& filter, http::value_list const& values);
    /// The same for a condition that the store puts together: what stands on the right of "=", then the whole of it.
    [[nodiscard]] std::string any_of(http::value_list const& values, std::string_view type = {});
    /// Adds a condition without a value.
    void where_all(list_filter const& filter);
    /// Adds a search for the words of q.
    void where_words(std::string_view q, word_search const& how);
    void set_descending(bool descending) { descending_ = descending; }
    /// Deleted records are wanted too (members?status=removed).
    void include_deleted() { with_deleted_ = true; }
    /// The record comes with these rows: one or more of the result, or one whose added columns are all null.
    void include(list_inclusion const& more) { inclusion_ = &more; }
    [[nodiscard]] bool has_inclusion() const { return inclusion_ != nullptr; }
    /// The limit when the request gave one.
    [[nodiscard]] std::optional<std::int64_t> given_limit() const { return given_limit_; }

    /// What the page asks of the database, and the first parameter that makes it a search ("" when none does).
    [[nodiscard]] read_cost cost() const;
    [[nodiscard]] std::string_view costly_parameter() const;
    /// Takes what was bound: the statements, how they are rendered and what they cost.
    [[nodiscard]] prepared_read prepared(std::vector<pg::statement> statements, render_function render) const;

    /// Those of a page, or of a step of a sync. render() chooses whose rows they are.
    [[nodiscard]] std::vector<pg::statement> statements();
    /// The statement of one page of an export: from the start, or after a row's sort value and id. An export
    /// gives everything that matches; limit bounds it only when it was given, and cursor begins it there.
    [[nodiscard]] pg::statement export_page(std::optional<position> const& after) const;
    /// How many records such a page holds, and where the next one begins; nullopt: it was the last.
    [[nodiscard]] int record_count(pg::rows const& rows) const;
    [[nodiscard]] std::optional<position> export_position(pg::rows const& rows) const;
    /// Writes {"data":[…],"page":{…}} and the Link field; write_row writes one record, which begins with the row.
    /// Refuses a syncToken that was made for a caller who sees other records.
    template <class WriteRow>
    result<void> render(std::span<pg::rows const> results, render_context const& context, http::response& answer,
                        WriteRow const& write_row) const {
        if (auto const fits = check_token(results, context); !fits) return fits.error();
        if (words_ != nullptr && results.front().integer(0, 0) == 0) return no_word();
        results = of_caller(results, context.principal);
        auto const& rows = results.back();
        auto const shown = shown_rows(rows);
        answer.body.reserve(static_cast<std::size_t>(shown.end) * 700 + 256);
        http::json_writer json(answer.body);
        json.open_object().key("data").open_array();
        for (int row = 0; row < shown.end; row = record_end(rows, row)) {
            if (has_left(rows, row)) write_left(json, rows, row);
            else write_row(json, rows[row]);
        }
        json.close_array();
        write_page(json, results, context, answer);
        json.close_object();
        return {};
    }
    /// The first row after the record that begins at row.
    [[nodiscard]] int record_end(pg::rows const& rows, int row) const;
    /// The first of the columns that include() added.
    [[nodiscard]] int included_columns() const;

private:
    struct page_rows {
        int end;  // the first row beyond the page
        int last; // the first row of its last record
    };
    /// A round reads what transactions from `from` to below `upper` have changed, and what time has since `since`.
    struct sync_position {
        std::string from{"0"};
        std::string since{"-infinity"};
        std::string upper; // "": the round has not begun
        std::string until;
        std::string after_xid; // the last record of the round that was returned; "": none yet
        std::string after_id;
        std::string audience; // whom the token was made for; "": a first sync
        std::string line;     // of the server that counted the transactions
    };

    /// Which records a page takes.
    enum class source : std::uint8_t { list, rarest_word, common_words, reach };

    void read_sort();
    void read_cursor();
    void read_sync();
    void read_sync_token(std::string const& token);
    bool read_time(std::string_view name, sort_key const& of, std::string_view comparison);
    void note(list_filter const& filter, bool several);
    [[nodiscard]] std::string fingerprint() const;
    void add_condition(list_filter const& filter, std::string condition, bool several = false);
    [[nodiscard]] std::string placeholder(std::string_view value);
    [[nodiscard]] std::string last_placeholder() const;
    [[nodiscard]] std::string keyset(std::string_view column, std::string_view id);
    [[nodiscard]] std::string in_order(std::string_view column, std::string_view id) const;
    [[nodiscard]] std::string word_conditions(source from) const;
    [[nodiscard]] bool reads_reach() const { return shape_.reach != nullptr && !unique_; }
    [[nodiscard]] std::string caller_condition() const;
    [[nodiscard]] std::string own_jobs_page(std::string const& conditions, std::string const& limit);
    [[nodiscard]] bool has_horizon() const {
        return !shape_.walked.empty() && !unique_ && (words_ != nullptr || (walks_ && !sorted_));
    }
    void bound_page(std::string& sql, source from, std::string const& after, std::string const& limit) const;
    void add_inclusion(std::string& sql, std::string_view order) const;
    [[nodiscard]] std::vector<pg::statement> sync_statements() const;
    [[nodiscard]] std::string sync_name() const;
    [[nodiscard]] std::string audience_of(auth::principal const& principal) const;
    [[nodiscard]] result<void> check_token(std::span<pg::rows const> results, render_context const& context) const;
    [[nodiscard]] static api_error no_word();
    [[nodiscard]] std::span<pg::rows const> of_caller(std::span<pg::rows const> results,
                                                      auth::principal const& principal) const;
    [[nodiscard]] page_rows shown_rows(pg::rows const& rows) const;
    [[nodiscard]] std::optional<position> horizon(pg::rows const& rows) const;
    [[nodiscard]] std::string sort_value(pg::rows const& rows, int row, int column) const;
    [[nodiscard]] position position_of(pg::rows const& rows, int row) const;
    [[nodiscard]] bool has_left(pg::rows const& rows, int row) const;
    void write_left(http::json_writer& json, pg::rows const& rows, int row) const;
    void write_page(http::json_writer& json, std::span<pg::rows const> results, render_context const& context,
                    http::response& answer) const;
    [[nodiscard]] std::string cursor_at(position const& at, render_context const& context) const;
    [[nodiscard]] std::string next_sync_token(std::span<pg::rows const> results, render_context const& context) const;

    [[nodiscard]] pg::statement page_statement(std::int64_t rows, source from = source::list);

    bind_input& in_; // valid while binding only
    list_shape const& shape_;
    list_inclusion const* inclusion_{nullptr};
    std::optional<uuid> first_;
    std::optional<std::int64_t> given_limit_;
    std::int64_t limit_{50};
    sort_key const* sort_;
    bool descending_{true};
    bool with_deleted_{false};
    std::string conditions_;
    std::string walked_;  // those of them that bound what a page reads of an index
    std::string filters_; // what the fingerprint is made of
    word_search const* words_{nullptr};
    std::string q_;
    std::string q_placeholder_;      // of q among the parameters
    std::string_view costly_filter_; // the first parameters that make a search of the page: by what they leave out,
    std::string_view costly_order_;  // or by an order that no index has, which does not matter for one row
    std::string since_{"NULL"};      // createdAfter and createdBefore
    std::string before_{"NULL"};
    bool ordered_{false}; // a filter's own index gives the page
    bool unique_{false};
    bool sorted_{false};
    bool walks_{false}; // rows are left out
    pg::params params_;
    std::optional<std::string> cursor_;
    std::optional<position> after_;
    std::optional<sync_position> sync_;
};

} // namespace recruiting::auth_api
