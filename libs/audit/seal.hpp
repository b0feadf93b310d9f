// Gives rows their places in the chains of their organizations. Without I/O: the sealer reads, calls this, writes.
#pragma once
#include "audit/canonical.hpp"

#include <map>
#include <vector>

namespace recruiting::audit {

/// The last seal of an organization's chain; sequence 0: it has none.
struct chain_end {
    std::int64_t sequence{0};
    digest hash{no_previous_hash};
    bool operator==(chain_end const&) const = default;
};

struct seal {
    uuid organization_id;
    std::int64_t sequence{0};
    uuid audit_id;
    timestamp occurred_at;
    digest previous_hash{};
    digest hash{};
};

/// The rows of one round, in the order of the sealer, become seals.
class sealed_batch {
public:
    struct moved_end {
        chain_end before;
        chain_end after;
    };

    /// end: the organization's chain before this batch; of its later rows it is not looked at.
    void add(stored_event const& row, chain_end const& end);

    [[nodiscard]] std::vector<seal> const& seals() const noexcept { return seals_; }
    [[nodiscard]] std::map<uuid, moved_end> const& ends() const noexcept { return ends_; }

private:
    std::vector<seal> seals_;
    std::map<uuid, moved_end> ends_;
    std::string scratch_;
};

} // namespace recruiting::audit
