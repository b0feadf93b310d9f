// Checks chains of the audit log. chain_check decides, row by row in the order of one organization's sequences, without
// I/O; verify reads the rows for it. What it can and can't see: proto-docs/audit.md.
#pragma once
#include "audit/seal.hpp"
#include "pg/client.hpp"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace recruiting::audit {

enum class discrepancy_kind {
    changed,    // the row is not the one that was sealed, or does not continue the one before it
    removed,    // rows are gone
    cut_off,    // rows at the end are gone
    wrong_head, // the chain does not end, or did not pass, where its head says
    added,      // a row came in past the intake, or two hold one sequence
};
[[nodiscard]] std::string_view to_string(discrepancy_kind kind) noexcept;

struct discrepancy {
    discrepancy_kind kind;
    uuid organization_id;
    std::optional<std::int64_t> sequence;
    std::optional<std::int64_t> last_sequence; // a run of them: sequence to last_sequence
    std::optional<uuid> row_id;
    std::string message;
};

/// What seals a row, as it is stored: the hash may be of any length by now.
struct stored_seal {
    std::int64_t sequence{0};
    uuid row_id;
    timestamp occurred_at;
    std::string_view hash;
};

/// Where the chain begins since retention took its older part.
struct chain_start {
    chain_end dropped;        // the last row that is gone
    timestamp dropped_before; // every row that is gone is older
};

/// An end of the chain that somebody wrote down elsewhere.
struct kept_head {
    chain_end end;
    std::optional<timestamp> occurred_at;
};

class chain_check {
public:
    using report = std::function<void(discrepancy)>;

    /// kept_heads: in any order, of any age.
    chain_check(uuid organization, std::optional<chain_start> start, std::vector<kept_head> kept_heads, report to);

    /// In the order of sequence. row: nullptr where retention took it and kept its seal.
    void add(stored_seal const& seal, stored_event const* row);
    /// After the last row; head: what audit_heads says.
    void finish(std::optional<chain_end> const& head);
    [[nodiscard]] std::int64_t checked() const noexcept { return checked_; }

private:
    void check_order(stored_seal const& seal);
    [[nodiscard]] bool is_chained(stored_seal const& seal, stored_event const& row);
    void pass_kept_heads(stored_seal const& seal);
    void finish_kept_heads();
    void note(discrepancy_kind kind, std::string message, std::optional<std::int64_t> sequence = {},
              std::optional<uuid> row = {}, std::optional<std::int64_t> last_sequence = {});

    uuid organization_;
    std::optional<chain_start> start_;
    std::vector<kept_head> kept_heads_; // by sequence
    std::size_t next_head_{0};
    report report_;
    std::int64_t last_sequence_{0};
    std::string last_hash_;
    bool link_known_{true}; // last_hash_ is the hash that the next row must continue
    std::int64_t checked_{0};
    std::string scratch_;
};

// Reads with the blocking client, as recruiting_owner, who sees every organization.

/// One organization, or all.
using organization_choice = std::optional<uuid>;

struct verify_counts {
    std::int64_t organizations{0};
    std::int64_t sealed{0};   // rows checked
    std::int64_t unsealed{0}; // rows that wait in the intake
    std::int64_t discrepancies{0};
};

/// Reads all rows in one snapshot, streamed: any number of rows at flat memory. kept_heads: (organization, head), as
/// `audit head` printed them. Each discrepancy goes to report when it is found.
/// Throws std::runtime_error while a migration still moves the log's hashes.
[[nodiscard]] verify_counts verify(pg::client& database, organization_choice const& of,
                                   std::vector<std::pair<uuid, kept_head>> const& kept_heads,
                                   chain_check::report const& report);

struct named_head {
    uuid organization_id;
    std::string slug; // the id when the organization is gone
    chain_end end;
    std::optional<timestamp> occurred_at; // of the last row; none when retention took it
};
[[nodiscard]] std::vector<named_head> read_heads(pg::client& database, organization_choice const& of);
[[nodiscard]] std::optional<uuid> organization_by_slug(pg::client& database, std::string_view slug);

} // namespace recruiting::audit
