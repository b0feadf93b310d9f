// Runs the checks, and shows what they found.
#include "core/redact.hpp"
#include "recruitctl/doctor/check.hpp"

#include <algorithm>
#include <future>
#include <iomanip>
#include <memory>
#include <ostream>
#include <thread>

namespace recruiting::recruitctl::doctor {
namespace {

constexpr std::chrono::milliseconds grace{2'000}; // for what bounds itself, before it is abandoned

std::future<outcome> begin(check const& what, std::shared_ptr<site const> of) {
    std::packaged_task<outcome()> work([&what, of = std::move(of)] { return what.answer(*of, what.program); });
    auto result = work.get_future();
    std::thread(std::move(work)).detach();
    return result;
}

outcome result_of(check const& one, std::future<outcome>& from, std::chrono::steady_clock::time_point deadline) {
    auto const unknown = one.group() == "reach" ? verdict::problem : verdict::skipped;
    try {
        if (from.wait_until(deadline) == std::future_status::ready) return from.get();
        return {unknown, "no reply in time"};
    } catch (std::exception const& error) {
        return {unknown, error.what()};
    }
}

constexpr std::size_t longest_line = 2000;
constexpr int verdict_width = 9;

std::string_view colour_of(verdict is) noexcept {
    switch (is) {
    case verdict::ok: return "\x1b[32m";
    case verdict::warning: return "\x1b[33m";
    case verdict::problem: return "\x1b[1;31m";
    case verdict::skipped: return "\x1b[2m";
    }
    return "";
}

std::string safe(std::string_view text) { return printable(redact_secrets(std::string(text)), longest_line); }

} // namespace

std::string_view to_string(verdict of) noexcept {
    switch (of) {
    case verdict::ok: return "ok";
    case verdict::warning: return "warning";
    case verdict::problem: return "problem";
    case verdict::skipped: break;
    }
    return "skipped";
}

findings diagnose(site of) {
    auto const deadline = std::chrono::steady_clock::now() + of.limit + grace;
    auto const shared = std::make_shared<site const>(std::move(of));
    std::vector<std::future<outcome>> in_progress;
    for (auto const& one : all_checks()) in_progress.push_back(begin(one, shared));
    findings out;
    for (std::size_t i = 0; i < in_progress.size(); ++i) {
        auto const& one = all_checks()[i];
        auto found = result_of(one, in_progress[i], deadline);
        if (found.is == verdict::ok) found.advice.clear();
        else if (found.is != verdict::skipped && found.advice.empty()) found.advice = named(one.advice, one);
        out.push_back({&one, std::move(found)});
    }
    return out;
}

std::size_t count(findings const& all, verdict is) noexcept {
    return static_cast<std::size_t>(std::ranges::count_if(all, [&](finding const& one) { return one.found.is == is; }));
}

std::string counted(std::int64_t number, std::string_view noun) {
    return std::to_string(number) + " " + std::string(noun) + (number == 1 ? "" : "s");
}

outcome worst_of(std::vector<outcome> each) {
    auto const worst = std::ranges::max(each, {}, &outcome::is).is;
    outcome out{worst, {}};
    for (auto& one : each) {
        if (one.is != worst) continue;
        out.text += (out.text.empty() ? "" : "; ") + one.text;
        if (out.advice.empty()) out.advice = std::move(one.advice);
    }
    return out;
}

void print_report(std::ostream& out, findings const& all, bool colour) {
    std::size_t width = 0;
    auto const name_of = [](check const& of) { return of.name.substr(of.group().size() + 1); };
    for (auto const& one : all) width = std::max(width, name_of(*one.of).size());
    std::string_view group;
    for (auto const& one : all) {
        if (one.of->group() != group) out << (group.empty() ? "" : "\n") << one.of->group() << '\n';
        group = one.of->group();
        out << "  " << (colour ? colour_of(one.found.is) : "") << std::left << std::setw(verdict_width)
            << to_string(one.found.is) << (colour ? "\x1b[0m" : "") << std::setw(static_cast<int>(width) + 2)
            << name_of(*one.of) << safe(one.found.text) << '\n';
        if (!one.found.advice.empty())
            out << std::string(verdict_width + 2, ' ') << "→ " << safe(one.found.advice) << '\n';
    }
    auto const number = [&](verdict is) { return static_cast<std::int64_t>(count(all, is)); };
    out << '\n'
        << number(verdict::ok) << " ok, " << counted(number(verdict::warning), "warning") << ", "
        << counted(number(verdict::problem), "problem") << ", " << number(verdict::skipped) << " skipped\n";
}

boost::json::object to_json(findings const& all) {
    boost::json::array checks;
    for (auto const& [of, found] : all)
        checks.push_back(
            {{"check", of->name},
             {"verdict", to_string(found.is)},
             {"text", safe(found.text)},
             {"fix", found.advice.empty() ? boost::json::value(nullptr) : boost::json::value(safe(found.advice))}});
    boost::json::object counts;
    for (auto const is : {verdict::ok, verdict::warning, verdict::problem, verdict::skipped})
        counts.emplace(to_string(is), count(all, is));
    return {
        {"healthy", count(all, verdict::problem) == 0}, {"counts", std::move(counts)}, {"checks", std::move(checks)}};
}

} // namespace recruiting::recruitctl::doctor
