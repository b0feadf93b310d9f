// This host: room on its disks, and time zones.
#pragma once
#include "recruitctl/doctor/finding.hpp"

#include <cstdint>
#include <filesystem>

namespace recruiting::recruitctl::doctor {

struct host_facts {
    struct disk {
        std::string path;
        std::uintmax_t free{0}, whole{0};
    };
    std::vector<disk> disks;
    std::vector<std::string> missing_zones; // of a few that everybody needs
};
[[nodiscard]] host_facts look_at_host(std::vector<std::filesystem::path> const& places);
[[nodiscard]] findings check_host(host_facts const& facts);

} // namespace recruiting::recruitctl::doctor
