// GET /audit: JSON pages, or everything that matches as CSV or NDJSON, streamed.
#include "auth_api/http/list_builder.hpp"
#include "auth_api/resources/endpoints.hpp"
#include "core/ip.hpp"

#include <array>
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
        "a.session_id, a.correlation_id, a.duration_ms, a.request_count",
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

// Indexed are the rows of what happens rarely: refusals, and everything but requests.
constexpr list_filter audit_filters[] = {
    {"occurredAfter", read_time, "a.occurred_at >= ?::timestamptz", filter_index::range},
    {"occurredBefore", read_time, "a.occurred_at < ?::timestamptz", filter_index::range},
    {"credentialId", http::read_ids, "a.credential_id = ?::uuid", filter_index::ordered},
    {"memberId", http::read_ids, "a.actor_member_id = ?::uuid", filter_index::ordered},
    {"sessionId", http::read_ids, "a.session_id = ?::uuid", filter_index::ordered},
    {"action", http::read_words, "a.action = ?", filter_index::ordered, "a.action <> 'api.request'", "api.request"},
    {"endpoint", http::read_words, "a.endpoint = ?"},
    {"requestId", read_request_id, "a.request_id = ?", filter_index::sorted},
    {"success", read_flag, "a.success = ?::boolean", filter_index::ordered, "NOT a.success", "t"},
    {"statusCode", read_status_codes, "a.status_code = ?::smallint"},
    {"ipAddress", read_address, "a.ip_address = ?::inet"},
};

// One CSV field; quoted where it must be. A leading = + - @ is a formula to spreadsheets: quoted text with a tab before
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
    json.open_object()
        .field("id", row.id())
        .field("sequence", row.optional_integer())
        .field("occurredAt", row.time())
        .field("credentialId", row.optional_id())
        .field("credentialName", row.optional_text());
    json.key("actor")
        .open_object()
        .field("type", row.text())
        .field("memberId", row.optional_id())
        .field("email", row.optional_text())
        .field("role", row.optional_text())
        .close_object();
    json.field("action", row.text())
        .field("method", row.optional_text())
        .field("endpoint", row.optional_text())
        .field("path", row.optional_text());
    json.key("target");
    auto const target_type = row.optional_text();
    auto const target_id = row.optional_text();
    if (target_type) json.open_object().field("type", *target_type).field("id", target_id).close_object();
    else json.null();
    json.field("statusCode", row.optional_integer())
        .field("success", row.boolean())
        .field("errorCode", row.optional_text())
        .field("requiredScope", row.optional_text())
        .field("ipAddress", row.optional_text())
        .field("userAgent", row.optional_text())
        .field("requestId", row.optional_text())
        .field("sessionId", row.optional_id());
    auto const correlation = row.optional_id();
    json.field("correlationId", correlation ? std::optional(to_dashed_string(*correlation)) : std::nullopt)
        .field("durationMs", row.optional_integer())
        .field("count", row.optional_integer())
        .close_object();
}

// RFC 4180. The columns stand in the order of the select list.
constexpr std::string_view audit_csv_header =
    "id,sequence,occurredAt,credentialId,credentialName,actor.type,actor.memberId,actor.email,actor.role,action,method,"
    "endpoint,path,target.type,target.id,statusCode,success,errorCode,requiredScope,ipAddress,userAgent,requestId,"
    "sessionId,correlationId,durationMs,count\r\n";

enum class csv_type : std::uint8_t { text, id, dashed_id, number, time, boolean };
constexpr auto audit_csv_types = [] {
    using enum csv_type;
    return std::array{id,   number, time,   id,      text, text, id,   text, text, text, text,      text,   text,
                      text, text,   number, boolean, text, text, text, text, text, id,   dashed_id, number, number};
}();

void append_audit_csv(std::string& out, pg::row row) {
    std::string_view separator;
    for (auto const type : audit_csv_types) {
        out += std::exchange(separator, ",");
        if (row.is_null()) {
            row.skip();
            continue;
        }
        switch (type) {
        case csv_type::text: append_csv_text(out, row.text()); break;
        case csv_type::id: append_id(out, row.id()); break;
        case csv_type::dashed_id: out += to_dashed_string(row.id()); break;
        case csv_type::number: append_number(out, row.integer()); break;
        case csv_type::time: append_time(out, row.time()); break;
        case csv_type::boolean: out += row.boolean() ? "true" : "false"; break;
        }
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

} // namespace recruiting::auth_api
