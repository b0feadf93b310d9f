// One line on a terminal that tells how far an import or a load is and how fast; nothing at all elsewhere.
#pragma once
#include <chrono>
#include <cstdint>
#include <iosfwd>
#include <string>

namespace recruiting::recruitctl {

class import_progress {
public:
    /// total: what `at` counts to; 0: not known.
    import_progress(std::ostream& err, std::string noun, std::uint64_t total);
    ~import_progress() { clear(); }
    import_progress(import_progress const&) = delete;
    import_progress& operator=(import_progress const&) = delete;

    /// Cheap; draws at most five times a second.
    void show(std::uint64_t at, std::uint64_t records);
    void clear(); // before anything else is written to the terminal

private:
    std::ostream& err_;
    std::string noun_;
    std::uint64_t total_;
    bool terminal_;
    bool drawn_{false};
    std::chrono::steady_clock::time_point start_{std::chrono::steady_clock::now()};
    std::chrono::steady_clock::time_point last_{};
};

/// "[=====>    ]  52%  104,000 candidates  21,300/s"
[[nodiscard]] std::string progress_line(std::uint64_t at, std::uint64_t total, std::uint64_t records, double seconds,
                                        std::string const& noun);

} // namespace recruiting::recruitctl
