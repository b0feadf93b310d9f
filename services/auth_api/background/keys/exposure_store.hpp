// The reports of API keys that were sent to the public API, and what becomes of them.
#pragma once
#include "core/ids.hpp"
#include "crypto/digest.hpp"
#include "pg/params.hpp"
#include "pg/rows.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace recruiting::auth_api {

struct exposure_report {
    uuid id;
    std::string sealed;
    std::string seen_in;
    std::string request_id;
};

/// A whole segment: publishes the key to seal to, removes those of other peppers, and reads what waits, the oldest
/// first.
[[nodiscard]] std::vector<pg::statement> begin_exposure_round(std::string_view public_key, std::int64_t most);
[[nodiscard]] std::vector<exposure_report> read_reports(std::vector<pg::rows> const& of_round);

/// A whole segment: deletes the report and, where the secret is a key's, writes the audit row; both or neither.
[[nodiscard]] std::vector<pg::statement> resolve_report(uuid const& report, digest const& secret_hash);
struct exposed_key {
    uuid credential_id;
    uuid organization_id;
};
/// nullopt: the secret is no key's, or another worker has resolved the report.
[[nodiscard]] std::optional<exposed_key> read_exposed_key(std::vector<pg::rows> const& answer);

/// A whole segment: for a report that nobody can open any more.
[[nodiscard]] std::vector<pg::statement> drop_report(uuid const& report);

} // namespace recruiting::auth_api
