#include "audit/verify.hpp"

#include <algorithm>

namespace recruiting::audit {

std::string_view to_string(discrepancy_kind kind) noexcept {
    switch (kind) {
    case discrepancy_kind::changed: return "changed";
    case discrepancy_kind::removed: return "removed";
    case discrepancy_kind::cut_off: return "cut_off";
    case discrepancy_kind::wrong_head: return "wrong_head";
    case discrepancy_kind::added: return "added";
    }
    return "unknown";
}

chain_check::chain_check(uuid organization, std::optional<chain_start> start, std::vector<kept_head> kept_heads,
                         report to)
    : organization_(organization), start_(start), kept_heads_(std::move(kept_heads)), report_(std::move(to)) {
    std::ranges::sort(kept_heads_, {}, [](kept_head const& h) { return h.end.sequence; });
    auto const begins_after = start_ ? start_->dropped : chain_end{};
    last_sequence_ = begins_after.sequence;
    last_hash_ = bytes_of(begins_after.hash);
    // Heads from before the start: the rows they cover are past checking, if retention may have taken them at all.
    for (; next_head_ < kept_heads_.size(); ++next_head_) {
        auto const& head = kept_heads_[next_head_];
        if (head.end.sequence > begins_after.sequence) break;
        if (head.end.sequence == begins_after.sequence && head.end.hash != begins_after.hash)
            note(discrepancy_kind::wrong_head, "the chain begins after another row than the head stored elsewhere",
                 head.end.sequence);
        else if (start_ && head.occurred_at && *head.occurred_at >= start_->dropped_before)
            note(discrepancy_kind::removed,
                 "rows that are too young for retention are missing before the chain's start", head.end.sequence);
    }
}

void chain_check::add(stored_seal const& seal, stored_event const* row) {
    ++checked_;
    check_order(seal);
    if (row == nullptr) {
        bool const by_retention = start_ && seal.occurred_at < start_->dropped_before;
        if (!by_retention) note(discrepancy_kind::removed, "the row is missing", seal.sequence, seal.row_id);
    } else if (link_known_ && !is_chained(seal, *row)) {
        note(discrepancy_kind::changed, "the row, or the hash of the row before it, has changed since it was sealed",
             seal.sequence, seal.row_id);
    }
    pass_kept_heads(seal);
    last_sequence_ = seal.sequence;
    last_hash_ = seal.hash;
    link_known_ = true;
}

bool chain_check::is_chained(stored_seal const& seal, stored_event const& row) {
    return bytes_of(chain_hash(last_hash_, row, seal.sequence, scratch_)) == seal.hash;
}

// What follows a gap can't be checked against the hash that is gone with it.
void chain_check::check_order(stored_seal const& seal) {
    if (seal.sequence <= last_sequence_) {
        note(discrepancy_kind::added, "another row has this sequence", seal.sequence, seal.row_id);
    } else if (seal.sequence > last_sequence_ + 1) {
        note(discrepancy_kind::removed, "rows are missing", last_sequence_ + 1, {}, seal.sequence - 1);
        link_known_ = false;
    }
}

void chain_check::pass_kept_heads(stored_seal const& seal) {
    for (; next_head_ < kept_heads_.size(); ++next_head_) {
        auto const& head = kept_heads_[next_head_];
        if (head.end.sequence > seal.sequence) return;
        if (head.end.sequence == seal.sequence && bytes_of(head.end.hash) != seal.hash)
            note(discrepancy_kind::wrong_head, "the chain was rewritten: the head stored elsewhere has another hash",
                 seal.sequence, seal.row_id);
    }
}

void chain_check::finish_kept_heads() {
    for (; next_head_ < kept_heads_.size(); ++next_head_)
        note(discrepancy_kind::cut_off, "the head stored elsewhere is beyond the end of the chain", last_sequence_ + 1,
             {}, kept_heads_[next_head_].end.sequence);
}

void chain_check::finish(std::optional<chain_end> const& head) {
    finish_kept_heads();
    if (!head) {
        if (checked_ > 0) note(discrepancy_kind::wrong_head, "the chain has no head in audit_heads", last_sequence_);
        return;
    }
    if (head->sequence > last_sequence_)
        note(discrepancy_kind::cut_off, "audit_heads is beyond the end of the chain", last_sequence_ + 1, {},
             head->sequence);
    else if (head->sequence < last_sequence_ || (link_known_ && bytes_of(head->hash) != last_hash_))
        note(discrepancy_kind::wrong_head, "audit_heads is not the end of the chain", head->sequence);
}

void chain_check::note(discrepancy_kind kind, std::string message, std::optional<std::int64_t> sequence,
                       std::optional<uuid> row, std::optional<std::int64_t> last_sequence) {
    if (last_sequence == sequence) last_sequence.reset();
    report_({kind, organization_, sequence, last_sequence, row, std::move(message)});
}

} // namespace recruiting::audit
