// top: a live view of the gateway and the services.
#include "recruitctl/command.hpp"
#include "core/text.hpp"
#include "core/time.hpp"
#include "recruitctl/doctor/installation.hpp"
#include "recruitctl/output.hpp"
#include "recruitctl/top/layout.hpp"
#include "recruitctl/top/terminal.hpp"
#include "recruitctl/top/watch.hpp"

#include <algorithm>
#include <array>
#include <clocale>
#include <cstdlib>
#include <ctime>
#include <iostream>
#include <langinfo.h>
#include <system_error>
#include <thread>
#include <unistd.h>

namespace recruiting::recruitctl {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t columns_of_text = 120;
constexpr std::size_t history_kept = 300;

// "14:02:11", local time.
std::string clock_text() {
    auto const now = std::time(nullptr);
    std::tm broken_down{};
    ::localtime_r(&now, &broken_down);
    std::array<char, 16> text{};
    auto const size = std::strftime(text.data(), text.size(), "%H:%M:%S", &broken_down);
    return {text.data(), size};
}

bool terminal_takes_utf8() {
    std::setlocale(LC_CTYPE, "");
    return std::string_view(::nl_langinfo(CODESET)) == "UTF-8";
}

bool has_screen() {
    auto const* const kind = std::getenv("TERM");
    bool const moves_cursor = kind != nullptr && std::string_view(kind) != "dumb";
    return moves_cursor && ::isatty(STDIN_FILENO) == 1 && ::isatty(STDOUT_FILENO) == 1;
}

// What is on the screen, and what keys do to it.
class live_view {
public:
    live_view(std::chrono::milliseconds interval, bool utf8) {
        view_.utf8 = utf8;
        view_.interval = format_duration(interval);
        view_.now = clock_text();
    }

    void take(top::two_scrapes const& seen) {
        auto figures = summarize(seen.before, seen.now);
        auto const total = total_rate(figures);
        if (total) past_.push_back(*total);
        if (past_.size() > history_kept) past_.pop_front();
        if (view_.paused) return;
        figures_ = std::move(figures);
        shown_past_ = past_;
        view_.now = clock_text();
    }
    /// false: quit.
    bool press(top::key which) {
        switch (which) {
        case top::key::quit: return false;
        case top::key::pause: view_.paused = !view_.paused; break;
        case top::key::sort: view_.by = next(view_.by); break;
        case top::key::help: view_.help = !view_.help; break;
        case top::key::up: view_.scrolled -= std::size_t{view_.scrolled > 0}; break;
        case top::key::down: view_.scrolled += std::size_t{view_.scrolled < routes()}; break;
        case top::key::none:
        case top::key::resized:
        case top::key::other: break;
        }
        return true;
    }
    void show(top::terminal& on) {
        auto const size = top::terminal::size();
        view_.columns = size.columns;
        view_.rows = size.rows;
        on.show(lay_out(figures_, shown_past_, view_));
    }

private:
    [[nodiscard]] std::size_t routes() const {
        std::size_t all = 0;
        for (auto const& one : figures_) all += one.routes.size();
        return all;
    }

    top::view view_;
    std::vector<top::instance_figures> figures_;
    top::history past_, shown_past_;
};

// The live view, until somebody quits. Throws when there is no terminal.
void show_live(std::vector<top::target> const& targets, std::chrono::milliseconds interval) {
    bool const utf8 = terminal_takes_utf8(); // sets the locale, which ncurses reads when the screen begins
    top::terminal screen(wants_colour());
    live_view shown(interval, utf8);
    top::watch watching(targets, interval, [&screen] { screen.wake(); });
    shown.show(screen);
    while (shown.press(screen.wait(interval))) {
        if (auto const seen = watching.take()) shown.take(*seen);
        shown.show(screen);
    }
}

// As options say; else as the installation here, or its usual ports.
std::vector<top::target> targets_of(invocation const& call) {
    std::vector<top::target> out;
    for (auto const* const name : doctor::program_names)
        for (auto const& address : admin_ports(call, name)) out.push_back({name, address});
    if (!out.empty()) return out;
    auto const here = doctor::find_installation(installation_paths_of(call), {});
    for (auto const& program : here.programs) out.push_back({program.name, doctor::admin_address(program)});
    return out;
}

int print_once(invocation& call, std::vector<top::target> const& targets, std::chrono::milliseconds interval) {
    auto const limit = std::min<std::chrono::milliseconds>(interval, 5s);
    auto const before = top::scrape_all(targets, limit);
    std::this_thread::sleep_for(interval);
    auto const figures = top::summarize(before, top::scrape_all(targets, limit));
    if (call.json()) {
        print_json(call.out, top::to_json(figures));
    } else {
        top::view as;
        as.columns = columns_of_text;
        as.utf8 = terminal_takes_utf8();
        as.now = clock_text();
        as.interval = format_duration(interval);
        top::history past;
        if (auto const total = total_rate(figures)) past.push_back(*total);
        call.out << top::to_text(lay_out(figures, past, as));
    }
    bool const all_up = std::ranges::all_of(figures, &top::instance_figures::up);
    return all_up ? done : failed;
}

int run_top(invocation& call) {
    auto const interval = parse_duration(call.find("--interval").value_or("2s"));
    if (!interval || *interval < 100ms || *interval > 1h)
        throw usage_error("--interval must be a duration from 100ms to 1h, such as 2s");
    auto const targets = targets_of(call);
    bool const live = &call.out == &std::cout && has_screen();
    if (call.has("--once") || call.json() || !live) return print_once(call, targets, *interval);
    show_live(targets, *interval);
    return done;
}

} // namespace

std::vector<command> top_commands() {
    return {
        {"top",
         "Watch the edge and the services live: requests, times, refusals, queues.",
         {{"--interval", "DURATION", "between two looks (2s)"},
          {"--once", "", "print one frame as text, of two looks; so it is without a terminal"},
          {"--gateway", "HOST:PORT", "admin ports of gateways", false, true},
          {"--auth-api", "HOST:PORT", "admin ports of auth-apis", false, true},
          {"--public-api", "HOST:PORT", "admin ports of public-apis", false, true},
          {"--config-dir", "DIRECTORY", "where the programs' settings are (/etc/recruiting)"},
          {"--run-dir", "DIRECTORY", "a run directory of scripts/up instead (set by its env file)"}},
         run_top,
         "Without addresses, the programs of this host. Several instances of one program are added up where that\n"
         "makes sense. Keys: q quit, p pause, s sort, ? help. With --once or --json exit code 1: one is unavailable."}};
}

} // namespace recruiting::recruitctl
