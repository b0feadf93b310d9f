#include "recruitctl/top/change.hpp"

#include "core/text.hpp"

#include <limits>
#include <map>

namespace recruiting::recruitctl::top {
namespace {

std::string key_of(scrape::sample const& of) {
    auto key = of.name;
    for (auto const& [name, value] : of.labels) key.append(1, '\0').append(name).append(1, '\0').append(value);
    return key;
}

double bound_of(std::string_view text) {
    return text == "+Inf" ? std::numeric_limits<double>::infinity() : parse_number<double>(text).value_or(0);
}

} // namespace

change::change(reading const* before, reading const& now) : now_(now.metrics) {
    if (before == nullptr || !before->up || !now.up) return;
    seconds_ = std::chrono::duration<double>(now.at - before->at).count();
    for (auto const& one : before->metrics.samples) before_.emplace(key_of(one), one.value);
}

double change::added(scrape::sample const& now) const {
    auto const found = before_.find(key_of(now));
    if (found == before_.end()) return now.value; // it began between the two
    return now.value < found->second ? now.value : now.value - found->second;
}

std::optional<double> change::rate(std::string_view name, choice const& which) const {
    if (!known()) return std::nullopt;
    std::optional<double> sum;
    for (auto const& one : now_.samples)
        if (one.name == name && which(one)) sum = sum.value_or(0) + added(one) / seconds_;
    return sum;
}

std::optional<double> change::value(std::string_view name) const { return scrape::sum_of(now_, name); }

std::vector<bucket> change::observed(std::string const& name, choice const& which) const {
    if (!known()) return {};
    auto const buckets = name + "_bucket";
    std::map<double, double> sums;
    for (auto const& one : now_.samples)
        if (one.name == buckets && which(one)) sums[bound_of(one.label("le"))] += added(one);
    std::vector<bucket> out;
    for (auto const& [bound, count] : sums) out.push_back({bound, count});
    return out;
}

} // namespace recruiting::recruitctl::top
