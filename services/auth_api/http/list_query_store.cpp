// The statements of a list's page. A name in braces stands for a part of the statement: what the list declares
// (list_shape), what the request asks (list_query), or another template. page_of() says what each is.
#include "auth_api/http/list_query.hpp"
#include "auth_api/http/statement_parts.hpp"

#include <boost/algorithm/string/replace.hpp>

namespace recruiting::auth_api {
namespace {

constexpr std::string_view page_sql = R"sql(
SELECT {no_end}{sort} AS record_sort, {columns}
{records}
ORDER BY {sort} {direction}, {id} {direction} LIMIT {limit}
)sql";

// Ends where most_read rows have been read: the position of the last of them comes with the page, and the next page
// continues there. So a filter that few rows fulfil, or none, costs as much as any other. The comparison with that
// position is not leaky, so that the index is read to there.
constexpr std::string_view bounded_page_sql = R"sql(
WITH h AS MATERIALIZED (
    SELECT {sort} AS place, {id} AS id
    {from}{live}{index_conditions}{after}{is_unrestricted}{every_word_is_common}
    ORDER BY {sort} {direction}, {id} {direction} OFFSET {most_read} LIMIT 1),
e AS MATERIALIZED (
    SELECT coalesce((SELECT h.place FROM h), {last_place}) AS place, coalesce((SELECT h.id FROM h), {last_id}) AS id)
SELECT h.place, h.id AS place_id, p.*
FROM e LEFT JOIN h ON true LEFT JOIN (
    SELECT {sort} AS record_sort, {columns}
    {records} AND ({sort}, {id}) {not_behind} ((SELECT e.place FROM e), (SELECT e.id FROM e))
    ORDER BY {sort} {direction}, {id} {direction} LIMIT {limit}) AS p (record_sort, record_id) ON true
ORDER BY p.record_sort {direction}, p.record_id {direction}
)sql";

// Around either page, so that LIMIT counts records. What is added is read for the page's records only, in the same
// snapshot.
constexpr std::string_view page_with_inclusion_sql = R"sql(
SELECT p.*, x.* FROM ({page}) AS p ({page_columns}) LEFT JOIN LATERAL ({included}) AS x ON true
ORDER BY p.record_sort {direction}, p.record_id {direction}
)sql";

constexpr std::string_view records_of_list = "{from}{conditions}{after}{is_unrestricted}";
constexpr std::string_view conditions_of_page = "{filters}{words}{live}";
constexpr std::string_view after_position = " AND ({sort}, {id}) {behind} ({after_sort}, {after_id})";
constexpr std::string_view after_in_job = " AND ({job_sort}, {job_id}) {behind} ({after_sort}, {after_id})";
constexpr std::string_view for_unrestricted = " AND (SELECT recruiting.has_role('admin', 'recruiter'))";

/// Which records a page takes.
enum class page_source : std::uint8_t { list, rarest_word, common_words, restricted, own };

void add_words(statement_parts& parts, list_query const& list, page_source from) {
    parts.part("every_word_is_common", from == page_source::common_words ? " AND {common}" : "");
    if (list.words == nullptr) {
        parts.part("words", "");
        return;
    }
    parts
        .part("words",
              from == page_source::rarest_word ? " AND {has_all} AND {rarest}" : " AND {has_all}{every_word_is_common}")
        .part("has_all", list.words->has_all)
        .part("rarest", list.words->rarest)
        .part("common", list.words->common)
        .part("q", list.q_placeholder);
}

void add_order(statement_parts& parts, list_query const& list) {
    parts.part("sort", list.sort->column)
        .part("direction", list.descending ? "DESC" : "ASC")
        .part("behind", list.descending ? "<" : ">");
}

void add_bound(statement_parts& parts, list_query const& list, std::string_view most_read) {
    bool const down = list.descending;
    std::string_view const last_time = down ? "'-infinity'" : "'infinity'";
    std::string_view const last_text = down ? "''" : "U&'\\+10FFFF'";
    parts.part("not_behind", down ? ">=" : "<=")
        .part("last_place", list.sort->is_time ? last_time : last_text)
        .part("last_id", down ? "'00000000-0000-0000-0000-000000000000'" : "'ffffffff-ffff-ffff-ffff-ffffffffffff'")
        .part("index_conditions", list.index_conditions)
        .part("most_read", most_read);
}

void add_position(statement_parts& parts, list_query const& list, std::optional<list_position> const& after,
                  page_source from) {
    if (!after) {
        parts.part("after", "").part("after_sort", "NULL").part("after_id", "NULL");
        return;
    }
    parts.part("after", from == page_source::restricted ? after_in_job : after_position)
        .value("after_sort", after->sort, list.sort->is_time ? "::timestamptz" : "::text")
        .value("after_id", after->id, "::uuid");
}

void add_restricted(statement_parts& parts, list_query const& list, std::string_view job_filters) {
    auto const& restricted = *list.shape->restricted;
    auto const& sorts = list.shape->sorts;
    bool const is_first = list.sort == &sorts[0] && list.words == nullptr && list.conditions == list.index_conditions;
    parts.part("records", is_first ? restricted.first : restricted.from)
        .part("job_sort", restricted.sorts[static_cast<std::size_t>(list.sort - sorts.data())])
        .part("job_id", restricted.id)
        .part("job_conditions", "{job_filters}{words}{live}")
        .part("job_filters", job_filters)
        .part("is_descending", list.descending ? "true" : "false")
        .part("created_after", list.created_after)
        .part("created_before", list.created_before);
}

pg::statement page_of(list_query const& list, page_source from, std::int64_t rows,
                      std::optional<list_position> const& after) {
    auto const& shape = *list.shape;
    bool const is_bounded = list.is_bounded() && (from == page_source::list || from == page_source::common_words);
    auto const no_end = list.sort->is_time ? "NULL::timestamptz AS place, NULL::uuid AS place_id, "
                                           : "NULL::text AS place, NULL::uuid AS place_id, ";
    auto const most_read = std::to_string(shape.most_read);
    std::string job_filters; // one job's page has the columns of that job's index instead of the record's own
    if (from == page_source::restricted)
        job_filters = boost::replace_all_copy(list.conditions, shape.sorts[0].column, shape.restricted->sorts[0]);
    statement_parts parts(list.params);
    parts.part("page", is_bounded ? bounded_page_sql : page_sql)
        .part("columns", "{own_columns}{more_columns}")
        .part("own_columns", shape.columns)
        .part("more_columns", list.more_columns)
        .part("id", shape.id)
        .part("from", from == page_source::own ? shape.own : shape.from)
        .part("conditions", conditions_of_page)
        .part("filters", list.conditions)
        .part("live", list.with_deleted || shape.live.empty() ? "" : " AND {is_live}")
        .part("is_live", shape.live)
        .part("no_end", list.is_bounded() ? no_end : "")
        .part("is_unrestricted", list.has_restricted_page() ? for_unrestricted : "")
        .value("limit", std::to_string(rows), "::bigint");
    add_order(parts, list);
    if (is_bounded) add_bound(parts, list, most_read);
    add_position(parts, list, after, from);
    add_words(parts, list, from);
    if (from == page_source::restricted) add_restricted(parts, list, job_filters);
    else parts.part("records", records_of_list);
    if (list.inclusion != nullptr)
        parts.part("included", list.inclusion->rows)
            .part("page_columns",
                  list.is_bounded() ? "place, place_id, record_sort, record_id" : "record_sort, record_id");
    auto out = std::move(parts).fill(list.inclusion != nullptr ? page_with_inclusion_sql : "{page}");
    out.composed = !list.conditions.empty();
    return out;
}

} // namespace

std::vector<pg::statement> statements_of(list_query const& list) {
    using callers = pg::statement::callers;
    std::vector<pg::statement> out;
    auto const add = [&](page_source from, callers part_for = callers::any) {
        out.push_back(page_of(list, from, list.limit + 1, list.after));
        out.back().part_for = part_for;
    };
    if (list.parent) out.push_back(list.shape->parent(*list.parent));
    if (list.sync) {
        for (auto& step : sync_statements(list)) out.push_back(std::move(step));
        return out;
    }
    auto const everyone = list.has_restricted_page() ? callers::unrestricted : callers::any;
    if (list.words != nullptr) out.push_back({std::string(list.words->words), pg::params().text(list.q)});
    if (list.words != nullptr && !list.words->rarest.empty()) {
        add(page_source::rarest_word, everyone);
        add(page_source::common_words, everyone);
    } else {
        add(page_source::list, everyone);
    }
    if (list.has_restricted_page()) add(page_source::restricted, callers::restricted);
    if (!list.shape->own.empty()) add(page_source::own);
    return out;
}

pg::statement export_page(list_query const& list, std::optional<list_position> const& after) {
    return page_of(list, page_source::list, export_page_rows, after ? after : list.after);
}

} // namespace recruiting::auth_api
