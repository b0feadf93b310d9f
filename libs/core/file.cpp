#include "core/file.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <stop_token>
#include <sys/stat.h>
#include <unistd.h>

namespace recruiting {
namespace {

std::string refusal(std::string const& path, std::string const& why) { return "can't read " + path + ": " + why; }

struct descriptor {
    explicit descriptor(std::string const& path) : number(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {}
    ~descriptor() {
        if (number >= 0) ::close(number);
    }
    descriptor(descriptor const&) = delete;
    descriptor& operator=(descriptor const&) = delete;
    int number;
};

} // namespace

std::optional<std::string> read_file(std::string const& path, std::string& content) {
    content.clear();
    descriptor const file(path);
    struct stat status {};
    if (file.number < 0 || ::fstat(file.number, &status) != 0) return refusal(path, std::strerror(errno));
    if (S_ISDIR(status.st_mode)) return refusal(path, "it is a folder");
    if (!S_ISREG(status.st_mode)) return refusal(path, "it is not a file");
    std::array<char, 16 * 1024> piece{};
    for (;;) {
        auto const size = ::read(file.number, piece.data(), piece.size());
        if (size < 0 && errno == EINTR) continue;
        if (size < 0) return refusal(path, std::strerror(errno));
        if (size == 0) return std::nullopt;
        content.append(piece.data(), static_cast<std::size_t>(size));
    }
}

file_marks marks_of(std::vector<std::string> const& paths) {
    file_marks out;
    for (auto const& path : paths) {
        struct stat found {};
        auto& mark = out.emplace_back();
        if (::stat(path.c_str(), &found) != 0) continue;
        mark = {found.st_dev, found.st_ino, found.st_size,
                std::int64_t{found.st_ctim.tv_sec} * 1'000'000'000 + found.st_ctim.tv_nsec};
    }
    return out;
}

bool change_detector::observe(file_marks seen) {
    bool const unchanged = seen == last_;
    last_ = std::move(seen);
    if (!unchanged || last_ == known_) return false;
    known_ = last_;
    return true;
}

file_watch::file_watch(std::vector<std::string> paths, std::chrono::milliseconds interval,
                       std::function<void()> changed)
    : paths_(std::move(paths)), interval_(interval), changed_(std::move(changed)),
      thread_([this, detector = change_detector(marks_of(paths_))](std::stop_token const& stop) mutable {
          run(stop, detector);
      }) {}

void file_watch::run(std::stop_token const& stop, change_detector& detector) {
    std::unique_lock lock(mutex_);
    while (!stop.stop_requested()) {
        wake_.wait_for(lock, stop, interval_, [] { return false; });
        if (!stop.stop_requested() && detector.observe(marks_of(paths_))) changed_();
    }
}

} // namespace recruiting
