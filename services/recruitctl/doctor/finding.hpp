// The result of a check of recruitctl doctor: one line, and how to fix what is wrong. Checks are pure functions from
// facts to findings; facts are collected elsewhere (read_*, *_store.cpp), so that every status has a unit test.
#pragma once
#include <boost/json.hpp>
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace recruiting::recruitctl::doctor {

enum class check_status {
    ok,
    warning, // works, and will hurt some day
    problem, // does not work, or is not safe
    skipped, // could not be checked: nothing is known
};
[[nodiscard]] std::string_view to_string(check_status which) noexcept;

struct finding {
    check_status what{check_status::skipped};
    std::string check; // "database.roles": its group, a dot, its name
    std::string text;
    std::string fix; // a command or a setting; empty when ok
};
using findings = std::vector<finding>;

[[nodiscard]] finding ok(std::string check, std::string text);
[[nodiscard]] finding warning(std::string check, std::string text, std::string fix);
[[nodiscard]] finding problem(std::string check, std::string text, std::string fix);
/// fix: what would make the check possible.
[[nodiscard]] finding skipped(std::string check, std::string text, std::string fix = {});

[[nodiscard]] std::string_view group_of(finding const& of) noexcept;
[[nodiscard]] std::size_t count(findings const& all, check_status which) noexcept;

/// What was read, or why it could not be.
template <class T>
struct observed {
    std::optional<T> found;
    std::string why;
};

/// "1 row", "2 rows".
[[nodiscard]] std::string counted(std::int64_t number, std::string_view noun);

// The output of findings: lines for people, or one JSON document.

/// Groups in the order of the findings. Control characters, which names and answers of others may hold, are not
/// printed.
void print_report(std::ostream& out, findings const& all, bool colour);
[[nodiscard]] boost::json::object to_json(findings const& all);

} // namespace recruiting::recruitctl::doctor
