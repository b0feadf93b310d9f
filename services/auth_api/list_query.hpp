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

struct list_shape {
    std::string_view route;        // part of every cursor: one list's cursor does not fit another
    std::string_view columns;      // the select list, the id first
    std::string_view from;         // FROM … WHERE …, ending in a condition
    std::string_view live;         // what leaves deleted records out: "j.deleted_at IS NULL"
    std::string_view id;           // "j.id"
    std::array<sort_key, 3> sorts; // the first, descending, is the default
    std::string_view changed{};    // "j.changed_xid" where syncToken is offered
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
    /// The limit when the request gave one.
    [[nodiscard]] std::optional<std::int64_t> given_limit() const { return given_limit_; }

    /// One statement, or two in a sync: the rows are those of the last.
    [[nodiscard]] std::vector<pg::statement> statements();
    /// The statement of one page of an export: from the start, or after a row's sort value and id. An export
    /// gives everything that matches; limit bounds it only when it was given, and cursor begins it there.
    [[nodiscard]] pg::statement export_page(std::optional<std::array<std::string, 2>> const& after) const;
    /// Writes {"data":[…],"page":{…}} and the Link field; write_row writes one row's value.
    template <class WriteRow>
    void render(std::span<pg::rows const> results, render_context const& context, http::response& answer,
                WriteRow const& write_row) const {
        auto const& rows = results.back();
        int const shown = std::min(rows.size(), static_cast<int>(limit_));
        answer.body.reserve(static_cast<std::size_t>(shown) * 700 + 256);
        http::json_writer json(answer.body);
        json.open_object().key("data").open_array();
        for (int row = 0; row < shown; ++row) write_row(json, rows, row);
        json.close_array();
        write_page(json, results, context, answer);
        json.close_object();
    }

private:
    struct sync_position {
        std::string from{"0"}; // first transaction of this round
        std::string upper;     // end of this round (exclusive); "": not begun
        std::string after_xid; // position within the round; "": at its start
        std::string after_id;
    };

    void read_sort();
    void read_cursor();
    void read_sync();
    void read_time(std::string_view name, std::string_view condition);
    [[nodiscard]] std::string fingerprint() const;
    void add_condition(std::string_view condition);
    [[nodiscard]] std::string placeholder(std::string_view value);
    void add_keyset(std::string& sql);
    [[nodiscard]] std::vector<pg::statement> sync_statements();
    void write_page(http::json_writer& json, std::span<pg::rows const> results, render_context const& context,
                    http::response& answer) const;
    [[nodiscard]] std::string next_cursor(pg::rows const& rows, render_context const& context) const;
    [[nodiscard]] std::string next_sync_token(std::span<pg::rows const> results, render_context const& context) const;

    [[nodiscard]] pg::statement page_statement(std::int64_t rows);

    bind_input& in_; // valid while binding only
    list_shape const& shape_;
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
