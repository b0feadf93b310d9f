#include "recruitctl/top/live.hpp"

#include "core/time.hpp"
#include "recruitctl/top/layout.hpp"
#include "recruitctl/top/summary.hpp"
#include "recruitctl/top/terminal.hpp"
#include "recruitctl/top/watch.hpp"

#include <array>
#include <ctime>

namespace recruiting::recruitctl::top {
namespace {

constexpr std::size_t history_kept = 300;

// What is on the screen, and what keys do to it.
class live_view {
public:
    explicit live_view(live_settings const& settings) {
        view_.utf8 = settings.utf8;
        view_.interval = format_duration(settings.interval);
        view_.now = clock_text();
    }

    void take(two_readings const& seen) {
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
    bool press(key which) {
        switch (which) {
        case key::quit: return false;
        case key::pause: view_.paused = !view_.paused; break;
        case key::sort: view_.by = next(view_.by); break;
        case key::help: view_.help = !view_.help; break;
        case key::up: view_.scrolled -= std::size_t{view_.scrolled > 0}; break;
        case key::down: view_.scrolled += std::size_t{view_.scrolled < routes()}; break;
        case key::none:
        case key::resized:
        case key::other: break;
        }
        return true;
    }
    void show(terminal& on) {
        auto const size = terminal::size();
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

    view view_;
    std::vector<instance_figures> figures_;
    history past_, shown_past_;
};

} // namespace

std::string clock_text() {
    auto const now = std::time(nullptr);
    std::tm broken_down{};
    ::localtime_r(&now, &broken_down);
    std::array<char, 16> text{};
    auto const size = std::strftime(text.data(), text.size(), "%H:%M:%S", &broken_down);
    return {text.data(), size};
}

void show_live(live_settings const& settings) {
    terminal screen(settings.colour);
    live_view shown(settings);
    watch watching(settings.targets, settings.interval, [&screen] { screen.wake(); });
    shown.show(screen);
    while (shown.press(screen.wait(settings.interval))) {
        if (auto const seen = watching.take()) shown.take(*seen);
        shown.show(screen);
    }
}

} // namespace recruiting::recruitctl::top
