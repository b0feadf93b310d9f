#include "auth_api/resources/audit_log_rows.hpp"

namespace recruiting::auth_api {
namespace {

// One CSV field; quoted where it must be. A leading = + - @ is a formula to spreadsheets: quoted text with a tab before
// it is not (OWASP, CSV injection), and audit rows hold what clients sent (user agents, paths).
void append_field(std::string& out, std::string_view text) {
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

void append_id_field(std::string& out, pg::rows const& rows, int row, int column) {
    if (!rows.is_null(row, column)) append_id(out, rows.id(row, column));
}

void append_number_field(std::string& out, pg::rows const& rows, int row, int column) {
    if (!rows.is_null(row, column)) append_number(out, rows.integer(row, column));
}

} // namespace

void write_audit_json(http::json_writer& json, pg::rows const& rows, int row) {
    json.open_object()
        .field("id", rows.id(row, 0))
        .field("sequence", rows.optional_integer(row, 2))
        .field("occurredAt", rows.time(row, 1))
        .field("credentialId", rows.optional_id(row, 3))
        .field("credentialName", rows.optional_text(row, 4));
    json.key("actor")
        .open_object()
        .field("type", rows.text(row, 5))
        .field("memberId", rows.optional_id(row, 6))
        .field("email", rows.optional_text(row, 7))
        .field("role", rows.optional_text(row, 8))
        .close_object();
    json.field("action", rows.text(row, 9))
        .field("method", rows.optional_text(row, 10))
        .field("endpoint", rows.optional_text(row, 11))
        .field("path", rows.optional_text(row, 12));
    json.key("target");
    if (rows.is_null(row, 13)) json.null();
    else json.open_object().field("type", rows.text(row, 13)).field("id", rows.optional_text(row, 14)).close_object();
    json.field("statusCode", rows.optional_integer(row, 15))
        .field("success", rows.boolean(row, 16))
        .field("errorCode", rows.optional_text(row, 17))
        .field("requiredScope", rows.optional_text(row, 18))
        .field("ipAddress", rows.optional_text(row, 19))
        .field("userAgent", rows.optional_text(row, 20))
        .field("requestId", rows.optional_text(row, 21))
        .field("sessionId", rows.optional_id(row, 22));
    json.key("correlationId");
    if (rows.is_null(row, 23)) json.null();
    else json.value(std::string_view(to_dashed_string(rows.id(row, 23))));
    json.field("durationMs", rows.optional_integer(row, 24))
        .field("requestCount", rows.optional_integer(row, 25))
        .close_object();
}

void append_audit_csv_header(std::string& out) {
    out +=
        "id,sequence,occurredAt,credentialId,credentialName,actor.type,actor.memberId,actor.email,actor.role,action,"
        "method,"
        "endpoint,path,target.type,target.id,statusCode,success,errorCode,requiredScope,ipAddress,userAgent,requestId,"
        "sessionId,correlationId,durationMs,requestCount\r\n";
}

void append_audit_csv(std::string& out, pg::rows const& rows, int row) {
    append_id(out, rows.id(row, 0));
    out += ',';
    append_number_field(out, rows, row, 2);
    out += ',';
    append_time(out, rows.time(row, 1));
    out += ',';
    append_id_field(out, rows, row, 3);
    for (int column = 4; column <= 21; ++column) {
        out += ',';
        if (column == 6) append_id_field(out, rows, row, column);
        else if (column == 15) append_number_field(out, rows, row, column);
        else if (column == 16) out += rows.boolean(row, column) ? "true" : "false";
        else append_field(out, rows.text(row, column));
    }
    out += ',';
    append_id_field(out, rows, row, 22);
    out += ',';
    if (!rows.is_null(row, 23)) out += to_dashed_string(rows.id(row, 23));
    out += ',';
    append_number_field(out, rows, row, 24);
    out += ',';
    append_number_field(out, rows, row, 25);
    out += "\r\n";
}

} // namespace recruiting::auth_api
