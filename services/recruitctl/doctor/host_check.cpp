#include "recruitctl/doctor/host_check.hpp"

#include "zones/zone.hpp"

namespace recruiting::recruitctl::doctor {
namespace {

constexpr std::uintmax_t least_free = std::uintmax_t{1} << 30U;
constexpr std::uintmax_t mib = 1024 * 1024;

} // namespace

host_facts look_at_host(std::vector<std::filesystem::path> const& places) {
    host_facts out;
    for (auto const& place : places) {
        std::error_code error;
        auto const space = std::filesystem::space(place, error);
        if (!error && space.capacity > 0) out.disks.push_back({place.string(), space.available, space.capacity});
    }
    for (auto const* const zone : {"Europe/Berlin", "America/New_York", "Asia/Tokyo"})
        if (!zones::is_zone(zone)) out.missing_zones.emplace_back(zone);
    return out;
}

findings check_host(host_facts const& facts) {
    findings out;
    for (auto const& disk : facts.disks) {
        auto const text = disk.path + ": " + std::to_string(disk.free / mib) + " MiB of " +
                          std::to_string(disk.whole / mib) + " are free";
        if (disk.free < least_free && disk.free < disk.whole / 20)
            out.push_back(warning("host.disk", text, "make room: logs and mails in files are written there"));
        else out.push_back(ok("host.disk", text));
    }
    if (facts.missing_zones.empty()) out.push_back(ok("host.time-zones", "there"));
    else
        out.push_back(
            problem("host.time-zones",
                    "the time zone " + facts.missing_zones.front() + " is not known: interviews can't be placed",
                    "apt-get install tzdata"));
    return out;
}

} // namespace recruiting::recruitctl::doctor
