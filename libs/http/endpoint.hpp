// The routes of a service: one row per endpoint, and which of them a request means. Pure.
#pragma once
#include "core/error.hpp"

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace recruiting::http {

/// Values of {name} segments in the order of the template, percent-decoded.
struct path_params {
    std::array<std::string, 3> values;
    std::size_t count{0};
    [[nodiscard]] std::string const& operator[](std::size_t i) const { return values.at(i); }
};

/// Compares segment by segment and still encoded, so that %2F is no slash: "/jobs/{id}" against "/jobs/0190…". nullopt:
/// no match, an empty segment, or an escape that can't be decoded.
[[nodiscard]] std::optional<path_params> match_path(std::string_view route_template, std::string_view path);

/// One row of a service's route table.
template <class Action>
struct route {
    std::string_view method; // GET answers HEAD too
    std::string_view
        path; // a template such as "/api/v1/jobs/{id}"; in metrics, logs and traces it is the endpoint's name
    Action action;
    std::string_view scope{};    // what an API key needs to call it; "": nothing more than to be valid
    bool takes_all_below{false}; // the path itself and every path below it
};

template <class Action>
struct route_match {
    route<Action> const* found{nullptr}; // the path with this method
    route<Action> const* known{nullptr}; // the path with any method
    path_params params;
    std::string allow; // when the path is known, but not with this method: the methods it has
};

/// The parameters of path if it is the route's; path is the request's, still encoded.
[[nodiscard]] std::optional<path_params> match_route(std::string_view route_path, bool takes_all_below,
                                                     std::string_view path);
/// Does a route of this method answer the request's method?
[[nodiscard]] bool answers_method(std::string_view route_method, std::string_view method) noexcept;
/// Adds a route's methods to the value of Allow (RFC 9110 section 10.2.1).
void append_allowed(std::string& allow, std::string_view route_method);

/// The first row of the path and the method.
template <class Action>
[[nodiscard]] route_match<Action> find_route(std::span<route<Action> const> table, std::string_view method,
                                             std::string_view path) {
    route_match<Action> match;
    for (auto const& row : table) {
        auto params = match_route(row.path, row.takes_all_below, path);
        if (!params) continue;
        if (answers_method(row.method, method)) return {&row, &row, std::move(*params), {}};
        append_allowed(match.allow, row.method);
        if (match.known != nullptr) continue;
        match.known = &row;
        match.params = std::move(*params);
    }
    return match;
}

/// In the table's order, for request_metrics.
template <class Action>
[[nodiscard]] std::vector<std::string> route_names(std::span<route<Action> const> table) {
    std::vector<std::string> names;
    for (auto const& row : table) names.emplace_back(row.path);
    return names;
}

/// The method as logs, reports and spans show it: otherwise for an unknown one, which may be any text a client likes.
/// A literal.
[[nodiscard]] std::string_view loggable_method(std::string_view method, std::string_view otherwise = "other") noexcept;

/// not_found, or method_not_allowed with the methods that the path has.
[[nodiscard]] api_error no_such_route(std::string allow);
/// For a request that has none, when a body is announced.
[[nodiscard]] api_error body_not_allowed();

} // namespace recruiting::http
