// Answers a list: {"data":[…],"page":{…}} and the Link field, from the rows that its statements found.
#pragma once
#include "auth_api/http/list_query.hpp"
#include "http/json_writer.hpp"

#include <functional>

namespace recruiting::auth_api {

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
