#include "auth_api/http/read_segment.hpp"

#include <algorithm>

namespace recruiting::auth_api {
namespace {

// The record among those that were read for several callers; no row: it is not there for this key.
pg::rows record_of(pg::rows const& found, uuid const& id) {
    int row = 0;
    while (row < found.size() && found.id(row, 0) != id) ++row;
    return row < found.size() ? found.slice(row, 1) : found.slice(0, 0);
}

bool shares_rights(pending_read const& first, pending_read const& other) {
    return first.presented == other.presented || (first.expected && first.expected == other.expected);
}

// Did the statements that ran with the rights of `acting` show what the caller may see?
bool had_rights_of(auth::principal const* acting, auth::principal const* caller) {
    if (acting == caller) return true;
    return acting != nullptr && caller != nullptr && acting->state == auth::credential_state::active &&
           rights_of(*acting) == rights_of(*caller);
}

bool is_part_for(pg::statement const& one, role of) {
    using callers = pg::statement::callers;
    if (one.part_for == callers::any) return true;
    return (one.part_for == callers::restricted) == (of == role::hiring_manager);
}

} // namespace

read_segment::read_segment(std::span<pending_read const> reads) {
    for (auto const& read : reads)
        if (place_of(read.presented) == keys_.size()) keys_.push_back(read.presented);
    statements_.push_back({keys_.size() == 1 ? auth::authenticate(keys_.front()) : auth::authenticate_all(keys_)});
    while (!reads.empty()) {
        auto const others = std::ranges::find_if_not(
            reads, [&](pending_read const& other) { return shares_rights(reads.front(), other); });
        auto const count = static_cast<std::size_t>(others - reads.begin());
        add_reads(reads.first(count));
        reads = reads.subspan(count);
    }
}

std::size_t read_segment::place_of(auth::credential const& key) const {
    return static_cast<std::size_t>(std::ranges::find(keys_, key) - keys_.begin());
}

void read_segment::add_reads(std::span<pending_read const> of_same_rights) {
    auto const acting = place_of(of_same_rights.front().presented);
    if (keys_.size() > 1) statements_.push_back({auth::act_as(acting)});
    auto const first = statements_.size();
    for (auto const& read : of_same_rights) {
        auto& sent = reads_.emplace_back(sent_read{place_of(read.presented), acting, {}});
        for (auto const& one : read.statements) {
            bool const is_sent = !read.expected || is_part_for(one, read.expected->role);
            sent.parts.push_back({&one, is_sent ? std::optional(add_statement(one, first)) : std::nullopt});
        }
    }
}

// Records of one kind share a statement; every other statement is sent for itself.
std::size_t read_segment::add_statement(pg::statement const& one, std::size_t first_of_rights) {
    auto const own = std::span(statements_).subspan(first_of_rights);
    auto const same = std::ranges::find_if(
        own, [&](sent_statement const& sent) { return one.record && sent.what.record && sent.what.sql == one.sql; });
    auto const place = first_of_rights + static_cast<std::size_t>(same - own.begin());
    if (place == statements_.size()) statements_.push_back({one});
    if (one.record) statements_[place].records.push_back(*one.record);
    return place;
}

std::vector<pg::statement> read_segment::take_statements() {
    std::vector<pg::statement> out;
    for (auto& [what, records] : statements_) {
        if (records.size() > 1) what.params = pg::params().id_array(records);
        out.push_back(std::move(what));
    }
    return out;
}

std::vector<std::shared_ptr<auth::principal const>> read_segment::read_principals(pg::rows const& found) const {
    std::vector<std::shared_ptr<auth::principal const>> out;
    for (auto const& key : keys_) {
        auto read = keys_.size() == 1 ? auth::read_principal(found, key.kind) : auth::read_principal(found, key);
        out.push_back(read ? std::make_shared<auth::principal const>(std::move(*read)) : nullptr);
    }
    return out;
}

std::vector<read_answer> read_segment::answers(std::span<pg::rows const> results) const {
    auto const principals = read_principals(results.front());
    std::vector<read_answer> out;
    for (auto const& read : reads_) {
        auto const& caller = principals[read.key];
        auto& answer = out.emplace_back(read_answer{{caller, {}}});
        answer.complete = had_rights_of(principals[read.acting].get(), caller.get());
        for (auto const& [of_read, sent] : read.parts) {
            auto const found = sent ? results[*sent] : pg::rows();
            answer.result.rows.push_back(of_read->record ? record_of(found, *of_read->record) : found);
            if (!sent && caller && is_part_for(*of_read, caller->role)) answer.complete = false;
        }
    }
    return out;
}

} // namespace recruiting::auth_api
