// The statements of a list's page, composed of the shape's text, the filters' conditions and the position.
#include "auth_api/http/list_query.hpp"

#include "core/text.hpp"

#include <algorithm>

namespace recruiting::auth_api {
namespace {

constexpr std::string_view sees_all = "(SELECT recruiting.has_role('admin', 'recruiter'))";

std::string replaced(std::string_view text, std::string_view name, std::string_view value) {
    std::string out;
    for (auto at = text.find(name); at != std::string_view::npos; at = text.find(name)) {
        out.append(text.substr(0, at)).append(value);
        text.remove_prefix(at + name.size());
    }
    return out.append(text);
}

} // namespace

void list_query::where(list_filter const& filter, std::string_view value) {
    auto const mark = filter.condition.find('?');
    add_condition(filter, std::string(filter.condition.substr(0, mark)) + placeholder(value) +
                              std::string(filter.condition.substr(mark + 1)));
    filters_.append(filter.condition).append("\x1f").append(value).append("\x1e");
}

void list_query::where_any(list_filter const& filter, http::value_list const& values) {
    auto const mark = filter.condition.find('?');
    auto const type = filter.condition.substr(mark + 1);
    filters_.append(filter.condition).append("\x1f");
    auto const wanted = any_of(values, type.substr(std::min(type.size(), std::size_t{2})));
    add_condition(filter, std::string(filter.condition.substr(0, mark)) + wanted, values.size() > 1);
    filters_.append("\x1e");
}

// One value is compared by itself: an index then gives what has it in the list's order, which it can't for several.
std::string list_query::any_of(http::value_list const& values, std::string_view type) {
    for (auto const& value : values) filters_.append(filters_.ends_with('\x1f') ? "" : ",").append(value);
    if (values.size() == 1) return placeholder(values.front()) + (type.empty() ? "" : "::") + std::string(type);
    params_.text_array(values);
    return "ANY (" + last_placeholder() + "::" + std::string(type.empty() ? "text" : type) + "[])";
}

void list_query::where_all(list_filter const& filter) {
    add_condition(filter, std::string(filter.condition));
    filters_.append("\x1f").append(filter.condition).append("\x1e");
}

void list_query::where_words(std::string_view q, word_search const& how) {
    words_ = &how;
    q_ = q;
    q_placeholder_ = placeholder(q);
    add_condition({"q", {}, filter_index::sorted}, "true"); // its own conditions go with the statement
    filters_.append("q\x1f").append(q).append("\x1e");
}

void list_query::add_condition(list_filter const& filter, std::string condition, bool several) {
    if (sync_)
        return in_.query.problem("syncToken", "not_with_filters", "A sync returns every record: remove the filters.");
    if (!filter.implied.empty()) condition.append(" AND ").append(filter.implied);
    condition.insert(0, " AND ");
    conditions_ += condition;
    bool const of_index = filter.index == filter_index::ordered && !several && !ordered_;
    if (filter.index == filter_index::range || of_index) walked_ += condition;
    note(filter, several);
}

std::string list_query::placeholder(std::string_view value) {
    params_.text(value);
    return last_placeholder();
}

std::string list_query::last_placeholder() const { return "$" + std::to_string(params_.size()); }

std::string list_query::keyset(std::string_view column, std::string_view id) {
    if (!after_) return {};
    auto const value = placeholder((*after_)[0]) + (sort_->is_time ? "::timestamptz" : "::text");
    return " AND (" + std::string(column) + ", " + std::string(id) + (descending_ ? ") < (" : ") > (") + value + ", " +
           placeholder((*after_)[1]) + "::uuid)";
}

std::string list_query::in_order(std::string_view column, std::string_view id) const {
    std::string const direction = descending_ ? " DESC" : " ASC";
    return " ORDER BY " + std::string(column) + direction + ", " + std::string(id) + direction;
}

std::string list_query::word_conditions(source from) const {
    if (words_ == nullptr) return {};
    auto out = " AND " + replaced(words_->has_all, "?", q_placeholder_);
    if (from == source::rarest_word) out.append(" AND ").append(words_->rarest);
    if (from == source::common_words) out.append(" AND ").append(words_->common);
    return out;
}

std::vector<pg::statement> list_query::statements() {
    if (sync_) return sync_statements();
    read_cursor();
    std::vector<pg::statement> out;
    auto const add = [&](source from) {
        auto page = *this; // what is added for one page is not part of the list
        out.push_back(page.page_statement(limit_ + 1, from));
        if (!reads_reach()) return;
        using callers = pg::statement::callers;
        out.back().part_for = from == source::reach ? callers::with_reach : callers::seeing_all;
    };
    if (words_ != nullptr) out.push_back({std::string(words_->words), pg::params().text(q_)});
    if (words_ != nullptr && !words_->rarest.empty()) {
        add(source::rarest_word);
        add(source::common_words);
    } else {
        add(source::list);
    }
    if (reads_reach()) add(source::reach);
    return out;
}

// Of the statements above. All but the caller's own find nothing.
std::span<pg::rows const> list_query::of_caller(std::span<pg::rows const> results,
                                                auth::principal const& principal) const {
    if (sync_) return results;
    if (words_ != nullptr) results = results.subspan(1);
    if (reads_reach()) {
        if (principal.role == role::hiring_manager) return results.last(1);
        results = results.first(results.size() - 1);
    }
    bool const found = record_count(results.back()) > 0 || horizon(results.back());
    return found ? results.last(1) : results.first(1);
}

pg::statement list_query::export_page(std::optional<position> const& after) const {
    auto copy = *this;
    if (after) copy.after_ = after;
    return copy.page_statement(export_page_rows);
}

pg::statement list_query::page_statement(std::int64_t rows, source from) {
    params_.integer(rows);
    auto const limit = " LIMIT " + last_placeholder() + "::bigint";
    auto conditions = conditions_ + word_conditions(from);
    if (!with_deleted_ && !shape_.live.empty()) conditions.append(" AND ").append(shape_.live);
    std::string sql = "SELECT " + std::string(shape_.columns);
    sql.append(", ").append(sort_->column).append(" AS record_sort");
    if (inclusion_ != nullptr || has_horizon()) sql.append(", ").append(shape_.id).append(" AS record_id");
    bool const walks = has_horizon() && (from == source::list || from == source::common_words);
    if (has_horizon() && !walks)
        sql.append(sort_->is_time ? ", NULL::timestamptz" : ", NULL::text").append(" AS place, NULL::uuid AS place_id");
    std::string after;
    if (from == source::reach) {
        sql.append(" ").append(own_jobs_page(conditions, limit));
    } else {
        after = keyset(sort_->column, shape_.id);
        sql.append(" ").append(shape_.from).append(conditions).append(after).append(caller_condition());
    }
    if (walks) bound_page(sql, from, after, limit);
    else sql.append(in_order(sort_->column, shape_.id)).append(limit);
    if (inclusion_ != nullptr) add_inclusion(sql, descending_ ? " DESC" : " ASC");
    return {std::move(sql), std::move(params_), !conditions_.empty()};
}

std::string list_query::caller_condition() const { return reads_reach() ? " AND " + std::string(sees_all) : ""; }

// One job's page has the columns of that job's index instead of the record's own, where there are such.
std::string list_query::own_jobs_page(std::string const& conditions, std::string const& limit) {
    auto const& of = *shape_.reach;
    if (sort_ == &shape_.sorts[0] && words_ == nullptr && conditions_ == walked_) {
        std::string_view const direction = descending_ ? "true" : "false";
        auto const after = after_ ? placeholder((*after_)[0]) + "::timestamptz, " + placeholder((*after_)[1]) + "::uuid"
                                  : std::string("NULL, NULL");
        auto const start = std::string(direction) + ", " + since_ + ", " + before_ + ", " + after + ", ";
        return replaced(of.first, "{after}", start + limit.substr(limit.find('$'))) + conditions;
    }
    auto const column = of.sorts[static_cast<std::size_t>(sort_ - shape_.sorts.data())];
    auto page = replaced(conditions, shape_.sorts[0].column, of.sorts[0]);
    page += keyset(column, of.id);
    page += in_order(column, of.id);
    auto const from = replaced(replaced(of.from, "{sort}", column), "{page}", page + limit);
    return replaced(from, "{first}", in_order("p.place", "p.id") + limit);
}

// Around the page, which ends where most_walked rows have been read: the position of the last of them comes with it,
// and the next page continues there. So a filter that few rows fulfil, or none, costs as much as any other.
void list_query::bound_page(std::string& sql, source from, std::string const& after, std::string const& limit) const {
    std::string const column(sort_->column);
    std::string const id(shape_.id);
    auto const order = in_order(column, id);
    auto walked = std::string(shape_.walked) + walked_ + after + caller_condition();
    if (from == source::common_words) walked.append(" AND ").append(words_->common);
    std::string_view const time_end = descending_ ? "'-infinity'" : "'infinity'";
    std::string_view const text_end = descending_ ? "''" : "U&'\\+10FFFF'";
    std::string_view const id_end =
        descending_ ? "'00000000-0000-0000-0000-000000000000'" : "'ffffffff-ffff-ffff-ffff-ffffffffffff'";
    std::string const end(sort_->is_time ? time_end : text_end);
    sql.insert(0, "WITH h AS MATERIALIZED (SELECT " + column + " AS place, " + id + " AS id " + walked + order +
                      " OFFSET " + std::string(shape_.most_walked) +
                      " LIMIT 1), e AS MATERIALIZED (SELECT coalesce((SELECT "
                      "h.place FROM h), " +
                      end + ") AS place, coalesce((SELECT h.id FROM h), " + std::string(id_end) +
                      ") AS id) SELECT p.*, h.place, h.id AS place_id FROM e LEFT JOIN h ON true LEFT JOIN (");
    sql.append(" AND (").append(column).append(", ").append(id).append(descending_ ? ") >= (" : ") <= (");
    sql.append("(SELECT e.place FROM e), (SELECT e.id FROM e))"); // not leaky, so that the index is read to there
    sql.append(order).append(limit).append(") AS p ON true").append(in_order("p.record_sort", "p.record_id"));
}

// Around the page, so that LIMIT counts records. What is added is read for the page's records only, in the same
// snapshot.
void list_query::add_inclusion(std::string& sql, std::string_view order) const {
    sql.insert(0, "SELECT p.*, x.* FROM (");
    sql.append(") AS p LEFT JOIN LATERAL (").append(inclusion_->rows).append(") AS x ON true ORDER BY p.record_sort");
    sql.append(order).append(", p.record_id").append(order);
}

} // namespace recruiting::auth_api
