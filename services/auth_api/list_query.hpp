// One page of a list (design: Lists): limit, sort, time filters, signed keyset cursor; or a step of a warehouse sync.
// Composes the statement from the filters that were given, so that each combination has its own plan.
#pragma once
#include "auth_api/resource.hpp"
#include "http/json_writer.hpp"
#include "http/value_list.hpp"

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace recruiting::auth_api {

struct sort_key {
    std::string_view name;   // "createdAt", "title"
    std::string_view column; // "j.created_at"
    int index;               // of the column in the select list
    bool is_time;
};

inline constexpr int export_page_rows = 1000;
inline constexpr std::size_t longest_external_id = 800; // bytes: 200 characters, as imports take them

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

struct list_shape {
    std::string_view route;        // part of every cursor: one list's cursor does not fit another
    std::string_view columns;      // the select list, the id first
    std::string_view from;         // FROM … WHERE …, ending in a condition
    std::string_view live;         // what leaves deleted records out: "j.deleted_at IS NULL"
    std::string_view id;           // "j.id"
    std::array<sort_key, 3> sorts; // the first, descending, is the default
    std::string_view feed{};       // where syncToken is offered: what changed, see list_sync_store.cpp
    std::string_view record{}; // joins the record to the feed's row f: " LEFT JOIN recruiting.jobs j ON j.id = f.id"
    std::string_view parts{};  // more of each record than the list has by itself: a sync's token goes with it
    bool by_reach{false};      // who asks decides which records there are
    int record_id_column{count_columns(columns)}; // what a sync or an inclusion adds begins there, with the record's id
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
    /// Reads limit, cursor, sort, syncToken and the time filters; problems go to in.query.
    /// first: the value of $1 where shape.from has one.
    list_query(bind_input& in, list_shape const& shape, std::optional<uuid> const& first = std::nullopt);

    /// Adds a condition; '?' in it stands for the value.
    void where(std::string_view condition, std::string_view value);
    /// Adds a condition that any of several values fulfils; it ends in "= ?", or "= ?::type" where the type is not
    /// text.
    void where_any(std::string_view condition, http::value_list const& values);
    /// The same for a condition that the store puts together: what stands on the right of "=", then the whole of it.
    [[nodiscard]] std::string any_of(http::value_list const& values, std::string_view type = {});
    void where_all(std::string_view condition);
    void set_descending(bool descending) { descending_ = descending; }
    /// Deleted records are wanted too (members?status=removed).
    void include_deleted() { with_deleted_ = true; }
    /// The record comes with these rows: one or more of the result, or one whose added columns are all null.
    void include(list_inclusion const& more) { inclusion_ = &more; }
    [[nodiscard]] bool has_inclusion() const { return inclusion_ != nullptr; }
    /// The limit when the request gave one.
    [[nodiscard]] std::optional<std::int64_t> given_limit() const { return given_limit_; }

    /// One statement, or two in a sync: the rows are those of the last.
    [[nodiscard]] std::vector<pg::statement> statements();
    /// The statement of one page of an export: from the start, or after a row's sort value and id. An export
    /// gives everything that matches; limit bounds it only when it was given, and cursor begins it there.
    [[nodiscard]] pg::statement export_page(std::optional<std::array<std::string, 2>> const& after) const;
    /// Writes {"data":[…],"page":{…}} and the Link field; write_row writes one record, which begins at the row.
    /// Refuses a syncToken that was made for somebody who sees other records.
    template <class WriteRow>
    result<void> render(std::span<pg::rows const> results, render_context const& context, http::response& answer,
                        WriteRow const& write_row) const {
        if (auto const fits = check_token(context); !fits) return fits.error();
        auto const& rows = results.back();
        auto const shown = cut(rows);
        answer.body.reserve(static_cast<std::size_t>(shown.end) * 700 + 256);
        http::json_writer json(answer.body);
        json.open_object().key("data").open_array();
        for (int row = 0; row < shown.end; row = record_end(rows, row)) {
            if (has_left(rows, row)) write_left(json, rows, row);
            else write_row(json, rows, row);
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
    };

    void read_sort();
    void read_cursor();
    void read_sync();
    void read_sync_token(std::string const& token);
    void read_time(std::string_view name, std::string_view condition);
    [[nodiscard]] std::string fingerprint() const;
    void add_condition(std::string_view condition);
    [[nodiscard]] std::string placeholder(std::string_view value);
    void add_keyset(std::string& sql);
    void add_inclusion(std::string& sql, std::string_view order) const;
    [[nodiscard]] std::vector<pg::statement> sync_statements() const;
    [[nodiscard]] std::string sync_name() const;
    [[nodiscard]] std::string audience_of(auth::principal const& who) const;
    [[nodiscard]] result<void> check_token(render_context const& context) const;
    [[nodiscard]] page_rows cut(pg::rows const& rows) const;
    [[nodiscard]] bool has_left(pg::rows const& rows, int row) const;
    void write_left(http::json_writer& json, pg::rows const& rows, int row) const;
    void write_page(http::json_writer& json, std::span<pg::rows const> results, render_context const& context,
                    http::response& answer) const;
    [[nodiscard]] std::string next_cursor(pg::rows const& rows, render_context const& context) const;
    [[nodiscard]] std::string next_sync_token(std::span<pg::rows const> results, render_context const& context) const;

    [[nodiscard]] pg::statement page_statement(std::int64_t rows);

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
    std::string filters_; // what the fingerprint is made of
    pg::params params_;
    std::optional<std::string> cursor_;
    std::optional<std::array<std::string, 2>> after_; // sort value, id
    std::optional<sync_position> sync_;
};

} // namespace recruiting::auth_api
