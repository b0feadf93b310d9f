#include "http/endpoint.hpp"

#include "core/text.hpp"

#include <array>

namespace recruiting::http {

std::optional<path_params> match_route(std::string_view route_path, bool takes_all_below, std::string_view path) {
    auto const fixed = route_path.substr(0, route_path.find('{'));
    if (!path.starts_with(fixed)) return std::nullopt; // most rows, quickly
    auto const rest = path.substr(fixed.size());
    if (takes_all_below) return rest.empty() || rest.starts_with('/') ? std::optional(path_params()) : std::nullopt;
    if (fixed.size() == route_path.size()) return rest.empty() ? std::optional(path_params()) : std::nullopt;
    auto const slash = fixed.size() - 1; // before the first parameter
    return match_path(route_path.substr(slash), path.substr(slash));
}

bool answers_method(std::string_view route_method, std::string_view method) noexcept {
    return route_method == method || (route_method == "GET" && method == "HEAD");
}

void append_allowed(std::string& allow, std::string_view route_method) {
    std::string_view const methods = route_method == "GET" ? "GET, HEAD" : route_method;
    if (allow.find(methods) != std::string::npos) return; // another row of the same path has said so
    allow.append(allow.empty() ? "" : ", ").append(methods);
}

api_error no_such_route(std::string allow) {
    auto error = make_error(allow.empty() ? error_code::not_found : error_code::method_not_allowed);
    error.allow = std::move(allow);
    return error;
}

api_error body_not_allowed() {
    return invalid_request({{"body", "", "not_allowed", "Send this request without a body."}});
}

std::string_view loggable_method(std::string_view method, std::string_view otherwise) noexcept {
    constexpr std::array<std::string_view, 7> known = {"GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"};
    for (auto const one : known)
        if (method == one) return one;
    return otherwise;
}

namespace {

// "/a/b" → "a", rest "/b". False at the end, or where no slash begins the rest.
bool take_segment(std::string_view& path, std::string_view& segment) noexcept {
    if (path.empty() || path.front() != '/') return false;
    path.remove_prefix(1);
    segment = path.substr(0, path.find('/'));
    path.remove_prefix(segment.size());
    return true;
}

} // namespace

std::optional<path_params> match_path(std::string_view route_template, std::string_view path) {
    path_params params;
    std::string_view expected;
    std::string_view actual;
    while (take_segment(route_template, expected)) {
        if (!take_segment(path, actual) || actual.empty()) return std::nullopt;
        if (!expected.starts_with('{')) {
            if (expected != actual) return std::nullopt;
            continue;
        }
        auto decoded = percent_decode(actual);
        if (!decoded || params.count == params.values.size()) return std::nullopt;
        params.values[params.count++] = std::move(*decoded);
    }
    if (!path.empty()) return std::nullopt;
    return params;
}

} // namespace recruiting::http
