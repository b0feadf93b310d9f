// GET /audit: JSON pages, or everything that matches as CSV or NDJSON, streamed. GET /audit/chain of the console.
#include "audit/actions.hpp"
#include "auth_api/http/list_builder.hpp"
#include "auth_api/resources/endpoints.hpp"
#include "auth_api/resources/shared_fields.hpp"
#include "core/ip.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace recruiting::auth_api {
namespace {

list_shape const audit_list = {
    .route = "/audit",
    .columns =
        "a.id, a.sequence, a.occurred_at, a.credential_id, a.credential_name, a.actor_type, a.actor_member_id, "
        "a.actor_email, a.actor_role, a.action, a.method, a.endpoint, a.path, a.target_type, a.target_id, "
        "a.status_code, a.success, a.error_code, a.required_scope, host(a.ip_address), a.user_agent, a.request_id, "
        "a.session_id, a.correlation_id::text, a.duration_ms, a.request_count",
    .from = "FROM recruiting.audit_log a WHERE a.organization_id = (SELECT recruiting.current_organization_id())",
    .live = "",
    .id = "a.id",
    .sorts = {{{"occurredAt", "a.occurred_at", true}, {}, {}}},
    .most_read = 100'000,
    .may_be_behind = true,
};

std::optional<http::value_list> read_status_codes(http::query_reader& query, std::string_view name) {
    return http::read_integers(query, name, 100, 599);
}
std::optional<http::value_list> read_actions(http::query_reader& query, std::string_view name) {
    return http::read_choices(query, name, audit::actions);
}
std::optional<http::value_list> read_request_id(http::query_reader& query, std::string_view name) {
    auto const id = query.text(name, 64);
    return id ? std::optional(http::value_list{*id}) : std::nullopt;
}
std::optional<http::value_list> read_address(http::query_reader& query, std::string_view name) {
    auto const address = query.text(name, 45);
    if (!address) return std::nullopt;
    if (auto const parsed = parse_ip(*address)) return http::value_list{to_string(*parsed)};
    query.problem(name, "invalid", "Must be an IPv4 or IPv6 address.");
    return std::nullopt;
}

// Indexed are keys, because a leaked one is looked for, and what happens rarely: refusals, and everything but requests.
// A member's rows are looked for among all: each index costs a tenth of sealing (decision 119).
constexpr list_filter audit_filters[] = {
    {"occurredAfter", read_time, "a.occurred_at >= ?::timestamptz", filter_index::range},
    {"occurredBefore", read_time, "a.occurred_at < ?::timestamptz", filter_index::range},
    {"credentialId", http::read_ids, "a.credential_id = ?::uuid", filter_index::ordered},
    {"memberId", http::read_ids, "a.actor_member_id = ?::uuid"},
    {"sessionId", http::read_ids, "a.session_id = ?::uuid", filter_index::ordered},
    {"action", read_actions, "a.action = ?", filter_index::ordered, "a.action <> 'api.request'", "api.request"},
    {"endpoint", http::read_words, "a.endpoint = ?"},
    {"requestId", read_request_id, "a.request_id = ?", filter_index::sorted},
    {"success", read_flag, "a.success = ?::boolean", filter_index::ordered, "NOT a.success", "t"},
    {"statusCode", read_status_codes, "a.status_code = ?::smallint"},
    {"ipAddress", read_address, "a.ip_address = ?::inet"},
};

// A CSV field; quoted where it must be. A leading = + - @ is a formula to spreadsheets: quoted text with a tab before
// it is not (OWASP, CSV injection), and audit rows hold what clients sent (user agents, paths).
void append_csv_text(std::string& out, std::string_view text) {
    bool const formula = !text.empty() && std::string_view("=+-@\t\r").find(text.front()) != std::string_view::npos;
    if (!formula && text.find_first_of(",\"\r\n") == std::string_view::npos) {
        out += text;
        return;
    }
    out += '"';
    if (formula) out += '\t';
    for (char const c : text) {
        if (c == '"') out += '"';
        out += c;
    }
    out += '"';
}

void write_audit_json(http::json_writer& json, pg::row row) {
    json.open_object();
    write_columns(json, row, {"id", "sequence", "occurredAt", "credentialId", "credentialName"});
    json.key("actor");
    write_object(json, row, {"type", "memberId", "email", "role"});
    write_columns(json, row, {"action", "method", "endpoint", "path"});
    json.key("target");
    write_optional_object(json, row, {"type", "id"});
    write_columns(json, row,
                  {"statusCode", "success", "errorCode", "requiredScope", "ipAddress", "userAgent", "requestId",
                   "sessionId", "correlationId", "durationMs", "count"});
    json.close_object();
}

// RFC 4180. The columns stand in the order of the select list.
constexpr std::string_view audit_csv_header =
    "id,sequence,occurredAt,credentialId,credentialName,actor.type,actor.memberId,actor.email,actor.role,action,method,"
    "endpoint,path,target.type,target.id,statusCode,success,errorCode,requiredScope,ipAddress,userAgent,requestId,"
    "sessionId,correlationId,durationMs,count\r\n";

struct csv_field {
    std::string& out;

    void operator()(std::string_view text) const { append_csv_text(out, text); }
    void operator()(std::int64_t number) const { append_number(out, number); }
    void operator()(bool flag) const { out += flag ? "true" : "false"; }
    void operator()(uuid const& id) const { append_id(out, id); }
    void operator()(timestamp time) const { append_time(out, time); }
};

void append_audit_csv(std::string& out, pg::row row) {
    constexpr auto columns = std::ranges::count(audit_csv_header, ',') + 1;
    for (std::ptrdiff_t i = 0; i < columns; ++i) {
        if (i > 0) out += ',';
        if (auto const value = row.optional_value()) std::visit(csv_field{out}, *value);
    }
    out += "\r\n";
}

enum class audit_format : std::uint8_t { json, csv, ndjson };

audit_format wanted_format(std::string_view accept) {
    auto const wanted = http::preferred_type(accept, {"application/json", "text/csv", "application/x-ndjson"});
    if (wanted == "text/csv") return audit_format::csv;
    return wanted == "application/x-ndjson" ? audit_format::ndjson : audit_format::json;
}

class audit_export final : public export_pages {
public:
    audit_export(list_query list, audit_format as)
        : list_(std::move(list)), as_(as), left_(list_.given_limit.value_or(std::numeric_limits<std::int64_t>::max())) {
    }

    void begin(std::string& out) override {
        if (as_ == audit_format::csv) out += audit_csv_header;
    }
    [[nodiscard]] pg::statement next_page() const override { return export_page(list_, after_); }
    [[nodiscard]] bool append(pg::rows const& page, std::string& out) override {
        int const found = record_count(list_, page);
        for (int number = 0; number < found && left_ > 0; ++number, --left_) {
            auto const row = page[number].from(first_own_column(list_));
            if (as_ == audit_format::csv) {
                append_audit_csv(out, row);
                continue;
            }
            http::json_writer json(out); // a line break before it: no comma comes
            write_audit_json(json, row);
            out += '\n';
        }
        after_ = next_export_position(list_, page);
        return after_ && left_ > 0;
    }

private:
    list_query list_;
    audit_format as_;
    std::int64_t left_;
    std::optional<list_position> after_;
};

prepared_read export_audit(list_query const& list, audit_format as) {
    std::string_view const type =
        as == audit_format::csv ? "text/csv; charset=utf-8; header=present" : "application/x-ndjson";
    auto const write_head = [type](std::span<pg::rows const>, render_context const&, http::response& answer) {
        answer.content_type = type;
        return result<void>{};
    };
    return {.statements = {},
            .render = write_head,
            .pages = std::make_shared<audit_export>(list, as),
            .cost = read_cost::bulk,
            .costly_parameter = list.costly_parameter,
            .may_be_behind = true};
}

constexpr auto chain_sql = R"sql(
SELECT coalesce(h.sequence, 0), encode(h.hash, 'hex'), h.updated_at, recruiting.audit_rows_waiting()
  FROM recruiting.organizations o LEFT JOIN recruiting.audit_heads h ON h.organization_id = o.id
 WHERE o.id = (SELECT recruiting.current_organization_id())
)sql";

result<void> render_chain(std::span<pg::rows const> results, render_context const&, http::response& answer) {
    return render_record(results[0], answer, [](http::json_writer& json, pg::row row) {
        write_columns(json, row, {"sequence", "head", "sealedUntil", "unsealedRows"});
    });
}

} // namespace

result<prepared_read> list_audit(bind_input& in) {
    list_builder list(in, audit_list);
    list.filter(audit_filters);
    if (auto const order = in.query.choice("order", {"asc", "desc"})) list.set_descending(*order == "desc");
    auto const asked = list.finish();
    if (!asked) return asked.error();
    auto const as = wanted_format(in.accept);
    auto const write = [](http::json_writer& json, list_record const& record) { write_audit_json(json, record.row); };
    auto out = as == audit_format::json ? read_list(*asked, write) : export_audit(*asked, as);
    out.seals_first = true;
    return out;
}

result<prepared_read> get_audit_chain(bind_input& in) {
    if (auto const checked = finish_query(in); !checked) return checked.error();
    return prepared_read{
        .statements = {{chain_sql, {}}}, .render = render_chain, .cost = read_cost::bulk, .seals_first = true};
}

} // namespace recruiting::auth_api
