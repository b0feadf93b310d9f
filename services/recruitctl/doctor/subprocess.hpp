// Runs a program to its end, with a bound on its time and on what it says.
#pragma once
#include <chrono>
#include <map>
#include <string>
#include <vector>

namespace recruiting::recruitctl::doctor {

struct ended_program {
    int code{-1};     // -1: it could not be started, was killed, or took too long; then why says so
    std::string said; // standard output and error together, cut at 64 KiB
    std::string why;
};

/// environment is all that it gets. Killed when it takes longer than the limit.
[[nodiscard]] ended_program run_program(std::string const& path, std::vector<std::string> const& arguments,
                                        std::map<std::string, std::string> const& environment,
                                        std::chrono::milliseconds limit);

} // namespace recruiting::recruitctl::doctor
