#include "pg/prepared_statements.hpp"

#include <algorithm>

namespace recruiting::pg {

prepared_statements::place prepared_statements::find(statement const& what, std::uint64_t owner) {
    constexpr std::uint64_t nobody = 1; // 0 is for fixed texts
    auto const whose = what.composed ? std::max(owner, nobody) : 0;
    if (auto const known = by_text_.find({whose, what.sql}); known != by_text_.end()) {
        used_.splice(used_.begin(), used_, known->second);
        known->second->segment = segment_;
        return {known->second->name, false, {}};
    }
    place made;
    if (!make_room(whose, made.replaced)) return made;
    made.name = "s" + std::to_string(++next_name_);
    made.is_new = true;
    used_.push_front({whose, what.sql, made.name, segment_});
    by_text_.emplace(key{whose, used_.front().text}, used_.begin());
    if (what.composed) {
        ++held_[whose];
        ++composed_;
    }
    return made;
}

// False: there is no place for it now.
bool prepared_statements::make_room(std::uint64_t owner, std::string& replaced) {
    if (owner == 0) return by_text_.size() - composed_ < most_.fixed;
    auto const own = held_.find(owner);
    bool const has_enough = own != held_.end() && own->second >= most_.composed_per_owner;
    if (!has_enough && composed_ < most_.composed) return true;
    auto const loser = has_enough ? owner : greediest();
    auto const oldest = std::find_if(used_.rbegin(), used_.rend(), [&](entry const& one) {
        return one.owner == loser && one.parsed && one.segment != segment_;
    });
    if (oldest == used_.rend()) return false;
    replaced = oldest->name;
    erase(std::prev(oldest.base()));
    return true;
}

std::uint64_t prepared_statements::greediest() const {
    auto const most =
        std::max_element(held_.begin(), held_.end(), [](auto const& a, auto const& b) { return a.second < b.second; });
    return most->first;
}

prepared_statements::entries::iterator prepared_statements::find_name(std::string_view name) {
    return std::find_if(used_.begin(), used_.end(), [&](entry const& one) { return one.name == name; });
}

void prepared_statements::parsed(std::string_view name) {
    if (auto const which = find_name(name); which != used_.end()) which->parsed = true;
}

void prepared_statements::failed(std::string_view name) {
    if (auto const which = find_name(name); which != used_.end()) erase(which);
}

void prepared_statements::erase(entries::iterator which) {
    if (which->owner != 0) {
        --composed_;
        if (auto const held = held_.find(which->owner); --held->second == 0) held_.erase(held);
    }
    by_text_.erase({which->owner, which->text});
    used_.erase(which);
}

void prepared_statements::clear() {
    by_text_.clear();
    used_.clear();
    held_.clear();
    composed_ = 0;
}

} // namespace recruiting::pg
