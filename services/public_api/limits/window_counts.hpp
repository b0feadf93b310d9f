// Counts of windows in this process, for all its threads: what holds while Redis is away, slow, or was started empty.
#pragma once
#include "public_api/plan.hpp"

#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace recruiting::public_api {

class window_counts {
public:
    /// most: counts kept; beyond, those whose window ends first are forgotten.
    explicit window_counts(std::size_t most) : most_(most) {}

    /// Adds one to each and returns what they are now.
    [[nodiscard]] std::vector<std::int64_t> add(std::vector<counted_use> const& uses, timestamp now);
    [[nodiscard]] std::size_t size() const;

private:
    std::int64_t add_one(counted_use const& use, timestamp now);

    std::size_t most_;
    mutable std::mutex mutex_;
    std::map<std::pair<timestamp, std::string>, std::int64_t> counts_; // by the window's end, then key
};

} // namespace recruiting::public_api
