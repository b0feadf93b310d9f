#include "auth_api/http/list_builder.hpp"

#include "core/text.hpp"

#include <algorithm>

namespace recruiting::auth_api {
namespace {

constexpr std::int64_t most_per_page = 200;
constexpr std::int64_t most_in_quick_page = 50;  // a larger one keeps others waiting for longer
constexpr std::size_t longest_external_id = 200; // characters, as imports take them

std::optional<http::value_list> one_value(std::optional<std::string> value) {
    if (!value) return std::nullopt;
    return http::value_list{std::move(*value)};
}

bool is_word_byte(char c) noexcept { return static_cast<unsigned char>(c) >= 0x80 || is_alphanumeric(c); }

} // namespace

std::optional<http::value_list> read_text(http::query_reader& query, std::string_view name) {
    return one_value(query.text(name));
}
std::optional<http::value_list> read_external_id(http::query_reader& query, std::string_view name) {
    return one_value(query.text(name, longest_external_id));
}
std::optional<http::value_list> read_id(http::query_reader& query, std::string_view name) {
    auto const id = query.id(name);
    return one_value(id ? std::optional(to_string(*id)) : std::nullopt);
}
std::optional<http::value_list> read_flag(http::query_reader& query, std::string_view name) {
    auto const flag = query.boolean(name);
    return one_value(flag ? std::optional<std::string>(*flag ? "t" : "f") : std::nullopt);
}
std::optional<http::value_list> read_time(http::query_reader& query, std::string_view name) {
    auto const time = query.time(name);
    return one_value(time ? std::optional(format_time_micros(*time)) : std::nullopt);
}

list_builder::list_builder(bind_input& in, list_shape const& shape, std::optional<uuid> const& parent)
    : in_(in), list_{.shape = &shape, .sort = &shape.sorts[0], .parent = parent} {
    if (parent) {
        list_.params.id(*parent);
        list_.filters.append(to_string(*parent)).append("\x1e");
    }
    list_.given_limit = in.query.integer("limit", 1, most_per_page);
    list_.limit = list_.given_limit.value_or(list_.limit);
    if (!shape.feed.empty() && in.query.has("syncToken")) {
        read_sync();
        return;
    }
    if (!shape.sorts[1].name.empty()) {
        read_sort();
        if (read_bound("createdAfter", shape.sorts[0], " >= ?::timestamptz")) list_.created_after = last_placeholder();
        if (read_bound("createdBefore", shape.sorts[0], " < ?::timestamptz")) list_.created_before = last_placeholder();
        read_bound("updatedAfter", shape.sorts[1], " >= ?::timestamptz");
        read_bound("updatedBefore", shape.sorts[1], " < ?::timestamptz");
    }
    if (in.query.has("cursor")) cursor_ = in.query.text("cursor", 2000);
}

void list_builder::read_sync() {
    list_.sync = sync_request{};
    for (auto const name : {"cursor", "sort"})
        if (in_.query.has(name))
            in_.query.problem(name, "not_with_sync_token",
                              "A sync has its own order and position: remove this parameter.");
    auto const token = in_.query.text("syncToken", 2000, http::query_reader::empty::allowed);
    if (token && !token->empty()) read_sync_token(list_, *token, in_); // empty: a first sync
}

void list_builder::read_sort() {
    auto const given = in_.query.text("sort");
    if (!given) return;
    std::string_view name = *given;
    bool const descending = name.starts_with('-');
    if (descending) name.remove_prefix(1);
    std::string allowed;
    for (auto const& key : list_.shape->sorts) {
        if (key.name.empty()) continue;
        if (key.name == name) {
            list_.sort = &key;
            list_.descending = descending;
            if (!key.indexed) costly_order_ = "sort";
            return;
        }
        allowed.append(allowed.empty() ? "" : ", ").append(key.name);
    }
    in_.query.problem("sort", "unknown_value",
                      "Must be one of " + allowed + ", with - before it for descending order.");
}

void list_builder::add_columns(std::string_view name, std::string_view columns) {
    list_.parts.append(list_.parts.empty() ? "" : ",").append(name);
    list_.more_columns += columns;
}

// The index of the order is read from one time to the other; in another order each row is checked.
bool list_builder::read_bound(std::string_view name, sort_key const& of, std::string_view comparison) {
    auto const time = read_time(in_.query, name);
    if (!time) return false;
    auto const condition = std::string(of.column) + std::string(comparison);
    filter({name, read_time, condition, list_.sort == &of ? filter_index::range : filter_index::none}, *time);
    return true;
}

void list_builder::filter(std::span<list_filter const> filters) {
    for (auto const& one : filters)
        if (auto const values = one.read(in_.query, one.parameter)) filter(one, *values);
}

void list_builder::filter(list_filter const& filter, http::value_list const& values) {
    auto const has = [&](std::string_view value) {
        return !value.empty() && std::ranges::find(values, value) != values.end();
    };
    auto used = filter;
    if (has(filter.unindexed)) {
        used.index = filter_index::none;
        used.implied = {};
    }
    if (has(filter.with_deleted)) include_deleted();
    list_.filters.append(filter.condition).append("\x1f");
    auto condition = bind(filter.condition, values);
    list_.filters.append("\x1e");
    add_condition(used, std::move(condition), values.size() > 1);
}

void list_builder::filter_by_row(std::span<list_filter const> filters, row_conditions const& of) {
    list_filter all{};
    std::string conditions;
    for (auto const& one : filters) {
        auto const values = one.read(in_.query, one.parameter);
        if (!values) continue;
        if (all.parameter.empty()) all.parameter = one.parameter;
        if (one.index != filter_index::none) all.index = one.index;
        conditions.append(" AND ").append(bind(one.condition, *values));
    }
    if (conditions.empty()) return;
    bool const is_indexed = all.index != filter_index::none;
    auto condition = std::string(is_indexed ? of.indexed : of.unindexed) + conditions;
    condition.append(is_indexed ? "" : of.unindexed_end).append(")");
    list_.filters.append("\x1f").append(condition).append("\x1e");
    add_condition(all, std::move(condition));
}

void list_builder::search(word_search const& how) {
    auto const q = in_.query.text("q");
    if (!q) return;
    if (std::ranges::none_of(*q, is_word_byte)) in_.query.problem("q", "invalid", "Must contain a letter or a digit.");
    list_.words = &how;
    list_.q = *q;
    list_.params.text(*q);
    list_.q_placeholder = last_placeholder();
    add_condition({"q", nullptr, {}, filter_index::sorted}, "true"); // its own conditions go with the statement
    list_.filters.append("q\x1f").append(*q).append("\x1e");
}

// One value is compared by itself: an index then gives what has it in the list's order, which it can't for several.
std::string list_builder::bind(std::string_view condition, http::value_list const& values) {
    auto& filters = list_.filters;
    for (auto const& value : values) filters.append(filters.ends_with('\x1f') ? "" : ",").append(value);
    auto const mark = condition.find('?');
    auto const behind = condition.substr(mark + 1);
    std::string out(condition.substr(0, mark));
    if (values.size() == 1) {
        list_.params.text(values.front());
        return out.append(last_placeholder()).append(behind);
    }
    list_.params.text_array(values);
    return out.append("ANY (").append(last_placeholder()).append(behind.empty() ? "::text" : behind).append("[])");
}

void list_builder::add_condition(list_filter const& filter, std::string condition, bool several) {
    if (list_.sync)
        return in_.query.problem("syncToken", "not_with_filters", "A sync returns every record: remove the filters.");
    if (!filter.implied.empty()) condition.append(" AND ").append(filter.implied);
    condition = " AND " + condition;
    list_.conditions += condition;
    bool const is_first_ordered = filter.index == filter_index::ordered && !several && !ordered_;
    if (filter.index == filter_index::range || is_first_ordered) list_.index_conditions += condition;
    note_cost(filter, several);
}

void list_builder::note_cost(list_filter const& filter, bool several) {
    switch (filter.index) {
    case filter_index::none: list_.leaves_out_rows = true; return note_search(filter.parameter);
    case filter_index::sorted: list_.sorted = true; return note_search(filter.parameter);
    case filter_index::range: return;
    case filter_index::unique: list_.unique = true; return;
    case filter_index::ordered: break;
    }
    // The index of one filter knows neither another order nor the other filter, and several values not the order.
    if (several) list_.leaves_out_rows = true;
    if (several || ordered_) note_search(filter.parameter);
    if (list_.sort != &list_.shape->sorts[0] && costly_order_.empty()) costly_order_ = "sort";
    ordered_ = true;
}

result<list_query> list_builder::finish() {
    if (cursor_) read_cursor(list_, *cursor_, in_); // last, because it goes with all filters
    if (auto const checked = finish_query(in_); !checked) return checked.error();
    list_.costly_parameter = costly_filter_;
    if (costly_filter_.empty() && !list_.unique) list_.costly_parameter = costly_order_;
    bool const long_records = list_.inclusion != nullptr || !list_.parts.empty();
    if (list_.sync) list_.cost = read_cost::bulk;
    else if (!list_.costly_parameter.empty()) list_.cost = read_cost::search;
    else if (long_records || list_.limit > most_in_quick_page) list_.cost = read_cost::bulk;
    return std::move(list_);
}

result<prepared_read> list_builder::read(record_writer write) {
    auto list = finish();
    if (!list) return list.error();
    return read_list(std::move(*list), std::move(write));
}

} // namespace recruiting::auth_api
