// Who is served next: the organizations take turns, so that one waits for the others' turns, never for all that another
// has asked. Bounds what each may have under way and waiting. A state machine without I/O.
#pragma once
#include "core/ids.hpp"

#include <algorithm>
#include <cstddef>
#include <deque>
#include <map>
#include <optional>
#include <utility>

namespace recruiting::auth_api {

struct fair_queue_limits {
    std::size_t under_way{1};           // turns at a time, of all
    std::size_t under_way_per_owner{1}; // of one
    std::size_t waiting_per_owner{16};
    std::size_t waiting{4096}; // of all
};

template <class Item>
class fair_queue {
public:
    explicit fair_queue(fair_queue_limits most) : most_(most) {}

    [[nodiscard]] std::size_t waiting() const noexcept { return waiting_; }
    [[nodiscard]] fair_queue_limits const& limits() const noexcept { return most_; }
    [[nodiscard]] bool is_full() const noexcept { return waiting_ >= most_.waiting; }
    [[nodiscard]] bool is_full_for(uuid const& owner) const {
        auto const line = lines_.find(owner);
        return line != lines_.end() && line->second.items.size() >= most_.waiting_per_owner;
    }

    void push(uuid const& owner, Item item) {
        auto& line = lines_[owner];
        line.items.push_back(std::move(item));
        ++waiting_;
        if (line.items.size() == 1) turns_.push_back(owner);
    }

    /// Begins a turn of the next owner who has something waiting and may have more under way.
    [[nodiscard]] std::optional<uuid> begin_turn() {
        if (under_way_ >= most_.under_way) return std::nullopt;
        auto const next = std::find_if(turns_.begin(), turns_.end(), [&](uuid const& owner) {
            return lines_.at(owner).under_way < most_.under_way_per_owner;
        });
        if (next == turns_.end()) return std::nullopt;
        auto const owner = *next;
        turns_.erase(next);
        turns_.push_back(owner);
        ++lines_.at(owner).under_way;
        ++under_way_;
        return owner;
    }
    /// Takes up to `most` of the owner's items that `wanted` likes, the first in any case; the others keep their
    /// order.
    template <class Wanted>
    [[nodiscard]] std::deque<Item> take(uuid const& owner, std::size_t most, Wanted const& wanted) {
        auto& items = lines_.at(owner).items;
        std::deque<Item> taken;
        std::deque<Item> left;
        taken.push_back(std::move(items.front()));
        for (std::size_t i = 1; i < items.size(); ++i)
            (taken.size() < most && wanted(taken.front(), items[i]) ? taken : left).push_back(std::move(items[i]));
        items = std::move(left);
        note_taken(owner, taken.size());
        return taken;
    }
    void end_turn(uuid const& owner) {
        --under_way_;
        auto const line = lines_.find(owner);
        --line->second.under_way;
        forget_if_idle(line);
    }

    /// Takes the items at the front of each line that `is_late` is true of.
    template <class IsLate>
    [[nodiscard]] std::deque<Item> take_late(IsLate const& is_late) {
        std::deque<Item> late;
        auto const owners = turns_; // taking the last of a line ends its turn
        for (auto const& owner : owners) {
            auto& items = lines_.at(owner).items;
            std::size_t taken = 0;
            for (; !items.empty() && is_late(items.front()); ++taken) {
                late.push_back(std::move(items.front()));
                items.pop_front();
            }
            if (taken > 0) note_taken(owner, taken);
        }
        return late;
    }

private:
    struct owner_line {
        std::deque<Item> items;
        std::size_t under_way{0};
    };
    using lines = std::map<uuid, owner_line>;

    void note_taken(uuid const& owner, std::size_t count) {
        waiting_ -= count;
        auto const line = lines_.find(owner);
        if (!line->second.items.empty()) return;
        turns_.erase(std::find(turns_.begin(), turns_.end(), owner));
        forget_if_idle(line);
    }
    void forget_if_idle(typename lines::iterator line) {
        if (line->second.items.empty() && line->second.under_way == 0) lines_.erase(line);
    }

    fair_queue_limits most_;
    lines lines_;
    std::deque<uuid> turns_; // those who have something waiting
    std::size_t waiting_{0};
    std::size_t under_way_{0};
};

} // namespace recruiting::auth_api
