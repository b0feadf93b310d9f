// What a request asks of a list: read by list_builder, turned into statements by list_query_store.cpp (a page) and
// list_sync_store.cpp (a step of a sync), answered by list_answer.cpp with {"data":[…],"page":{…}}.
#pragma once
#include "auth_api/http/list_shape.hpp"
#include "auth_api/http/resource.hpp"
#include "http/json_writer.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace recruiting::auth_api {

/// A record's place in the order.
struct list_position {
    std::string sort;
    std::string id;
};

/// A round reads what transactions from `from` to below `upper` have changed, and what time has since `since`.
struct sync_position {
    std::string from{"0"};
    std::string since{"-infinity"};
    std::string upper{}; // "": the round has not begun
    std::string until{};
    std::string after_xid{}; // the last record of the round that was returned; "": none yet
    std::string after_id{};
    [[nodiscard]] bool is_first_round() const { return from == "0"; }
};

struct sync_request {
    sync_position at;
    std::string audience{}; // whom the token was made for; "": a first sync
    std::string line{};     // of the server that counted the transactions
};

struct list_query {
    list_shape const* shape;
    sort_key const* sort;
    bool descending{true};
    std::optional<uuid> parent{}; // the record whose list it is
    std::optional<std::int64_t> given_limit{};
    std::int64_t limit{50};
    std::string more_columns{}; // behind the list's own: ", j.stages"
    std::string parts{};        // their names: a sync's token goes with them
    list_inclusion const* inclusion{nullptr};
    bool with_deleted{false};

    std::string conditions{};          // of the filters: " AND …" each, with the placeholders of `params`
    std::string index_conditions{};    // those of them that bound what a page reads of an index
    std::string created_after{"NULL"}; // placeholders
    std::string created_before{"NULL"};
    word_search const* words{nullptr};
    std::string q{};
    std::string q_placeholder{};
    pg::params params{};
    std::string filters{}; // conditions and values: a cursor goes with them

    bool unique{false};          // a filter's index gives one row,
    bool sorted{false};          // or all rows that the page is sorted from
    bool leaves_out_rows{false}; // rows that an index gives are left out
    read_cost cost{read_cost::indexed};
    std::string_view costly_parameter{}; // the first that makes the page a search; "": none does

    std::optional<list_position> after{}; // of the cursor
    std::optional<sync_request> sync{};

    /// A restricted caller's page is then a statement of its own.
    [[nodiscard]] bool has_restricted_page() const { return shape->restricted != nullptr && !unique; }
    /// The page may end before it is full: its first two columns are then where it has stopped reading.
    [[nodiscard]] bool is_bounded() const {
        return shape->most_read > 0 && !unique && (words != nullptr || (leaves_out_rows && !sorted));
    }
};

/// The statements of a page or of a step of a sync, those of its parent and of q's words first. Of several pages all
/// but the caller's own find nothing.
[[nodiscard]] std::vector<pg::statement> statements_of(list_query const& list);

inline constexpr int export_page_rows = 1000;
/// One page of an export: from the cursor, or after a row. An export gives everything that matches.
[[nodiscard]] pg::statement export_page(list_query const& list, std::optional<list_position> const& after);

/// The two statements of a step: where its round ends, and its records.
[[nodiscard]] std::vector<pg::statement> sync_statements(list_query const& list);

/// Where a round ends, and which server counts its transactions.
struct sync_bound {
    std::string upper;
    std::string until;
    std::string line;
};
[[nodiscard]] sync_bound read_sync_bound(pg::rows const& bound);

// Signed positions, list_tokens.cpp: cursors of pages, which go with the filters and the sort they were made for, and
// tokens of syncs. What does not fit the list is a problem of in.query.
void read_cursor(list_query& list, std::string const& cursor, bind_input& in);
void read_sync_token(list_query& list, std::string const& token, bind_input& in);
[[nodiscard]] std::string sign_cursor(list_query const& list, list_position const& at,
                                      http::token_signer const& signer);
/// line: of the server that counts the transactions of the position.
[[nodiscard]] std::string sign_sync_token(list_query const& list, sync_position const& next, std::string_view line,
                                          render_context const& context);
/// Refuses a token that was made for a caller who sees other records, or by another server.
[[nodiscard]] result<void> check_sync_token(list_query const& list, std::string_view line,
                                            auth::principal const& principal);

/// One record of a page. With an inclusion it has the rows from this one to before `end`: one or more of the result, or
/// one whose added columns are all null.
struct list_record {
    pg::row row; // at the first of the list's own columns
    int end;
    int included; // the first column of the inclusion; 0: none was asked for
    render_context const& context;
};

using record_writer = std::function<void(http::json_writer&, list_record const&)>;

/// The read of a list, whose records `write` writes.
[[nodiscard]] prepared_read read_list(list_query list, record_writer write);

// Of a page of an export (export_page):
/// How many records it has. A bounded page that found nothing is one row, of where it ends alone.
[[nodiscard]] int record_count(list_query const& list, pg::rows const& rows);
/// Where the list's own columns begin.
[[nodiscard]] int first_own_column(list_query const& list);
/// Where the next page begins; nullopt: this was the last.
[[nodiscard]] std::optional<list_position> next_export_position(list_query const& list, pg::rows const& rows);

} // namespace recruiting::auth_api
