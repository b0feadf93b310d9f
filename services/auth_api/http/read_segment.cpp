#include "auth_api/http/read_segment.hpp"

#include <algorithm>

namespace recruiting::auth_api {
namespace {

// Each once: a key that has just become known may have reads in two queues.
std::vector<digest> hashes_of(std::span<reads_of_key const> asked) {
    std::vector<digest> hashes;
    for (auto const& key : asked)
        if (std::ranges::find(hashes, key.presented.hash) == hashes.end()) hashes.push_back(key.presented.hash);
    return hashes;
}

// The record among those that were read for several callers; no row: it is not there for this key.
pg::rows record_of(pg::rows const& found, uuid const& id) {
    int row = 0;
    while (row < found.size() && found.id(row, 0) != id) ++row;
    return row < found.size() ? found.slice(row, 1) : found.slice(0, 0);
}

bool shares_rights(reads_of_key const& first, reads_of_key const& other) {
    return first.expected && first.expected == other.expected;
}

// Did the statements that ran with the rights of `acting` show what the caller may see?
bool had_rights_of(std::shared_ptr<auth::principal const> const& acting, auth::principal const& caller) {
    return acting && acting->state == auth::credential_state::active && rights_of(*acting) == rights_of(caller);
}

bool is_part_for(pg::statement const& one, role of) {
    using callers = pg::statement::callers;
    if (one.part_for == callers::any) return true;
    return (one.part_for == callers::with_reach) == (of == role::hiring_manager);
}

} // namespace

read_segment::read_segment(std::vector<reads_of_key> asked) : asked_(std::move(asked)), of_several_(asked_.size() > 1) {
    auto const keys = hashes_of(asked_);
    if (of_several_) statements_.push_back(auth::authenticate_all(keys));
    for (std::span<reads_of_key const> left = asked_; !left.empty();) {
        auto const others = std::ranges::find_if_not(
            left.subspan(1), [&](reads_of_key const& other) { return shares_rights(left.front(), other); });
        auto const count = static_cast<std::size_t>(others - left.begin());
        add_rights(left.front(), keys);
        add_reads(left.first(count));
        left = left.subspan(count);
    }
}

void read_segment::add_rights(reads_of_key const& key, std::vector<digest> const& keys) {
    if (!of_several_) return statements_.push_back(auth::authenticate(key.presented));
    auto const place = std::ranges::find(keys, key.presented.hash) - keys.begin();
    statements_.push_back(auth::act_as(static_cast<std::size_t>(place)));
}

void read_segment::add_reads(std::span<reads_of_key const> of_same_rights) {
    auto const first = statements_.size();
    std::vector<std::vector<uuid>> records; // that each of these statements reads
    auto const add = [&](pg::statement const& one) {
        auto const reads_the_same = [&](pg::statement const& sent) {
            return sent.record && one.record && sent.sql == one.sql;
        };
        auto const own = std::span(statements_).subspan(first);
        auto const place = static_cast<std::size_t>(std::ranges::find_if(own, reads_the_same) - own.begin());
        if (place == own.size()) {
            statements_.push_back(one);
            records.emplace_back();
        }
        if (one.record) records[place].push_back(*one.record);
        return first + place;
    };
    for (auto const& key : of_same_rights)
        for (auto const& read : key.reads)
            for (auto const& one : read) {
                bool const is_sent = !key.expected || is_part_for(one, key.expected->role);
                answered_by_.push_back(is_sent ? std::optional(add(one)) : std::nullopt);
            }
    for (std::size_t i = 0; i < records.size(); ++i)
        if (records[i].size() > 1) statements_[first + i].params = pg::params().id_array(records[i]);
}

std::shared_ptr<auth::principal const> read_segment::principal_of(reads_of_key const& key,
                                                                  pg::rows const& found) const {
    auto read =
        of_several_ ? auth::read_principal(found, key.presented.hash) : auth::read_principal(found, key.presented.kind);
    return read ? std::make_shared<auth::principal const>(std::move(*read)) : nullptr;
}

std::vector<answers_of_key> read_segment::answers(std::span<pg::rows const> results) const {
    std::vector<answers_of_key> out;
    std::size_t acting = 0; // whose rights the statements had
    auto place = answered_by_.begin();
    for (std::size_t i = 0; i < asked_.size(); ++i) {
        auto const& key = asked_[i];
        auto& answers = out.emplace_back();
        answers.principal = principal_of(key, results.front());
        auto const& caller = answers.principal;
        if (i > 0 && !shares_rights(asked_[acting], key)) acting = i;
        if (i != acting && caller) answers.complete = had_rights_of(out[acting].principal, *caller);
        for (auto const& read : key.reads) {
            auto& rows = answers.reads.emplace_back();
            for (auto const& one : read) {
                auto const sent = *place++;
                auto const found = sent ? results[*sent] : pg::rows();
                rows.push_back(one.record ? record_of(found, *one.record) : found);
                if (!sent && caller && is_part_for(one, caller->role)) answers.complete = false;
            }
        }
    }
    return out;
}

} // namespace recruiting::auth_api
