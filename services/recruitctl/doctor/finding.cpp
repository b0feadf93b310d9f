#include "recruitctl/doctor/finding.hpp"

#include <algorithm>

namespace recruiting::recruitctl::doctor {

std::string_view to_string(verdict which) noexcept {
    switch (which) {
    case verdict::ok: return "ok";
    case verdict::warning: return "warning";
    case verdict::problem: return "problem";
    case verdict::skipped: return "skipped";
    }
    return "skipped";
}

finding ok(std::string check, std::string text) { return {verdict::ok, std::move(check), std::move(text), {}}; }

finding warning(std::string check, std::string text, std::string mend) {
    return {verdict::warning, std::move(check), std::move(text), std::move(mend)};
}

finding problem(std::string check, std::string text, std::string mend) {
    return {verdict::problem, std::move(check), std::move(text), std::move(mend)};
}

finding skipped(std::string check, std::string text, std::string mend) {
    return {verdict::skipped, std::move(check), std::move(text), std::move(mend)};
}

std::string_view group_of(finding const& of) noexcept {
    return std::string_view(of.check).substr(0, of.check.find('.'));
}

std::size_t count(findings const& all, verdict which) noexcept {
    return static_cast<std::size_t>(std::ranges::count(all, which, &finding::what));
}

std::string counted(std::int64_t number, std::string_view noun) {
    return std::to_string(number) + " " + std::string(noun) + (number == 1 ? "" : "s");
}

} // namespace recruiting::recruitctl::doctor
