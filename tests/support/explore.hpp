// Explores a small model of a protocol exhaustively: every interleaving of the atomic steps of its actors, and a crash
// before each of them (decision 0099). Breadth first, so the trace to a world that breaks a rule is one of the
// shortest.
#pragma once
#include <cstddef>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace recruiting::explore {

/// A world is a value with operator<=>: what the actors share, and each one's memory.
template <class World>
struct step {
    std::string words;
    std::function<bool(World&)> take; // false: not possible in this world
};

/// Holds in every world that can be reached.
template <class World>
struct rule {
    std::string words;
    std::function<bool(World const&)> holds;
};

template <class World>
struct model {
    World start;
    std::vector<step<World>> steps{};
    std::vector<rule<World>> rules{};
};

template <class World, class Actor>
struct actor_step {
    std::string words;
    std::function<bool(World&, Actor&)> take;
};

/// Adds the steps of an actor whose memory is that member of the world, and its crash: it loses its memory and begins
/// anew, World::crashes times at most.
template <class World, class Actor>
void add_actor(model<World>& to, std::string const& name, Actor World::*memory,
               std::vector<actor_step<World, Actor>> steps) {
    for (auto& [words, take] : steps)
        to.steps.push_back({name + " " + words,
                            [memory, take = std::move(take)](World& world) { return take(world, world.*memory); }});
    if (to.start.crashes == 0) return;
    to.steps.push_back({name + " crashes", [memory](World& world) {
                            if (world.crashes == 0 || world.*memory == Actor{}) return false;
                            --world.crashes;
                            world.*memory = Actor{};
                            return true;
                        }});
}

struct finding {
    std::string rule;               // the broken one; empty: none is
    std::vector<std::string> trace; // the steps to the world that breaks it
    std::vector<std::string> idle;  // steps that were possible in no world: the model, or an actor, is wrong
    std::size_t worlds{0};

    /// Empty if every rule holds and every step was possible somewhere.
    [[nodiscard]] std::string text() const {
        auto out = rule.empty() ? std::string() : "broken: " + rule;
        for (auto const& words : trace) out += "\n  " + words;
        if (rule.empty())
            for (auto const& words : idle) out += "never possible: " + words + "\n";
        return out;
    }
};

template <class World>
class exploration {
public:
    explicit exploration(model<World> const& of) : model_(of), possible_(of.steps.size()) {}

    [[nodiscard]] finding run() {
        add(model_.start, nullptr, 0);
        for (std::size_t next = 0; next < order_.size() && found_.rule.empty(); ++next) take_every_step(*order_[next]);
        found_.worlds = order_.size();
        for (std::size_t i = 0; i < possible_.size(); ++i)
            if (!possible_[i]) found_.idle.push_back(model_.steps[i].words);
        return std::move(found_);
    }

private:
    static constexpr std::size_t most_worlds = 1'000'000;
    struct origin {
        World const* before; // nullptr: the start
        std::size_t step;
    };
    using known = typename std::map<World, origin>::value_type;

    void take_every_step(known const& from) {
        for (std::size_t i = 0; i < model_.steps.size() && found_.rule.empty(); ++i) {
            World after = from.first;
            if (!model_.steps[i].take(after)) continue;
            possible_[i] = true;
            add(after, &from.first, i);
        }
    }

    void add(World const& world, World const* before, std::size_t step) {
        auto const [at, is_new] = seen_.try_emplace(world, origin{before, step});
        if (!is_new) return;
        if (order_.size() == most_worlds) throw std::runtime_error("the model has too many worlds to explore");
        order_.push_back(&*at);
        for (auto const& each : model_.rules)
            if (found_.rule.empty() && !each.holds(world)) note_broken(each.words, *at);
    }

    void note_broken(std::string const& rule, known const& world) {
        found_.rule = rule;
        for (auto const* at = &world; at->second.before != nullptr; at = &*seen_.find(*at->second.before))
            found_.trace.insert(found_.trace.begin(), model_.steps[at->second.step].words);
    }

    model<World> const& model_;
    std::vector<bool> possible_;
    std::map<World, origin> seen_;
    std::vector<known const*> order_; // in which they were found
    finding found_;
};

template <class World>
[[nodiscard]] finding explore(model<World> const& of) {
    return exploration<World>(of).run();
}

} // namespace recruiting::explore
