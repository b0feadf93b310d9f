// Runs one import: reads records, makes rows of them, applies them in batches, each in a transaction of its own (with
// strict: all in one), and reports. Called by the command and by tests.
#pragma once
#include "recruitctl/import/report.hpp"
#include "recruitctl/import/store.hpp"

namespace recruiting::recruitctl {

struct import_options {
    bool strict{false};
    bool dry_run{false}; // everything in one transaction that is rolled back
    std::size_t batch_rows{5000};
    std::size_t batch_bytes{std::size_t{8} << 20U}; // what a batch holds in memory, descriptions included
};

/// Lines take effect in their order: the second line of an external id starts the next batch.
/// Throws pg::connection_lost, and pg::query_error for what is not a line's fault.
void run_import(pg::client& client, uuid organization, import_kind kind, record_reader& from,
                import_options const& options, import_report& report, import_progress& progress);

} // namespace recruiting::recruitctl
