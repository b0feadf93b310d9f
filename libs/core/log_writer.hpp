// Writes lines to a descriptor on a thread of its own, so that a reader that has stopped reading stops no one else. The
// descriptor stays blocking: its open file description is shared with other processes.
#pragma once
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace recruiting::log {

class log_writer {
public:
    /// The line, with its newline, that reports how many lines were dropped before it.
    using drop_report = std::string (*)(std::uint64_t lines);

    /// The writer keeps a duplicate of the descriptor: the caller may close its own at any time.
    /// most_waiting: bytes kept while the reader does not read; further lines are dropped whole.
    log_writer(int descriptor, std::size_t most_waiting, drop_report report);
    /// Does not wait: lines not written yet may be lost (see flush).
    ~log_writer();
    log_writer(log_writer const&) = delete;
    log_writer& operator=(log_writer const&) = delete;

    /// Whole lines; those of one call stay together and in order. Never waits for the reader. Any thread.
    void put(std::string_view lines) noexcept;
    /// Waits until everything put so far is written, at most so long. False: it is not.
    bool flush(std::chrono::milliseconds at_most) noexcept;
    /// Lines that were dropped because too many waited, or because they could not be written.
    [[nodiscard]] std::uint64_t dropped() const noexcept;

private:
    struct state;
    std::shared_ptr<state> state_;
};

} // namespace recruiting::log
