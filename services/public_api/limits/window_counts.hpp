// Counts of windows in this process, for all its threads: what holds while Redis is away, slow, or was started empty,
// and which counts Redis is given at all, so that no number of clients and addresses fills it.
#pragma once
#include "public_api/plan.hpp"

#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace recruiting::public_api {

struct local_count {
    std::int64_t count{0};
    bool is_shared{false}; // also counted in Redis
    bool operator==(local_count const&) const = default;
};

class window_counts {
public:
    /// most: counts of each limit that are shared through Redis in one window, none of which is ever forgotten before
    /// the window ends. As many again are kept in the process alone; a further one takes the place of any of those.
    explicit window_counts(std::size_t most) : most_(most) {}

    /// Adds one to each and returns what they are now. What another limit refuses adds nothing to a silent one.
    [[nodiscard]] std::vector<local_count> add(std::vector<counted_use> const& uses, timestamp now);
    [[nodiscard]] std::size_t size() const;

private:
    using counts_by_key = std::map<std::string, std::int64_t, std::less<>>;
    // All counts of a limit have the same window.
    struct table {
        std::int64_t window{0};
        counts_by_key shared;
        counts_by_key own;
    };
    local_count add_one(counted_use const& use, timestamp now);

    std::size_t most_;
    mutable std::mutex mutex_;
    std::map<std::string_view, table> tables_; // by limit
};

} // namespace recruiting::public_api
