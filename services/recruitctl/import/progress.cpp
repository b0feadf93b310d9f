#include "recruitctl/import/progress.hpp"

#include "recruitctl/import/report.hpp"

#include <algorithm>
#include <iostream>
#include <unistd.h>

namespace recruiting::recruitctl {

import_progress::import_progress(std::ostream& err, std::string noun, std::uint64_t total)
    : err_(err), noun_(std::move(noun)), total_(total), terminal_(&err == &std::cerr && ::isatty(STDERR_FILENO) == 1) {}

void import_progress::show(std::uint64_t at, std::uint64_t records) {
    if (!terminal_) return;
    auto const now = std::chrono::steady_clock::now();
    if (now - last_ < std::chrono::milliseconds(200)) return;
    last_ = now;
    std::chrono::duration<double> const taken = now - start_;
    err_ << '\r' << progress_line(at, total_, records, taken.count(), noun_) << "\x1b[K" << std::flush;
    drawn_ = true;
}

void import_progress::clear() {
    if (drawn_) err_ << "\r\x1b[K" << std::flush;
    drawn_ = false;
}

std::string progress_line(std::uint64_t at, std::uint64_t total, std::uint64_t records, double seconds,
                          std::string const& noun) {
    constexpr std::uint64_t width = 30;
    std::string line;
    if (total > 0) {
        auto const filled = std::min(at, total) * width / total;
        auto const percent = std::to_string(std::min(at, total) * 100 / total);
        line += '[' + std::string(filled, '=') + (filled < width ? ">" : "") +
                std::string(width - std::min(width, filled + 1), ' ') + "] " + std::string(3 - percent.size(), ' ') +
                percent + "%  ";
    }
    line += with_commas(records) + ' ' + noun;
    if (seconds > 0)
        line += "  " + with_commas(static_cast<std::uint64_t>(static_cast<double>(records) / seconds)) + "/s";
    return line;
}

} // namespace recruiting::recruitctl
