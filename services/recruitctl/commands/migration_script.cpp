#include "recruitctl/commands/migration_script.hpp"

#include "core/text.hpp"

#include <algorithm>
#include <utility>

namespace recruiting::recruitctl {
namespace {

constexpr std::chrono::milliseconds longest_pause{10'000};

bool is_comment(std::string_view line) { return line.empty() || line.starts_with("--"); }

} // namespace

bool is_stepwise(std::string_view sql) noexcept { return trim(sql.substr(0, sql.find('\n'))) == stepwise_marker; }

std::vector<std::string> statements_of(std::string_view sql) {
    std::vector<std::string> statements;
    std::string open;
    for (auto const line : split(sql, '\n')) {
        auto const text = trim(line);
        if (is_comment(text)) continue;
        open.append(open.empty() ? "" : "\n").append(text);
        if (text.ends_with(';')) statements.push_back(std::exchange(open, {}));
    }
    if (!open.empty()) statements.push_back(std::move(open));
    return statements;
}

bool is_concurrent(std::string_view statement) {
    return to_lower(statement).find(" concurrently ") != std::string::npos;
}

std::chrono::milliseconds next_pause(std::chrono::milliseconds pause) noexcept {
    return std::min(pause * 2, longest_pause);
}

} // namespace recruiting::recruitctl
