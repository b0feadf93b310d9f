// Files that settings name: read whole, and watched, as certificate renewals and mounted Kubernetes secrets replace
// them without a signal.
#pragma once
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace recruiting {

/// Reads a regular file into content. Returns what is wrong, such as "can't read /run/key: it is a folder", or nothing.
/// Never waits: a named pipe without a writer is refused like everything that is not a file.
[[nodiscard]] std::optional<std::string> read_file(std::string const& path, std::string& content);

/// What tells one state of a file from another; all zero: there is none. Kubernetes swaps a symbolic link: then the
/// inode differs.
struct file_mark {
    std::uint64_t device{0};
    std::uint64_t inode{0};
    std::int64_t size{0};
    std::int64_t changed{0}; // nanoseconds; of its owner and mode too: a key may become readable later
    bool operator==(file_mark const&) const = default;
};
using file_marks = std::vector<file_mark>;
[[nodiscard]] file_marks marks_of(std::vector<std::string> const& paths);

/// Detects a finished change: certificate and key are written one after the other, so a difference must be seen twice.
class change_detector {
public:
    explicit change_detector(file_marks at_start) : known_(at_start), last_(std::move(at_start)) {}
    /// True once for each change, when it is finished.
    [[nodiscard]] bool observe(file_marks seen);

private:
    file_marks known_;
    file_marks last_;
};

/// Notices that files were replaced, and calls changed from a thread of its own.
class file_watch {
public:
    file_watch(std::vector<std::string> paths, std::chrono::milliseconds interval, std::function<void()> changed);

private:
    void run(std::stop_token const& stop, change_detector& detector);

    std::vector<std::string> const paths_;
    std::chrono::milliseconds const interval_;
    std::function<void()> const changed_;
    std::mutex mutex_;
    std::condition_variable_any wake_;
    std::jthread thread_; // last: ends before what it uses
};

} // namespace recruiting
