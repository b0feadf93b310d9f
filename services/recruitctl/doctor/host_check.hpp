// This host: free space on its disks, time zones, and the gateway's certificates.
#pragma once
#include "core/time.hpp"
#include "recruitctl/doctor/installation.hpp"

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
[[nodiscard]] host_facts read_host(std::vector<std::filesystem::path> const& paths);
[[nodiscard]] findings check_host(host_facts const& facts);

// The gateway's certificates: readable, with their own keys, not near their end, and for the name that browsers use.

struct certificate_facts {
    std::string check; // "certificates.gateway"
    std::string file;
    std::string wrong; // empty: readable, and the key is its own
    timestamp expires;
    bool serves_public_host{true};
};
struct certificates_facts {
    std::vector<certificate_facts> each;
    std::string public_host; // that one of them should name; empty: none is known
    timestamp now;
};
[[nodiscard]] certificates_facts read_certificates(installation const& of, timestamp now);

/// served: when the first certificate that the running gateway uses expires, by its metrics.
[[nodiscard]] findings check_certificates(installation const& of, certificates_facts const& facts,
                                          std::optional<timestamp> served);

} // namespace recruiting::recruitctl::doctor
