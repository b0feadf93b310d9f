#include "auth_api/list_query.hpp"

#include "core/text.hpp"
#include "crypto/digest.hpp"

#include <algorithm>

namespace recruiting::auth_api {
namespace {

constexpr std::int64_t most_per_page = 200;
constexpr std::string_view cursor_kind = "c1"; // a format's name: tokens of an older format are refused, not misread

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
        read_time("createdAfter", std::string(shape.sorts[0].column) + " >= ?::timestamptz");
        read_time("createdBefore", std::string(shape.sorts[0].column) + " < ?::timestamptz");
        read_time("updatedAfter", std::string(shape.sorts[1].column) + " >= ?::timestamptz");
        read_time("updatedBefore", std::string(shape.sorts[1].column) + " < ?::timestamptz");
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
            return;
        }
        allowed.append(allowed.empty() ? "" : ", ").append(key.name);
    }
    in_.query.problem("sort", "not_allowed", "Must be one of " + allowed + ", with - before it for descending order.");
}

void list_query::read_time(std::string_view name, std::string_view condition) {
    if (auto const time = in_.query.time(name)) where(condition, format_time_micros(*time));
}

void list_query::where(std::string_view condition, std::string_view value) {
    auto const mark = condition.find('?');
    add_condition(std::string(condition.substr(0, mark)) + placeholder(value) +
                  std::string(condition.substr(mark + 1)));
    filters_.append(condition).append("\x1f").append(value).append("\x1e");
}

void list_query::where_any(std::string_view condition, http::value_list const& values) {
    auto const mark = condition.find('?');
    auto const type = condition.substr(mark + 1);
    filters_.append(condition).append("\x1f");
    add_condition(std::string(condition.substr(0, mark)) +
                  any_of(values, type.substr(std::min(type.size(), std::size_t{2}))));
    filters_.append("\x1e");
}

// One value is compared by itself: an index then gives what has it in the list's order, which it can't for several.
std::string list_query::any_of(http::value_list const& values, std::string_view type) {
    for (auto const& value : values) filters_.append(filters_.ends_with('\x1f') ? "" : ",").append(value);
    if (values.size() == 1) return placeholder(values.front()) + (type.empty() ? "" : "::") + std::string(type);
    params_.text_array(values);
    return "ANY ($" + std::to_string(params_.size()) + "::" + std::string(type.empty() ? "text" : type) + "[])";
}

void list_query::where_all(std::string_view condition) {
    add_condition(condition);
    filters_.append("\x1f").append(condition).append("\x1e");
}

void list_query::add_condition(std::string_view condition) {
    if (!sync_) conditions_.append(" AND ").append(condition);
    else in_.query.problem("syncToken", "not_with_filters", "A sync returns every record; leave the filters out.");
}

std::string list_query::placeholder(std::string_view value) {
    params_.text(value);
    return "$" + std::to_string(params_.size());
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
        return in_.query.problem("cursor", "bad_cursor", "This is not a cursor this API gave.");
    if ((*parts)[1] != fingerprint())
        return in_.query.problem("cursor", "cursor_mismatch",
                                 "This cursor was given for another list, sort or filters.");
    after_ = {(*parts)[2], (*parts)[3]};
}

void list_query::add_keyset(std::string& sql) {
    std::string const column(sort_->column);
    std::string const id(shape_.id);
    if (after_) {
        auto const value = placeholder((*after_)[0]) + (sort_->is_time ? "::timestamptz" : "::text");
        sql += " AND (" + column + ", " + id + (descending_ ? ") < (" : ") > (") + value + ", " +
               placeholder((*after_)[1]) + "::uuid)";
    }
    std::string const direction = descending_ ? " DESC" : " ASC";
    sql += " ORDER BY " + column + direction + ", " + id + direction;
}

std::vector<pg::statement> list_query::statements() {
    if (sync_) return sync_statements();
    read_cursor();
    auto page = *this; // what is added for one page is not part of the list
    return {page.page_statement(limit_ + 1)};
}

pg::statement list_query::export_page(std::optional<std::array<std::string, 2>> const& after) const {
    auto copy = *this;
    if (after) copy.after_ = after;
    return copy.page_statement(export_page_rows);
}

pg::statement list_query::page_statement(std::int64_t rows) {
    std::string sql = "SELECT " + std::string(shape_.columns);
    if (inclusion_ != nullptr)
        sql.append(", ").append(shape_.id).append(" AS record_id, ").append(sort_->column).append(" AS record_sort");
    sql.append(" ").append(shape_.from).append(conditions_);
    if (!with_deleted_ && !shape_.live.empty()) sql.append(" AND ").append(shape_.live);
    add_keyset(sql);
    params_.integer(rows);
    sql += " LIMIT $" + std::to_string(params_.size()) + "::bigint";
    if (inclusion_ != nullptr) add_inclusion(sql, descending_ ? " DESC" : " ASC");
    return {std::move(sql), std::move(params_)};
}

// Around the page, so that LIMIT counts records. What is added is read for the page's records only, in the same
// snapshot.
void list_query::add_inclusion(std::string& sql, std::string_view order) const {
    sql.insert(0, "SELECT p.*, x.* FROM (");
    sql.append(") AS p LEFT JOIN LATERAL (").append(inclusion_->rows).append(") AS x ON true ORDER BY p.record_sort");
    sql.append(order).append(", p.record_id").append(order);
}

int list_query::included_columns() const { return shape_.record_id_column + (sync_ ? 4 : 2); }

int list_query::record_end(pg::rows const& rows, int row) const {
    int end = row + 1;
    if (inclusion_ == nullptr) return end;
    int const column = shape_.record_id_column;
    auto const record = rows.id(row, column);
    auto const place = rows.bytes(row, column + 1); // a round of a sync may bring a record twice
    while (end < rows.size() && rows.id(end, column) == record && rows.bytes(end, column + 1) == place) ++end;
    return end;
}

list_query::page_rows list_query::cut(pg::rows const& rows) const {
    page_rows shown{0, 0};
    for (std::int64_t records = 0; records < limit_ && shown.end < rows.size(); ++records) {
        shown.last = shown.end;
        shown.end = record_end(rows, shown.last);
    }
    return shown;
}

void list_query::write_page(http::json_writer& json, std::span<pg::rows const> results, render_context const& context,
                            http::response& answer) const {
    bool const more = results.back().size() > cut(results.back()).end;
    json.key("page").open_object().field("limit", limit_).field("hasMore", more);
    if (sync_) {
        json.key("nextCursor").null().field("syncToken", next_sync_token(results, context));
    } else if (more) {
        auto const cursor = next_cursor(results.back(), context);
        json.field("nextCursor", cursor);
        answer.add("Link", next_link(context, cursor));
    } else {
        json.key("nextCursor").null();
    }
    json.close_object();
}

std::string list_query::next_cursor(pg::rows const& rows, render_context const& context) const {
    int const last = cut(rows).last;
    auto position =
        sort_->is_time ? format_time_micros(rows.time(last, sort_->index)) : std::string(rows.text(last, sort_->index));
    return context.signer.sign(
        {std::string(cursor_kind), fingerprint(), std::move(position), to_string(rows.id(last, 0))});
}

} // namespace recruiting::auth_api
