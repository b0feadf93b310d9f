#include "core/file_watch.hpp"

#include <stop_token>
#include <sys/stat.h>

namespace recruiting {

file_marks look_at(std::vector<std::string> const& paths) {
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

bool change_detector::look(file_marks seen) {
    bool const settled = seen == last_;
    last_ = std::move(seen);
    if (!settled || last_ == known_) return false;
    known_ = last_;
    return true;
}

file_watch::file_watch(std::vector<std::string> paths, std::chrono::milliseconds interval,
                       std::function<void()> changed)
    : paths_(std::move(paths)), interval_(interval), changed_(std::move(changed)),
      thread_([this, detector = change_detector(look_at(paths_))](std::stop_token const& stop) mutable {
          run(stop, detector);
      }) {}

void file_watch::run(std::stop_token const& stop, change_detector& detector) {
    std::unique_lock lock(mutex_);
    while (!stop.stop_requested()) {
        wake_.wait_for(lock, stop, interval_, [] { return false; });
        if (!stop.stop_requested() && detector.look(look_at(paths_))) changed_();
    }
}

} // namespace recruiting
