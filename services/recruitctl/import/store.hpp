// The import's statements: one batch of rows in a few set-based statements. The caller owns the transaction, and holds
// the organization's lock through it (lock_organization), so that what is read is what is changed.
#pragma once
#include "pg/client.hpp"
#include "recruitctl/import/record.hpp"

#include <chrono>
#include <optional>
#include <span>

namespace recruiting::recruitctl {

struct batch_outcome {
    std::int64_t inserted{0};
    std::int64_t updated{0};
    std::int64_t unchanged{0};
    std::vector<bad_line> bad;    // references that are not there; in the order of lines
    std::vector<bad_line> warned; // values that were left out
};

class import_store {
public:
    import_store(pg::client& on, uuid organization) : client_(on), organization_(organization) {}

    /// The organization's; UTC where this system does not know it.
    [[nodiscard]] std::string time_zone();
    /// Once a connection: the temporary table the batches go through.
    void prepare();
    /// One import at a time per organization, until the transaction ends.
    void lock_organization();
    /// Rows are of one kind, have no problems, and no external id twice.
    [[nodiscard]] batch_outcome apply(import_kind kind, std::span<import_row const> rows);
    /// One row per import in the audit log; no data of the file goes in.
    void record(import_kind kind, bool success, std::chrono::milliseconds duration);

private:
    void copy(std::span<import_row const> rows);
    void remove(std::vector<bad_line> const& bad);
    [[nodiscard]] batch_outcome apply_jobs();
    [[nodiscard]] batch_outcome apply_candidates();
    [[nodiscard]] batch_outcome apply_applications();

    pg::client& client_;
    uuid organization_;
};

// For the parts of the store, a file a kind.
/// A bad line for each line number in the first column.
[[nodiscard]] std::vector<bad_line> lines_with(pg::rows const& found, problem const& what);
/// A bad line for each row: its number, and for each of these problems, in their order, whether the line has it.
[[nodiscard]] std::vector<bad_line> lines_with_any(pg::rows const& found, std::span<problem const> each);
/// Only a new record must have this field.
[[nodiscard]] problem missing(std::string field);
/// The end of a merge's INSERT into `table`: a known record gets the given columns where one of them differs. An equal
/// row is not touched, because syncToken would report it.
[[nodiscard]] std::string update_where_different(std::string const& table, std::string const& columns);
/// The columns inserted and updated of a merge.
[[nodiscard]] batch_outcome counted(pg::rows const& merged);

// Jobs that a board had and has no longer.

struct missing_job {
    std::string external_id;
    std::string title;
};

/// The organization's open jobs of that board whose external id is not among those seen, by external id.
[[nodiscard]] std::vector<missing_job> find_missing_jobs(pg::client& on, uuid organization, board source,
                                                         std::set<std::string> const& seen);
/// Closes those of them that are open still, and takes them off the careers page.
void close_jobs(pg::client& on, uuid organization, std::vector<missing_job> const& jobs);

} // namespace recruiting::recruitctl
