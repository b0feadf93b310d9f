#include "audit/event_store.hpp"

#include <functional>

namespace recruiting::audit {
namespace {

// Every waiting request's row in one INSERT and so in one commit; one array a column.
constexpr std::string_view insert_into = R"sql(
INSERT INTO recruiting.audit_log (id, occurred_at, organization_id, credential_id, credential_name, actor_type,
    actor_member_id, actor_email, actor_role, action, method, endpoint, path, target_type, target_id, status_code,
    success, error_code, required_scope, ip_address, user_agent, request_id, session_id, correlation_id, duration_ms)
SELECT e.* FROM unnest($1::uuid[], $2::timestamptz[], $3::uuid[], $4::uuid[], $5::text[], $6::text[], $7::uuid[],
    $8::text[], $9::text[], $10::text[], $11::text[], $12::text[], $13::text[], $14::text[], $15::text[],
    $16::smallint[], $17::boolean[], $18::text[], $19::text[], $20::inet[], $21::text[], $22::text[], $23::uuid[],
    $24::uuid[], $25::integer[]) AS e (id)
)sql";

// Requests of refused keys: all are counted, and those that the count names get a row. The result is their ids; INSERT
// can't return them, because nobody's tenant is set and row-level security shows no row.
constexpr std::string_view count_refused = R"sql(
WITH single AS MATERIALIZED (
    SELECT recruiting.count_refused_requests($27::integer, $26::uuid[], $1::uuid[], $2::timestamptz[], $3::uuid[],
                                             $4::uuid[], $16::smallint[], $18::text[], $20::inet[]) AS id
), written AS ()sql";
constexpr std::string_view if_single = R"sql( WHERE e.id IN (SELECT id FROM single)
)
SELECT id FROM single
)sql";

constexpr auto write_counts_sql = "SELECT recruiting.write_refused_counts()";
struct write_counts_columns {
    enum : int { rows };
};

// One column of all rows as an array literal; write appends one element.
void add_column(pg::params& params, std::span<event const> events, auto const& write) {
    std::string literal = "{";
    for (auto const& e : events) {
        if (literal.size() > 1) literal += ',';
        write(literal, e);
    }
    literal += '}';
    params.text(literal);
}

using text_column = std::string event::*;
using id_column = std::optional<uuid> event::*;

void add_texts(pg::params& params, std::span<event const> events, text_column member) {
    add_column(params, events, [member](std::string& out, event const& e) {
        if ((e.*member).empty()) out += "NULL";
        else pg::append_array_element(out, e.*member);
    });
}

void add_ids(pg::params& params, std::span<event const> events, id_column member) {
    add_column(params, events, [member](std::string& out, event const& e) {
        if (e.*member) append_id(out, *(e.*member));
        else out += "NULL";
    });
}

void add_numbers(pg::params& params, std::span<event const> events, auto member) {
    add_column(params, events, [member](std::string& out, event const& e) {
        if (e.*member) out += std::to_string(*(e.*member));
        else out += "NULL";
    });
}

void add_columns(pg::params& p, std::span<event const> events) {
    add_column(p, events, [](std::string& literal, event const& e) { append_id(literal, e.id); });
    add_column(p, events,
               [](std::string& literal, event const& e) { literal += '"' + format_time_micros(e.occurred_at) + '"'; });
    add_column(p, events, [](std::string& literal, event const& e) { append_id(literal, e.organization_id); });
    add_ids(p, events, &event::credential_id);
    add_texts(p, events, &event::credential_name);
    add_texts(p, events, &event::actor_type);
    add_ids(p, events, &event::actor_member_id);
    add_texts(p, events, &event::actor_email);
    add_texts(p, events, &event::actor_role);
    add_texts(p, events, &event::action);
    add_texts(p, events, &event::method);
    add_texts(p, events, &event::endpoint);
    add_texts(p, events, &event::path);
    add_texts(p, events, &event::target_type);
    add_texts(p, events, &event::target_id);
    add_numbers(p, events, &event::status_code);
    add_column(p, events, [](std::string& literal, event const& e) { literal += e.success ? 't' : 'f'; });
    add_texts(p, events, &event::error_code);
    add_texts(p, events, &event::required_scope);
    add_texts(p, events, &event::ip_address);
    add_texts(p, events, &event::user_agent);
    add_texts(p, events, &event::request_id);
    add_ids(p, events, &event::session_id);
    add_ids(p, events, &event::correlation_id);
    add_numbers(p, events, &event::duration_ms);
}

} // namespace

pg::statement insert_events(std::span<event const> events) {
    pg::statement out{std::string(insert_into), {}};
    add_columns(out.params, events);
    return out;
}

pg::statement count_refused_events(std::span<event const> events, std::span<uuid const> counters,
                                   std::int64_t single_rows) {
    static std::string const sql = std::string(count_refused).append(insert_into).append(if_single);
    pg::statement out{sql, {}};
    add_columns(out.params, events);
    std::string literal = "{";
    for (auto const& counter : counters) {
        if (literal.size() > 1) literal += ',';
        append_id(literal, counter);
    }
    literal += '}';
    out.params.text(literal).integer(single_rows);
    return out;
}

pg::statement write_refused_counts() { return {write_counts_sql, {}}; }

std::int64_t read_counts_written(pg::rows const& rows) { return rows.integer(0, write_counts_columns::rows); }

} // namespace recruiting::audit
