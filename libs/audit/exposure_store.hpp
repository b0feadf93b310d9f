// Reports of API keys that were sent where none may be, from which auth-api makes the rows "key.exposed" of the audit
// log (proto-docs/keys.md). A program without rights on the audit log can read the public key and insert a report,
// sealed to that key, and nothing else.
#pragma once
#include "core/ids.hpp"
#include "core/time.hpp"
#include "pg/params.hpp"
#include "pg/rows.hpp"

#include <string>
#include <string_view>

namespace recruiting::audit {

struct exposure_report {
    uuid id{new_record_id()};
    timestamp seen_at;
    std::string place;    // in the request: a field's name, "path", "query" or "body"
    std::string method;   // of the request
    std::string endpoint; // "/api/public/v1/jobs/{jobId}"; empty: none
    std::string client;   // address; empty: not known
    std::string user_agent;
    std::string request_id;
};

[[nodiscard]] pg::statement select_exposure_key();
/// The public key to seal to; empty: auth-api has published none yet.
[[nodiscard]] std::string_view read_exposure_key(pg::rows const& rows);

/// sealed: the API key's secret. A unique_violation says that the report is there already.
[[nodiscard]] pg::statement insert_exposure_report(exposure_report const& report, std::string_view sealed);

} // namespace recruiting::audit
