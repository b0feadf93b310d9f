// A step of a warehouse sync (proto-docs/lists.md; decision 0078).
//
// A list's feed has a row (xid, id, left_at) for each record that the round brings, once: sources are joined by UNION
// ALL, each read from an index in the order (xid, id) and bounded by {limit}; one whose record a later source of the
// same round brings leaves it out. left_at: when a record left that is no longer joined. In its text stand for
// values of this step: {after_xid}, {after_id}: the last record returned; {from}, {upper}: the round's transactions;
// {since}, {until}: its time; {first}: is it the first round, which shows nothing that is gone.
#include "auth_api/http/list_query.hpp"
#include "auth_api/http/statement_parts.hpp"
#include "pg/servers.hpp"

namespace recruiting::auth_api {
namespace {

// The first statement of a step fixes the round's end: the oldest transaction of this database still running. Whatever
// commits later has this number or a higher one and is seen by the next round, so no row is missed however late it
// commits. Never before the round's beginning, below which all had ended already: that horizon may have left out a
// transaction of another database that this one does not know. Which server counts these numbers stands beside them:
// after a failover or a restore to a point in time another one gives them out again, to other changes.
constexpr std::string_view bound_sql = R"sql(
SELECT set_config('recruiting.sync_upper',
                  coalesce({upper}, greatest(recruiting.transaction_horizon(), {from})::text), true),
       set_config('recruiting.sync_until', coalesce({until}, now()::text), true),
       line.*
FROM ({select_line}) AS line
)sql";

// The records of the step, of the first round and of later ones: {first} is in the feed.
constexpr std::string_view step_sql = R"sql(
SELECT CASE WHEN {id} IS NULL THEN coalesce(f.left_at, now()) ELSE {gone} END, f.xid::text, f.id, {columns}
FROM ({feed}{included_feed} ORDER BY xid, id LIMIT {limit}) AS f {record}
ORDER BY f.xid, f.id
)sql";

constexpr std::string_view step_with_inclusion_sql = R"sql(
SELECT p.*, x.* FROM ({step}) AS p (left_at, record_xid, record_id) LEFT JOIN LATERAL ({included}) AS x ON true
ORDER BY p.record_xid::xid8, p.record_id
)sql";

pg::statement bound_statement(sync_position const& at) {
    statement_parts parts{{}};
    parts.part("select_line", pg::select_line).value("from", at.from, "::xid8");
    for (auto const& [name, end] : {std::pair("upper", at.upper), std::pair("until", at.until)}) {
        if (end.empty()) parts.part(name, "NULL");
        else parts.value(name, end, "");
    }
    return std::move(parts).fill(bound_sql);
}

} // namespace

std::vector<pg::statement> sync_statements(list_query const& list) {
    auto const& at = list.sync->at;
    auto const& shape = *list.shape;
    bool const first = at.is_first_round();
    bool const has_more = list.inclusion != nullptr;
    statement_parts parts(list.params);
    parts.part("step", step_sql)
        .part("columns", "{own_columns}{more_columns}")
        .part("own_columns", shape.columns)
        .part("more_columns", list.more_columns)
        .part("id", shape.id)
        .part("gone", shape.gone)
        .part("record", shape.record)
        .part("feed", shape.feed)
        .part("included", has_more ? list.inclusion->rows : "")
        .part("included_feed", has_more && !first ? " UNION ALL {feed_of_inclusion}" : "")
        .part("feed_of_inclusion", has_more ? list.inclusion->feed : "")
        .part("first", first ? "true" : "false")
        .part("upper", "(SELECT current_setting('recruiting.sync_upper')::xid8)")
        .part("until", "(SELECT current_setting('recruiting.sync_until')::timestamptz)")
        .value("from", at.from, "::xid8")
        .value("since", at.since, "::timestamptz")
        .value("after_xid", at.after_xid.empty() ? at.from : at.after_xid, "::xid8")
        .value("after_id", at.after_id.empty() ? std::string(32, '0') : at.after_id, "::uuid")
        .value("limit", std::to_string(list.limit + 1), "::bigint");
    return {bound_statement(at), std::move(parts).fill(has_more ? step_with_inclusion_sql : "{step}")};
}

sync_bound read_sync_bound(pg::rows const& bound) {
    auto const line = pg::read_line(bound[0].from(2));
    return {std::string(bound.text(0, 0)), std::string(bound.text(0, 1)),
            line.system + "/" + std::to_string(line.timeline)};
}

} // namespace recruiting::auth_api
