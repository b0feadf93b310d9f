// Runs one import: reads records, makes rows of them, applies them in batches, each in a transaction of its own (with
// strict: all in one), and reports. Called by the command and by tests.
#pragma once
#include "core/ids.hpp"
#include "pg/client.hpp"
#include "recruitctl/import/record.hpp"

#include <chrono>
#include <cstdint>
#include <iosfwd>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace recruiting::recruitctl {

/// What an import did: counts, bad lines, and lines with warnings. Standard error gets the first few of each kind of
/// problem as they come; the summary gets them all up to a cap, so that a hopeless file fills no disk.
class import_report {
public:
    static constexpr std::uint64_t shown_per_kind = 10;
    static constexpr std::size_t kept_lines = 1000;

    explicit import_report(std::ostream& err) : err_(err) {}

    void bad(bad_line const& line);
    /// A line that is imported without the values that can't be read.
    void warn(bad_line const& line);
    /// How many problems of each kind standard error was spared.
    void finish();
    /// The summary as one JSON object.
    [[nodiscard]] std::string json(import_kind kind, std::string_view organization) const;
    [[nodiscard]] std::string sentence(import_kind kind) const;

    std::uint64_t read{0};
    std::int64_t inserted{0};
    std::int64_t updated{0};
    std::int64_t unchanged{0};
    std::uint64_t bad_lines{0};
    std::uint64_t warned_lines{0};
    bool kept{true};     // false: --strict met a bad line and everything was rolled back
    bool dry_run{false}; // the counts say what an import would have done
    double seconds{0};
    std::string_view unit{"line"}; // what a bad line's number counts
    /// From a job board's document: external ids of open jobs that it no longer has, and whether they were closed.
    std::optional<std::vector<std::string>> missing;
    bool missing_closed{false};

private:
    void show(bad_line const& line, std::string const& what);

    std::ostream& err_;
    std::map<std::string, std::uint64_t> kinds_; // "email: must be an e-mail address" → how often
    std::vector<bad_line> first_;
    std::vector<bad_line> first_warned_;
};

struct import_options {
    bool strict{false};
    bool dry_run{false}; // everything in one transaction that is rolled back
    std::size_t batch_rows{5000};
    std::size_t batch_bytes{std::size_t{8} << 20U}; // what a batch holds in memory, descriptions included
};

/// Lines take effect in their order: the second line of an external id starts the next batch.
/// Throws pg::connection_lost, and pg::query_error for what is not a line's fault.
void run_import(pg::client& client, uuid organization, import_kind kind, record_reader& from,
                import_options const& options, import_report& report);

} // namespace recruiting::recruitctl
