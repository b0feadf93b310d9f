// Round robin between organizations (owners): each waits for one turn of every other owner, never for all that another
// has asked. Bounds what each owner may have in progress and waiting. A state machine without I/O.
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
    std::size_t in_flight{1};           // turns at a time, of all owners
    std::size_t in_flight_per_owner{1}; // of one
    std::size_t waiting_per_owner{16};
    std::size_t waiting{4096}; // of all owners
};

template <class Item>
class fair_queue {
public:
    struct turn {
        uuid owner;
        std::deque<Item> items;
    };

    explicit fair_queue(fair_queue_limits most) : most_(most) {}

    [[nodiscard]] std::size_t waiting() const noexcept { return waiting_; }
    [[nodiscard]] fair_queue_limits const& limits() const noexcept { return most_; }
    [[nodiscard]] bool is_full() const noexcept { return waiting_ >= most_.waiting; }
    [[nodiscard]] bool is_full_for(uuid const& owner) const {
        auto const found = owners_.find(owner);
        return found != owners_.end() && found->second.waiting.size() >= most_.waiting_per_owner;
    }

    void push(uuid const& owner, Item item) {
        auto& waiting = owners_[owner].waiting;
        waiting.push_back(std::move(item));
        ++waiting_;
        if (waiting.size() == 1) rotation_.push_back(owner);
    }

    /// Starts a turn of the next owner who has something waiting and may have more in progress: its first item, and up
    /// to `most` in all that `joins(first, other)` lets in; the others keep their order.
    template <class Joins>
    [[nodiscard]] std::optional<turn> start_turn(std::size_t most, Joins const& joins) {
        if (in_flight_ >= most_.in_flight) return std::nullopt;
        auto const next = std::ranges::find_if(
            rotation_, [&](uuid const& owner) { return owners_.at(owner).in_flight < most_.in_flight_per_owner; });
        if (next == rotation_.end()) return std::nullopt;
        turn started{*next, {}};
        rotation_.erase(next);
        rotation_.push_back(started.owner);
        auto& of = owners_.at(started.owner);
        ++of.in_flight;
        ++in_flight_;
        std::deque<Item> left;
        for (auto& item : of.waiting) {
            bool const joined =
                started.items.empty() || (started.items.size() < most && joins(started.items.front(), item));
            (joined ? started.items : left).push_back(std::move(item));
        }
        of.waiting = std::move(left);
        note_taken(started.owner, started.items.size());
        return started;
    }
    void finish_turn(uuid const& owner) {
        --in_flight_;
        auto const found = owners_.find(owner);
        --found->second.in_flight;
        forget_if_idle(found);
    }

    /// Takes the items at the front of each owner's queue for which `expired` is true.
    template <class Expired>
    [[nodiscard]] std::deque<Item> take_expired(Expired const& expired) {
        std::deque<Item> out;
        auto const owners = rotation_; // an owner whose last item is taken leaves the rotation
        for (auto const& owner : owners) {
            auto& waiting = owners_.at(owner).waiting;
            std::size_t taken = 0;
            for (; !waiting.empty() && expired(waiting.front()); ++taken) {
                out.push_back(std::move(waiting.front()));
                waiting.pop_front();
            }
            if (taken > 0) note_taken(owner, taken);
        }
        return out;
    }

private:
    struct owner_state {
        std::deque<Item> waiting;
        std::size_t in_flight{0};
    };
    using owner_map = std::map<uuid, owner_state>;

    void note_taken(uuid const& owner, std::size_t count) {
        waiting_ -= count;
        auto const found = owners_.find(owner);
        if (!found->second.waiting.empty()) return;
        std::erase(rotation_, owner);
        forget_if_idle(found);
    }
    void forget_if_idle(typename owner_map::iterator of) {
        if (of->second.waiting.empty() && of->second.in_flight == 0) owners_.erase(of);
    }

    fair_queue_limits most_;
    owner_map owners_;
    std::deque<uuid> rotation_; // owners that have something waiting
    std::size_t waiting_{0};
    std::size_t in_flight_{0};
};

} // namespace recruiting::auth_api
