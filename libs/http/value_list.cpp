#include "http/value_list.hpp"

#include "core/redact.hpp"
#include "core/text.hpp"

#include <algorithm>
#include <functional>

namespace recruiting::http {
namespace {

constexpr std::size_t longest_list = 4000; // bytes: 64 ids in their dashed form, and more than 64 of any other value
constexpr std::size_t longest_quoted = 40;

struct refusal {
    std::string_view reason;
    std::string what; // ends the sentence that begins with the value
};

// The value in its one form, or nothing when it is none of the parameter's.
using reading = std::function<std::optional<std::string>(std::string_view)>;

std::optional<value_list> read_values(query_reader& query, std::string_view name, reading const& read,
                                      refusal const& otherwise) {
    auto const text = query.text(name, longest_list, query_reader::empty::allowed);
    if (!text) return std::nullopt;
    auto const items = split(*text, ',');
    if (items.size() > most_values) {
        query.problem(name, "too_many", "Must be at most " + std::to_string(most_values) + " values.");
        return std::nullopt;
    }
    value_list values;
    for (auto const item : items) {
        auto value = read(item);
        if (!value) {
            query.problem(name, otherwise.reason, '"' + printable(item, longest_quoted) + "\" " + otherwise.what);
            return std::nullopt;
        }
        values.push_back(std::move(*value));
    }
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    return values;
}

} // namespace

std::optional<value_list> read_choices(query_reader& query, std::string_view name,
                                       std::initializer_list<std::string_view> allowed) {
    std::string names;
    for (auto const one : allowed) names.append(names.empty() ? "" : ", ").append(one);
    auto const read = [&](std::string_view item) -> std::optional<std::string> {
        if (std::find(allowed.begin(), allowed.end(), item) == allowed.end()) return std::nullopt;
        return std::string(item);
    };
    return read_values(query, name, read, {"not_allowed", "is not one of " + names + "."});
}

std::optional<value_list> read_ids(query_reader& query, std::string_view name) {
    auto const read = [](std::string_view item) -> std::optional<std::string> {
        auto const id = parse_id(item);
        if (!id) return std::nullopt;
        return to_string(*id);
    };
    return read_values(query, name, read, {"invalid", "is not an id: 32 hexadecimal characters, or a dashed UUID."});
}

std::optional<value_list> read_integers(query_reader& query, std::string_view name, std::int64_t least,
                                        std::int64_t most) {
    auto const read = [&](std::string_view item) -> std::optional<std::string> {
        auto const number = parse_number<std::int64_t>(item);
        if (!number || *number < least || *number > most) return std::nullopt;
        return std::to_string(*number);
    };
    auto const range = std::to_string(least) + " to " + std::to_string(most);
    return read_values(query, name, read, {"out_of_range", "is not a number from " + range + "."});
}

std::optional<value_list> read_words(query_reader& query, std::string_view name) {
    auto const read = [](std::string_view item) -> std::optional<std::string> {
        if (item.empty()) return std::nullopt;
        return std::string(item);
    };
    return read_values(query, name, read, {"empty", "is no value."});
}

} // namespace recruiting::http
