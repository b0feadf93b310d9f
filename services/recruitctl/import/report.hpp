// What an import did: counts, and bad lines with their reasons. Standard error gets the first few of each kind of
// problem as they come; the summary gets them all up to a cap, so that a hopeless file fills no disk.
#pragma once
#include "recruitctl/import/record.hpp"

#include <chrono>
#include <cstdint>
#include <iosfwd>
#include <map>
#include <optional>
#include <string>

namespace recruiting::recruitctl {

class import_report {
public:
    static constexpr std::uint64_t shown_per_kind = 10;
    static constexpr std::size_t kept_lines = 1000;

    explicit import_report(std::ostream& err) : err_(err) {}

    void bad(bad_line const& line);
    /// How many problems of each kind standard error was spared.
    void finish();
    /// The summary as one JSON object.
    [[nodiscard]] std::string json(import_kind kind, std::string_view organization) const;
    [[nodiscard]] std::string sentence(import_kind kind) const;

    std::uint64_t read{0};
    std::int64_t inserted{0};
    std::int64_t updated{0};
    std::int64_t unchanged{0};
    std::uint64_t bad_lines{0};
    bool kept{true};     // false: --strict met a bad line and everything was rolled back
    bool dry_run{false}; // the counts say what an import would have done
    double seconds{0};
    std::string_view unit{"line"}; // what a bad line's number counts
    /// From a job board's document: external ids of open jobs that it no longer has, and whether they were closed.
    std::optional<std::vector<std::string>> missing;
    bool missing_closed{false};

private:
    std::ostream& err_;
    std::map<std::string, std::uint64_t> kinds_; // "email: must be an e-mail address" → how often
    std::vector<bad_line> first_;
};

/// 1234567 → "1,234,567"
[[nodiscard]] std::string with_commas(std::uint64_t number);

// One line on a terminal that tells how far an import or a load is and how fast; nothing at all elsewhere.

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
