#include "http/query.hpp"

#include "core/text.hpp"

#include <algorithm>

namespace recruiting::http {
namespace {

std::string join(std::initializer_list<std::string_view> items) {
    std::string out;
    for (auto const item : items) out.append(out.empty() ? "" : ", ").append(item);
    return out;
}

} // namespace

query_reader::query_reader(std::string_view raw_query) {
    if (raw_query.empty()) return;
    for (auto const pair : split(raw_query, '&')) {
        if (pair.empty()) continue;
        auto const equals = pair.find('=');
        auto name = percent_decode(pair.substr(0, equals), true);
        auto value =
            percent_decode(equals == std::string_view::npos ? std::string_view() : pair.substr(equals + 1), true);
        if (!name || !is_utf8(*name) || name->find('\0') != std::string::npos) {
            problem("", "bad_encoding", "A parameter's name is not percent-encoded UTF-8.");
            continue;
        }
        if (!value || !is_utf8(*value) || value->find('\0') != std::string::npos) {
            problem(*name, "bad_encoding", "Must be percent-encoded UTF-8 without NUL.");
            value = std::string();
        }
        if (std::any_of(parameters_.begin(), parameters_.end(), [&](auto const& p) { return p.name == *name; })) {
            problem(*name, "repeated",
                    "Give this parameter once, with several values separated by commas where it takes several.");
            continue;
        }
        parameters_.push_back({std::move(*name), std::move(*value)});
    }
}

query_reader::entry* query_reader::find(std::string_view name) {
    for (auto& parameter : parameters_) {
        if (parameter.name != name) continue;
        parameter.known = true;
        return &parameter;
    }
    return nullptr;
}

bool query_reader::has(std::string_view name) { return find(name) != nullptr; }

std::optional<std::string> query_reader::text(std::string_view name, std::size_t longest, empty on_empty) {
    auto const* const found = find(name);
    if (found == nullptr) return std::nullopt;
    if (found->value.empty() && on_empty == empty::refused) {
        problem(name, "empty", "Must not be empty.");
        return std::nullopt;
    }
    if (found->value.size() > longest) {
        problem(name, "too_long", "Must be at most " + std::to_string(longest) + " bytes.");
        return std::nullopt;
    }
    return found->value;
}

std::optional<std::int64_t> query_reader::integer(std::string_view name, std::int64_t least, std::int64_t most) {
    auto const* const found = find(name);
    if (found == nullptr) return std::nullopt;
    auto const number = parse_number<std::int64_t>(found->value);
    if (number && *number >= least && *number <= most) return number;
    problem(name, number ? "out_of_range" : "not_a_number",
            "Must be a number from " + std::to_string(least) + " to " + std::to_string(most) + ".");
    return std::nullopt;
}

std::optional<bool> query_reader::boolean(std::string_view name) {
    auto const given = choice(name, {"true", "false"});
    if (!given) return std::nullopt;
    return *given == "true";
}

std::optional<uuid> query_reader::id(std::string_view name) {
    auto const* const found = find(name);
    if (found == nullptr) return std::nullopt;
    auto const id = parse_id(found->value);
    if (!id) problem(name, "not_an_id", "Must be an id: 32 lower-case hex characters.");
    return id;
}

std::optional<timestamp> query_reader::time(std::string_view name) {
    auto const* const found = find(name);
    if (found == nullptr) return std::nullopt;
    auto const time = parse_time(found->value);
    if (!time) problem(name, "not_a_time", "Must be an RFC 3339 time, such as 2026-01-31T09:30:00Z.");
    return time;
}

std::optional<std::string> query_reader::choice(std::string_view name,
                                                std::initializer_list<std::string_view> allowed) {
    auto const* const found = find(name);
    if (found == nullptr) return std::nullopt;
    if (std::find(allowed.begin(), allowed.end(), found->value) != allowed.end()) return found->value;
    problem(name, "not_allowed", "Must be one of " + join(allowed) + ".");
    return std::nullopt;
}

std::vector<std::string> query_reader::choices(std::string_view name, std::initializer_list<std::string_view> allowed) {
    std::vector<std::string> out;
    auto const* const found = find(name);
    if (found == nullptr) return out;
    for (auto const item : split(found->value, ',')) {
        if (std::find(allowed.begin(), allowed.end(), item) == allowed.end()) {
            problem(name, "not_allowed", "Must be one or more of " + join(allowed) + ", separated by commas.");
            return {};
        }
        if (std::find(out.begin(), out.end(), item) == out.end()) out.emplace_back(item);
    }
    return out;
}

void query_reader::problem(std::string_view name, std::string_view reason, std::string message) {
    problems_.push_back({"query", std::string(name), std::string(reason), std::move(message)});
}

void query_reader::refuse_unknown() {
    for (auto const& parameter : parameters_)
        if (!parameter.known) problem(parameter.name, "unknown_parameter", "This parameter is not known here.");
}

} // namespace recruiting::http
