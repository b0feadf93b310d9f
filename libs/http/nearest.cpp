#include "http/nearest.hpp"

#include "core/text.hpp"

#include <algorithm>
#include <array>

namespace recruiting::http {
namespace {

constexpr std::size_t longest_name = 40; // longer ones are no mistyped parameters, and cost more to compare
constexpr std::size_t short_name = 6;

using row = std::array<std::size_t, longest_name + 1>;

// The optimal string alignment distance; both are at most longest_name characters long.
std::size_t distance(std::string_view a, std::string_view b) noexcept {
    row two_before{};
    row before{};
    row now{};
    for (std::size_t j = 0; j <= b.size(); ++j) before[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        now[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            std::size_t const replaced = before[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            now[j] = std::min({before[j] + 1, now[j - 1] + 1, replaced});
            bool const swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (swapped) now[j] = std::min(now[j], two_before[j - 2] + 1);
        }
        two_before = before;
        before = now;
    }
    return before[b.size()];
}

} // namespace

std::string_view nearest(std::string_view name, std::span<std::string_view const> known) {
    if (name.size() > longest_name) return {};
    auto const wanted = to_lower(name);
    std::string_view found;
    std::size_t least = name.size() < short_name ? 2 : 3;
    for (auto const one : known) {
        if (one.size() > longest_name || one.size() + least <= name.size() || name.size() + least <= one.size())
            continue;
        auto const edits = distance(wanted, to_lower(one));
        if (edits >= least || edits >= one.size()) continue; // a word of one letter is no other one
        least = edits;
        found = one;
    }
    return found;
}

std::string unknown_message(std::string_view what, std::string_view name, std::span<std::string_view const> known) {
    std::string message(what);
    if (auto const meant = nearest(name, known); !meant.empty())
        message.append(" Did you mean \"").append(meant).append("\"?");
    return message;
}

} // namespace recruiting::http
