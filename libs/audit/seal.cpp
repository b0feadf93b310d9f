#include "audit/seal.hpp"

namespace recruiting::audit {

void sealed_batch::add(stored_event const& row, chain_end const& end) {
    auto& after = ends_.try_emplace(row.organization_id, moved_end{end, end}).first->second.after;
    seal next{row.organization_id, after.sequence + 1, row.id, row.occurred_at, after.hash, {}};
    next.hash = chain_hash(bytes_of(next.previous_hash), row, next.sequence, scratch_);
    after = {next.sequence, next.hash};
    seals_.push_back(next);
}

} // namespace recruiting::audit
