// An audit row on the wire: JSON, and a line of CSV (RFC 4180).
#pragma once
#include "http/json_writer.hpp"
#include "pg/rows.hpp"

namespace recruiting::auth_api {

void write_audit_json(http::json_writer& json, pg::rows const& rows, int row);
void append_audit_csv_header(std::string& out);
void append_audit_csv(std::string& out, pg::rows const& rows, int row);

} // namespace recruiting::auth_api
