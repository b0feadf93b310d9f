// What a list reads of the request, what the page costs, and how a page is written. Its SQL: list_query_store.cpp.
#include "auth_api/http/list_query.hpp"

#include "core/text.hpp"
#include "crypto/digest.hpp"

namespace recruiting::auth_api {
namespace {

constexpr std::int64_t most_per_page = 200;
constexpr std::int64_t most_in_quick_page = 50; // a larger one keeps others waiting for longer
constexpr std::string_view cursor_kind = "c1";  // what the signed parts are: no other kind of token is read as one

// The request's query with cursor replaced, for Link: rel="next" (RFC 8288).
std::string next_link(render_context const& context, std::string const& cursor) {
    std::string link = "<" + std::string(context.path) + "?";
    for (auto const pair : split(context.query, '&')) {
        if (pair.empty() || pair.substr(0, pair.find('=')) == "cursor") continue;
        link.append(pair).append("&");
    }
    return link + "cursor=" + cursor + R"(>; rel="next")";
}

} // namespace

list_query::list_query(bind_input& in, list_shape const& shape, std::optional<uuid> const& first)
    : in_(in), shape_(shape), first_(first), sort_(&shape.sorts[0]) {
    if (first) {
        params_.id(*first);
        filters_.append(to_string(*first)).append("\x1e");
    }
    given_limit_ = in.query.integer("limit", 1, most_per_page);
    limit_ = given_limit_.value_or(limit_);
    if (!shape.feed.empty() && in.query.has("syncToken")) {
        read_sync();
        return;
    }
    if (!shape.sorts[1].name.empty()) {
        read_sort();
        if (read_time("createdAfter", shape.sorts[0], " >= ?::timestamptz")) since_ = last_placeholder();
        if (read_time("createdBefore", shape.sorts[0], " < ?::timestamptz")) before_ = last_placeholder();
        read_time("updatedAfter", shape.sorts[1], " >= ?::timestamptz");
        read_time("updatedBefore", shape.sorts[1], " < ?::timestamptz");
    }
    if (in.query.has("cursor")) cursor_ = in.query.text("cursor", 2000);
}

void list_query::read_sort() {
    auto const given = in_.query.text("sort");
    if (!given) return;
    std::string_view name = *given;
    bool const descending = name.starts_with('-');
    if (descending) name.remove_prefix(1);
    std::string allowed;
    for (auto const& key : shape_.sorts) {
        if (key.name.empty()) continue;
        if (key.name == name) {
            sort_ = &key;
            descending_ = descending;
            if (!key.indexed) costly_order_ = "sort";
            return;
        }
        allowed.append(allowed.empty() ? "" : ", ").append(key.name);
    }
    in_.query.problem("sort", "not_allowed", "Must be one of " + allowed + ", with - before it for descending order.");
}

// The index of the order is read from one time to the other; in another order each row is checked.
bool list_query::read_time(std::string_view name, sort_key const& of, std::string_view comparison) {
    auto const time = in_.query.time(name);
    if (!time) return false;
    auto const condition = std::string(of.column) + std::string(comparison);
    where({name, condition, sort_ == &of ? filter_index::range : filter_index::none}, format_time_micros(*time));
    return true;
}

void list_query::note(list_filter const& filter, bool several) {
    auto const of_search = [&] {
        if (costly_filter_.empty()) costly_filter_ = filter.parameter;
    };
    switch (filter.index) {
    case filter_index::none: walks_ = true; return of_search();
    case filter_index::sorted: sorted_ = true; return of_search();
    case filter_index::range: return;
    case filter_index::unique: unique_ = true; return;
    case filter_index::ordered: break;
    }
    // The index of one filter knows neither another order nor the other filter, and several values not the order.
    if (several) walks_ = true;
    if (several || ordered_) of_search();
    if (sort_ != &shape_.sorts[0] && costly_order_.empty()) costly_order_ = "sort";
    ordered_ = true;
}

std::string_view list_query::costly_parameter() const {
    if (!costly_filter_.empty()) return costly_filter_;
    return unique_ ? std::string_view() : costly_order_;
}

read_cost list_query::cost() const {
    if (sync_) return read_cost::bulk;
    if (!costly_parameter().empty()) return read_cost::search;
    bool const long_records = inclusion_ != nullptr || !shape_.parts.empty();
    return long_records || limit_ > most_in_quick_page ? read_cost::bulk : read_cost::indexed;
}

prepared_read list_query::prepared(std::vector<pg::statement> statements, render_function render) const {
    prepared_read out{std::move(statements), std::move(render), nullptr, cost(), costly_parameter()};
    out.may_be_behind = shape_.may_be_behind && out.cost == read_cost::search;
    return out;
}

std::string list_query::fingerprint() const {
    auto const text =
        std::string(shape_.route) + '\x1e' + std::string(sort_->name) + (descending_ ? "-" : "+") + filters_;
    return to_hex(bytes_of(sha256(text)).substr(0, 8));
}

// Last, when every filter is known: a cursor goes with the filters and the sort it was made for.
void list_query::read_cursor() {
    if (!cursor_) return;
    auto const parts = in_.signer.verify(*cursor_);
    if (!parts || parts->size() != 4 || (*parts)[0] != cursor_kind)
        return in_.query.problem("cursor", "bad_cursor", "This cursor was not issued by this API.");
    if ((*parts)[1] != fingerprint())
        return in_.query.problem("cursor", "cursor_mismatch",
                                 "This cursor was issued for another list, sort or filters.");
    after_ = {(*parts)[2], (*parts)[3]};
}

api_error list_query::no_word() {
    return invalid_request({{"query", "q", "invalid", "Must contain a letter or a digit."}});
}

int list_query::included_columns() const {
    if (sync_) return shape_.own_columns + sync_columns::count;
    return shape_.own_columns + (has_horizon() ? page_columns::count : page_columns::count_without_horizon);
}

int list_query::record_end(pg::rows const& rows, int row) const {
    int end = row + 1;
    if (inclusion_ == nullptr) return end;
    int const first = shape_.own_columns;
    int const id = first + (sync_ ? int{sync_columns::record_id} : int{page_columns::record_id});
    // A round of a sync may bring a record twice, with another xid.
    int const sort = first + (sync_ ? int{sync_columns::xid} : int{page_columns::record_sort});
    auto const record = rows.id(row, id);
    auto const value = rows.bytes(row, sort);
    while (end < rows.size() && rows.id(end, id) == record && rows.bytes(end, sort) == value) ++end;
    return end;
}

// A bounded page that found nothing is one row, of its horizon alone.
int list_query::record_count(pg::rows const& rows) const {
    return has_horizon() && rows.size() == 1 && rows.is_null(0, id_column) ? 0 : rows.size();
}

list_query::page_rows list_query::shown_rows(pg::rows const& rows) const {
    page_rows shown{0, 0};
    int const found = record_count(rows);
    for (std::int64_t records = 0; records < limit_ && shown.end < found; ++records) {
        shown.last = shown.end;
        shown.end = record_end(rows, shown.last);
    }
    return shown;
}

std::string list_query::sort_value(pg::rows const& rows, int row, int column) const {
    return sort_->is_time ? format_time_micros(rows.time(row, column)) : std::string(rows.text(row, column));
}

list_query::position list_query::position_of(pg::rows const& rows, int row) const {
    return {sort_value(rows, row, shape_.own_columns + page_columns::record_sort), to_string(rows.id(row, id_column))};
}

// Where a bounded page has stopped reading; nullopt: it reached the list's end.
std::optional<list_query::position> list_query::horizon(pg::rows const& rows) const {
    int const sort = shape_.own_columns + page_columns::horizon_sort;
    int const id = shape_.own_columns + page_columns::horizon_id;
    if (!has_horizon() || rows.empty() || rows.is_null(0, sort)) return std::nullopt;
    return position{sort_value(rows, 0, sort), to_string(rows.id(0, id))};
}

std::optional<list_query::position> list_query::export_position(pg::rows const& rows) const {
    if (record_count(rows) == export_page_rows) return position_of(rows, export_page_rows - 1);
    return horizon(rows);
}

void list_query::write_page(http::json_writer& json, std::span<pg::rows const> results, render_context const& context,
                            http::response& answer) const {
    auto const& rows = results.back();
    auto const shown = shown_rows(rows);
    auto next = horizon(rows);
    bool const more = record_count(rows) > shown.end;
    if (more && !sync_) next = position_of(rows, shown.last);
    json.key("page").open_object().field("limit", limit_).field("hasMore", more || next.has_value());
    if (sync_) {
        json.key("nextCursor").null().field("syncToken", next_sync_token(results, context));
    } else if (next) {
        auto const cursor = cursor_at(*next, context);
        json.field("nextCursor", cursor);
        answer.add("Link", next_link(context, cursor));
    } else {
        json.key("nextCursor").null();
    }
    json.close_object();
}

std::string list_query::cursor_at(position const& at, render_context const& context) const {
    return context.signer.sign({std::string(cursor_kind), fingerprint(), at[0], at[1]});
}

} // namespace recruiting::auth_api
