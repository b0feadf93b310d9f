// What became of a program's metrics between two scrapes. Pure; for figures alone.
#pragma once
#include "recruitctl/top/reading.hpp"

#include <functional>
#include <unordered_map>

namespace recruiting::recruitctl::top {

class change {
public:
    change(reading const* before, reading const& now);

    [[nodiscard]] bool known() const noexcept { return seconds_ > 0; } // there are two scrapes
    [[nodiscard]] double seconds() const noexcept { return seconds_; }

    using choice = std::function<bool(scrape::sample const&)>;
    static bool all(scrape::sample const&) { return true; }

    /// Of counters: how much was added a second, those chosen together. nullopt: no such counter, or only one scrape.
    [[nodiscard]] std::optional<double> rate(std::string_view name, choice const& which = all) const;
    /// Of gauges: the sum now.
    [[nodiscard]] std::optional<double> value(std::string_view name) const;
    /// The observations of histograms, those chosen together.
    [[nodiscard]] std::vector<bucket> observed(std::string const& name, choice const& which = all) const;
    [[nodiscard]] double added(scrape::sample const& now) const;
    [[nodiscard]] scrape::exposition const& now() const noexcept { return now_; }

private:
    scrape::exposition const& now_;
    std::unordered_map<std::string, double> before_;
    double seconds_{0};
};

} // namespace recruiting::recruitctl::top
