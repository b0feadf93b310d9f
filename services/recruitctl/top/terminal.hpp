// The terminal of recruitctl top: its whole screen for a while, keys one by one, and everything as it was afterwards,
// however the program ends. ncurses does the work; only terminal.cpp includes it.
#pragma once
#include "recruitctl/top/styled.hpp"

#include <chrono>
#include <cstddef>

namespace recruiting::recruitctl::top {

enum class key { none, quit, pause, sort, help, up, down, resized, other };
/// What a key means, as ncurses codes it. Pure.
[[nodiscard]] key meaning_of(int code) noexcept;

struct screen_size {
    std::size_t columns{80}, rows{24};
};

/// One at a time.
class terminal {
public:
    /// Throws std::runtime_error when standard input or output is no terminal that ncurses can use.
    explicit terminal(bool colour);
    ~terminal();
    terminal(terminal const&) = delete;
    terminal& operator=(terminal const&) = delete;

    [[nodiscard]] static screen_size size();
    void show(std::vector<line> const& lines);
    /// The next key, a change of the size, or `none` when the time is over or wake was called. A signal to end is quit.
    [[nodiscard]] key wait(std::chrono::milliseconds most);
    /// From another thread.
    void wake() noexcept;

private:
    bool colour_;
};

} // namespace recruiting::recruitctl::top
