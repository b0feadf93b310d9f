// Reads Prometheus' text format 0.0.4 (prometheus.io/docs/instrumenting/exposition_formats): strictly, for what does
// not keep to it did not come from one of our programs. Pure.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace recruiting::recruitctl::scrape {

struct sample {
    std::string name;
    std::vector<std::pair<std::string, std::string>> labels; // in their order, values unescaped
    double value{0};

    /// The label's value; empty: it has none.
    [[nodiscard]] std::string_view label(std::string_view of) const noexcept;
};

struct exposition {
    std::vector<sample> samples;
    std::map<std::string, std::string> types; // by metric: counter, gauge, histogram, summary, untyped
};

struct parsed {
    exposition what;
    std::string problem; // with its line's number; empty: all was read
};

inline constexpr std::size_t most_samples = 50'000;
inline constexpr std::size_t most_labels = 64; // of a sample

[[nodiscard]] parsed parse(std::string_view text);

/// Of the samples with this name: the sum, and whether there were any.
[[nodiscard]] std::optional<double> sum_of(exposition const& in, std::string_view name);

} // namespace recruiting::recruitctl::scrape
