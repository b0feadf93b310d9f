// The terminal of recruitctl top: its whole screen for a while, keys one by one, and everything as it was afterwards,
// however the program ends. ECMA-48 sequences, which every terminal of today understands; no terminfo is needed, so it
// works in a container that holds nothing else (proto-docs/decisions/0064).
#pragma once
#include "recruitctl/top/styled.hpp"

#include <chrono>
#include <optional>

namespace recruiting::recruitctl::top {

enum class key { none, quit, pause, sort, help, up, down, resized, other };
/// What these bytes of a terminal mean, the first key of them. Pure.
[[nodiscard]] key meaning_of(std::string_view bytes) noexcept;

struct screen_size {
    std::size_t columns{80}, rows{24};
};

/// One frame as bytes. Pure.
[[nodiscard]] std::string render(std::vector<line> const& lines, bool colour);

/// One at a time.
class terminal {
public:
    /// Throws std::system_error when standard input or output is no terminal.
    terminal();
    ~terminal();
    terminal(terminal const&) = delete;
    terminal& operator=(terminal const&) = delete;

    [[nodiscard]] static screen_size size();
    void show(std::vector<line> const& lines, bool colour);
    /// The next key, a change of the size, or `none` when the time is over or wake was called. A signal to end is quit.
    [[nodiscard]] key wait(std::chrono::milliseconds most);
    /// From another thread.
    void wake() noexcept;
};

} // namespace recruiting::recruitctl::top
