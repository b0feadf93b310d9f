#include "http/path.hpp"

#include "core/text.hpp"

namespace recruiting::http {
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
