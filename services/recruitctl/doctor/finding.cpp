#include "recruitctl/doctor/finding.hpp"

#include "core/redact.hpp"

#include <algorithm>
#include <iomanip>
#include <ostream>

namespace recruiting::recruitctl::doctor {

std::string_view to_string(check_status which) noexcept {
    switch (which) {
    case check_status::ok: return "ok";
    case check_status::warning: return "warning";
    case check_status::problem: return "problem";
    case check_status::skipped: return "skipped";
    }
    return "skipped";
}

finding ok(std::string check, std::string text) { return {check_status::ok, std::move(check), std::move(text), {}}; }

finding warning(std::string check, std::string text, std::string fix) {
    return {check_status::warning, std::move(check), std::move(text), std::move(fix)};
}

finding problem(std::string check, std::string text, std::string fix) {
    return {check_status::problem, std::move(check), std::move(text), std::move(fix)};
}

finding skipped(std::string check, std::string text, std::string fix) {
    return {check_status::skipped, std::move(check), std::move(text), std::move(fix)};
}

std::string_view group_of(finding const& of) noexcept {
    return std::string_view(of.check).substr(0, of.check.find('.'));
}

std::size_t count(findings const& all, check_status which) noexcept {
    return static_cast<std::size_t>(std::ranges::count(all, which, &finding::what));
}

std::string counted(std::int64_t number, std::string_view noun) {
    return std::to_string(number) + " " + std::string(noun) + (number == 1 ? "" : "s");
}

namespace {

constexpr std::size_t longest_line = 2000;
constexpr int outcome_width = 9;

std::string_view colour_of(check_status which) noexcept {
    switch (which) {
    case check_status::ok: return "\x1b[32m";
    case check_status::warning: return "\x1b[33m";
    case check_status::problem: return "\x1b[1;31m";
    case check_status::skipped: return "\x1b[2m";
    }
    return "";
}

std::string safe(std::string_view text) { return printable(redact_secrets(std::string(text)), longest_line); }

std::string name_of(finding const& of) {
    auto const dot = of.check.find('.');
    return dot == std::string::npos ? of.check : of.check.substr(dot + 1);
}

void print_one(std::ostream& out, finding const& one, int width, bool colour) {
    out << "  " << (colour ? colour_of(one.what) : "") << std::left << std::setw(outcome_width) << to_string(one.what)
        << (colour ? "\x1b[0m" : "") << std::setw(width) << name_of(one) << safe(one.text) << '\n';
    if (!one.fix.empty())
        out << std::string(static_cast<std::size_t>(2 + outcome_width), ' ') << "→ " << safe(one.fix) << '\n';
}

std::string summary(findings const& all) {
    auto const number = [&](check_status which) { return static_cast<std::int64_t>(count(all, which)); };
    return std::to_string(number(check_status::ok)) + " ok, " + counted(number(check_status::warning), "warning") +
           ", " + counted(number(check_status::problem), "problem") + ", " +
           std::to_string(number(check_status::skipped)) + " skipped";
}

} // namespace

void print_report(std::ostream& out, findings const& all, bool colour) {
    std::size_t width = 0;
    for (auto const& one : all) width = std::max(width, name_of(one).size());
    std::string_view group;
    for (auto const& one : all) {
        if (group_of(one) != group) out << (group.empty() ? "" : "\n") << group_of(one) << '\n';
        group = group_of(one);
        print_one(out, one, static_cast<int>(width) + 2, colour);
    }
    out << '\n' << summary(all) << '\n';
}

boost::json::object to_json(findings const& all) {
    boost::json::array checks;
    for (auto const& one : all)
        checks.push_back({{"check", one.check},
                          {"verdict", to_string(one.what)},
                          {"text", safe(one.text)},
                          {"fix", one.fix.empty() ? boost::json::value(nullptr) : boost::json::value(safe(one.fix))}});
    boost::json::object counts;
    for (auto const which : {check_status::ok, check_status::warning, check_status::problem, check_status::skipped})
        counts.emplace(to_string(which), count(all, which));
    return {{"healthy", count(all, check_status::problem) == 0},
            {"counts", std::move(counts)},
            {"checks", std::move(checks)}};
}

} // namespace recruiting::recruitctl::doctor
