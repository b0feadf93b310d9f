// GET /audit: JSON pages, or everything that matches as CSV or NDJSON, streamed.
#include "auth_api/http/list_query.hpp"
#include "auth_api/resources/endpoints.hpp"
#include "core/ip.hpp"

#include <algorithm>
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
    .walked = "FROM recruiting.audit_log a WHERE a.organization_id = (SELECT recruiting.current_organization_id())",
    .most_walked = "100000",
    .may_be_behind = true,
};

constexpr list_filter audit_since{"occurredAfter", "a.occurred_at >= ?::timestamptz", filter_index::range};
constexpr list_filter audit_until{"occurredBefore", "a.occurred_at < ?::timestamptz", filter_index::range};
constexpr list_filter audit_of_credential{"credentialId", "a.credential_id = ?::uuid", filter_index::ordered};
constexpr list_filter audit_of_member{"memberId", "a.actor_member_id = ?::uuid", filter_index::ordered};
constexpr list_filter audit_of_session{"sessionId", "a.session_id = ?::uuid", filter_index::ordered};
constexpr list_filter audit_of_request{"requestId", "a.request_id = ?", filter_index::sorted};
// Indexed are the rows of what happens rarely: refusals, and everything but requests.
constexpr list_filter audit_of_action{"action", "a.action = ?", filter_index::ordered, "a.action <> 'api.request'"};
constexpr list_filter audit_of_requests{"action", "a.action = ?"};
constexpr list_filter audit_of_failures{"success", "a.success = ?::boolean", filter_index::ordered, "NOT a.success"};
constexpr list_filter audit_of_successes{"success", "a.success = ?::boolean"};
constexpr list_filter audit_of_endpoint{"endpoint", "a.endpoint = ?"};
constexpr list_filter audit_of_status{"statusCode", "a.status_code = ?::smallint"};
constexpr list_filter audit_of_address{"ipAddress", "a.ip_address = ?::inet"};

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
        : list_(std::move(list)), as_(as),
          left_(list_.given_limit().value_or(std::numeric_limits<std::int64_t>::max())) {}

    void begin(std::string& out) override {
        if (as_ == audit_format::csv) out += audit_csv_header;
    }
    [[nodiscard]] pg::statement next_page() const override { return list_.export_page(after_); }
    [[nodiscard]] bool append(pg::rows const& page, std::string& out) override {
        int const found = list_.record_count(page);
        for (int row = 0; row < found && left_ > 0; ++row, --left_) {
            if (as_ == audit_format::csv) {
                append_audit_csv(out, page[row]);
                continue;
            }
            http::json_writer json(out); // a line break before it: no comma comes
            write_audit_json(json, page[row]);
            out += '\n';
        }
        after_ = list_.export_position(page);
        return after_ && left_ > 0;
    }

private:
    list_query list_;
    audit_format as_;
    std::int64_t left_;
    std::optional<list_query::position> after_;
};

void add_texts(bind_input& in, list_query& list) {
    if (auto const actions = http::read_words(in.query, "action")) {
        bool const requests = std::ranges::find(*actions, "api.request") != actions->end();
        list.where_any(requests ? audit_of_requests : audit_of_action, *actions);
    }
    if (auto const endpoints = http::read_words(in.query, "endpoint")) list.where_any(audit_of_endpoint, *endpoints);
    if (auto const request = in.query.text("requestId", 64)) list.where(audit_of_request, *request);
}

void add_ids(bind_input& in, list_query& list) {
    if (auto const ids = http::read_ids(in.query, "credentialId")) list.where_any(audit_of_credential, *ids);
    if (auto const ids = http::read_ids(in.query, "memberId")) list.where_any(audit_of_member, *ids);
    if (auto const ids = http::read_ids(in.query, "sessionId")) list.where_any(audit_of_session, *ids);
}

void add_outcome(bind_input& in, list_query& list) {
    if (auto const success = in.query.boolean("success"))
        list.where(*success ? audit_of_successes : audit_of_failures, *success ? "t" : "f");
    if (auto const codes = http::read_integers(in.query, "statusCode", 100, 599))
        list.where_any(audit_of_status, *codes);
    auto const address = in.query.text("ipAddress", 45);
    if (!address) return;
    if (auto const parsed = parse_ip(*address)) list.where(audit_of_address, to_string(*parsed));
    else in.query.problem("ipAddress", "invalid", "Must be an IPv4 or IPv6 address.");
}

void add_times(bind_input& in, list_query& list) {
    if (auto const time = in.query.time("occurredAfter")) list.where(audit_since, format_time_micros(*time));
    if (auto const time = in.query.time("occurredBefore")) list.where(audit_until, format_time_micros(*time));
}

} // namespace

result<prepared_read> list_audit(bind_input& in) {
    list_query list(in, audit_list);
    add_times(in, list);
    add_ids(in, list);
    add_texts(in, list);
    add_outcome(in, list);
    if (auto const order = in.query.choice("order", {"asc", "desc"})) list.set_descending(*order == "desc");
    auto const as = wanted_format(in.accept);
    auto statements = list.statements();
    if (auto const checked = finish_query(in); !checked) return checked.error();
    if (as != audit_format::json) {
        std::string_view const type =
            as == audit_format::csv ? "text/csv; charset=utf-8; header=present" : "application/x-ndjson";
        auto exported =
            list.prepared({}, [type](std::span<pg::rows const>, render_context const&, http::response& answer) {
                answer.content_type = type;
                return result<void>{};
            });
        exported.pages = std::make_shared<audit_export>(list, as);
        exported.cost = read_cost::bulk;
        exported.seals_first = true;
        exported.may_be_behind = true;
        return exported;
    }
    auto page = list.prepared(std::move(statements), [list](std::span<pg::rows const> results,
                                                            render_context const& context, http::response& answer) {
        return list.render(results, context, answer, write_audit_json);
    });
    page.seals_first = true;
    return page;
}

} // namespace recruiting::auth_api
