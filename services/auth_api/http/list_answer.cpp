// Answers a list and a step of a sync from the rows that their statements found.
#include "auth_api/http/list_query.hpp"
#include "core/text.hpp"

#include <algorithm>
#include <utility>

namespace recruiting::auth_api {
namespace {

// What a step of a sync has before the list's own columns, and what a page has that may be bounded. Other pages have
// the sort only. The id is the first of the list's own columns.
enum sync_columns : int { left_at_column, xid_column, record_id_column, sync_column_count };
enum bounded_columns : int { place_column, place_id_column, record_sort_column, bounded_column_count };

struct page_rows {
    int end;  // the first row beyond the page
    int last; // the first row of its last record
};

std::size_t usual_size(page_rows const& shown) { return static_cast<std::size_t>(shown.end) * 700 + 256; }

// The first row after the record that begins at row. A round of a sync may bring a record twice, with another xid.
int record_end(list_query const& list, pg::rows const& rows, int row) {
    int end = row + 1;
    if (list.inclusion == nullptr) return end;
    int const id = list.sync ? int{record_id_column} : first_own_column(list);
    int const sort = id - 1;
    while (end < rows.size() && rows.id(end, id) == rows.id(row, id) && rows.bytes(end, sort) == rows.bytes(row, sort))
        ++end;
    return end;
}

page_rows shown_rows(list_query const& list, pg::rows const& rows) {
    page_rows shown{0, 0};
    int const found = record_count(list, rows);
    for (std::int64_t records = 0; records < list.limit && shown.end < found; ++records) {
        shown.last = shown.end;
        shown.end = record_end(list, rows, shown.last);
    }
    return shown;
}

// The position whose sort value is in this column, and the id in the next.
list_position position_at(list_query const& list, pg::rows const& rows, int row, int column) {
    auto sort = list.sort->is_time ? format_time_micros(rows.time(row, column)) : std::string(rows.text(row, column));
    return {std::move(sort), to_string(rows.id(row, column + 1))};
}

list_position position_of(list_query const& list, pg::rows const& rows, int row) {
    return position_at(list, rows, row, first_own_column(list) - 1);
}

// Where a bounded page has stopped reading; nullopt: it reached the list's end.
std::optional<list_position> end_of_reading(list_query const& list, pg::rows const& rows) {
    if (!list.is_bounded() || rows.empty() || rows.is_null(0, place_column)) return std::nullopt;
    return position_at(list, rows, 0, place_column);
}

// Of a record that the caller may no longer see, that left this list, or that was deleted, only the id is shown.
void write_left(http::json_writer& json, pg::rows const& rows, int row) {
    json.open_object()
        .field("id", rows.id(row, record_id_column))
        .field("deletedAt", rows.time(row, left_at_column))
        .close_object();
}

void write_records(http::json_writer& json, list_query const& list, pg::rows const& rows, int shown_end,
                   record_writer const& write, render_context const& context) {
    int const included = list.inclusion != nullptr ? rows.columns() - list.inclusion->columns : 0;
    json.key("data").open_array();
    for (int row = 0, end = 0; row < shown_end; row = end) {
        end = record_end(list, rows, row);
        bool const has_left = list.sync && !rows.is_null(row, left_at_column);
        if (has_left) write_left(json, rows, row);
        else write(json, {rows[row].from(first_own_column(list)), end, included, context});
    }
    json.close_array();
}

result<void> render_step(list_query const& list, record_writer const& write, std::span<pg::rows const> results,
                         render_context const& context, http::response& answer) {
    auto const bound = read_sync_bound(results[0]);
    if (auto const fits = check_sync_token(list, bound.line, context.principal); !fits) return fits.error();
    auto const& rows = results[1];
    auto const shown = shown_rows(list, rows);
    bool const has_more = shown.end < rows.size();
    sync_position next{bound.upper, bound.until};
    if (has_more)
        next = {list.sync->at.from,
                list.sync->at.since,
                bound.upper,
                bound.until,
                std::string(rows.text(shown.last, xid_column)),
                to_string(rows.id(shown.last, record_id_column))};
    answer.body.reserve(usual_size(shown));
    http::json_writer json(answer.body);
    json.open_object();
    write_records(json, list, rows, shown.end, write, context);
    json.key("page").open_object().field("limit", list.limit).field("hasMore", has_more).key("nextCursor").null();
    json.field("syncToken", sign_sync_token(list, next, bound.line, context)).close_object().close_object();
    return {};
}

// The request's query with cursor replaced, for Link: rel="next" (RFC 8288).
std::string next_link(render_context const& context, std::string const& cursor) {
    std::string link = "<" + std::string(context.path) + "?";
    for (auto const pair : split(context.query, '&')) {
        if (pair.empty() || pair.substr(0, pair.find('=')) == "cursor") continue;
        link.append(pair).append("&");
    }
    return link + "cursor=" + cursor + R"(>; rel="next")";
}

void render_page(list_query const& list, record_writer const& write, pg::rows const& rows,
                 render_context const& context, http::response& answer) {
    auto const shown = shown_rows(list, rows);
    auto next = end_of_reading(list, rows);
    if (record_count(list, rows) > shown.end) next = position_of(list, rows, shown.last);
    answer.body.reserve(usual_size(shown));
    http::json_writer json(answer.body);
    json.open_object();
    write_records(json, list, rows, shown.end, write, context);
    json.key("page").open_object().field("limit", list.limit).field("hasMore", next.has_value()).key("nextCursor");
    if (next) {
        auto const cursor = sign_cursor(list, *next, context.signer);
        json.value(cursor);
        answer.add("Link", next_link(context, cursor));
    } else {
        json.null();
    }
    json.close_object().close_object();
}

// results: of statements_of(list). Of the pages, all but the caller's own find nothing.
result<void> render_list(list_query const& list, record_writer const& write, std::span<pg::rows const> results,
                         render_context const& context, http::response& answer) {
    if (list.parent) {
        if (results.front().empty()) return make_error(error_code::not_found);
        results = results.subspan(1);
    }
    if (list.sync) return render_step(list, write, results, context, answer);
    if (list.words != nullptr) {
        if (results.front().integer(0, 0) == 0)
            return invalid_request({{"query", "q", "invalid", "Must contain a letter or a digit."}});
        results = results.subspan(1);
    }
    auto const found = std::ranges::find_if(
        results, [&](pg::rows const& rows) { return record_count(list, rows) > 0 || end_of_reading(list, rows); });
    render_page(list, write, found == results.end() ? results.front() : *found, context, answer);
    return {};
}

} // namespace

int first_own_column(list_query const& list) {
    if (list.sync) return sync_column_count;
    return list.is_bounded() ? int{bounded_column_count} : 1;
}

int record_count(list_query const& list, pg::rows const& rows) {
    bool const is_end_alone = list.is_bounded() && rows.size() == 1 && rows.is_null(0, first_own_column(list));
    return is_end_alone ? 0 : rows.size();
}

std::optional<list_position> next_export_position(list_query const& list, pg::rows const& rows) {
    if (record_count(list, rows) == export_page_rows) return position_of(list, rows, export_page_rows - 1);
    return end_of_reading(list, rows);
}

prepared_read read_list(list_query list, record_writer write) {
    prepared_read out{statements_of(list), nullptr, nullptr, list.cost, list.costly_parameter};
    out.may_be_behind = list.shape->may_be_behind && list.cost == read_cost::search;
    out.render = [list = std::move(list), write = std::move(write)](
                     std::span<pg::rows const> results, render_context const& context, http::response& answer) {
        return render_list(list, write, results, context, answer);
    };
    return out;
}

} // namespace recruiting::auth_api
