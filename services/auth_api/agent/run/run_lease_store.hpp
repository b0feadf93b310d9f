// A change happens only while its run still belongs to the runner that makes it: the run's row is locked in the
// change's transaction, so that nobody can take the run over in between.
#pragma once
#include "auth_api/agent/run_context.hpp"
#include "pg/params.hpp"

#include <chrono>
#include <string_view>
#include <vector>

namespace recruiting::auth_api::agent {

/// After authenticate. The last of them gives one row if the run is still the runner's and more than a tenth of its
/// lease is left, and holds it until the transaction ends.
[[nodiscard]] std::vector<pg::statement> hold_run(run_context const& run, std::chrono::milliseconds lease);
/// The same as a condition ('?' for each parameter), for the change after it; also that the owner's role still gives
/// the scope.
[[nodiscard]] pg::statement run_is_held(run_context const& run, std::chrono::milliseconds lease,
                                        std::string_view scope);

} // namespace recruiting::auth_api::agent
