#include "recruitctl/doctor/redis_check.hpp"

#include "core/redact.hpp"
#include "core/text.hpp"
#include "recruitctl/doctor/database_check.hpp"
#include "recruitctl/doctor/installation.hpp"

namespace recruiting::recruitctl::doctor {
namespace {

constexpr int least_version = 7;

finding check_version(std::string const& version, std::string const& name) {
    auto const check = "versions." + name;
    auto const major = parse_number<int>(std::string_view(version).substr(0, version.find('.')));
    if (!major) return skipped(check, "it does not tell");
    if (*major >= least_version) return ok(check, version);
    return problem(check, "Redis " + version + " is older than 7", "upgrade Redis to 7 or later");
}

finding check_memory(redis_facts const& of, std::string const& name) {
    auto const check = name + ".memory";
    if (of.policy.empty()) return skipped(check, "this user may not run CONFIG GET", "ACL SETUSER … +config|get");
    if (of.policy == "noeviction") return ok(check, "nothing is evicted");
    auto const text = "maxmemory-policy is " + of.policy +
                      ": counts are thrown away when the memory is full, and "
                      "clients may pass their ceiling";
    auto const* const mend = "set maxmemory-policy noeviction in redis.conf, and CONFIG SET it";
    return of.maxmemory == "0" ? warning(check, text + " (it has no limit now)", mend) : problem(check, text, mend);
}

finding check_persistence(redis_facts const& of, std::string const& name) {
    auto const check = name + ".persistence";
    if (of.failed_writes == "err" && of.stop_writes == "yes")
        return problem(check, "the last snapshot failed, so Redis takes no writes: the gateway counts alone",
                       "make room on its disk, or CONFIG SET save \"\": counts live for minutes and need no snapshot");
    if (of.append_only == "yes" || !of.save.empty())
        return ok(check, "counts are also written to its disk; they need not be");
    return ok(check, "counts live in memory only, as they may");
}

} // namespace

findings check_redis(looked<redis_facts> const& facts, std::string const& name, std::string const& url) {
    auto const check = "reach." + name;
    if (url.empty()) return {skipped(check, "no RECRUITING_REDIS_URL is known here", "set it for recruitctl")};
    if (!facts.found)
        return {problem(check, redact_url(url) + ": " + facts.why,
                        "start Redis, or mend RECRUITING_REDIS_URL; until then the gateway counts alone")};
    auto const& of = *facts.found;
    findings out{ok(check, redact_url(url))};
    out.push_back(check_version(of.version, name));
    if (of.role != "master")
        out.push_back(problem(name + ".role", "it is a " + of.role + ": nothing can be counted there",
                              "name the master, or Sentinels (sentinel://…), in RECRUITING_REDIS_URL"));
    out.push_back(check_memory(of, name));
    out.push_back(check_persistence(of, name));
    auto const skew = check_clock({of.clock, {}}, name);
    out.insert(out.end(), skew.begin(), skew.end());
    return out;
}

} // namespace recruiting::recruitctl::doctor
