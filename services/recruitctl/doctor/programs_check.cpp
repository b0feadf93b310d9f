#include "recruitctl/doctor/programs_check.hpp"

#include "core/text.hpp"

#include <algorithm>
#include <boost/json.hpp>
#include <set>

namespace recruiting::recruitctl::doctor {
namespace {

// Of a readiness answer: what is not "ok", as "redis: unavailable".
std::string unready(std::string const& body) {
    boost::system::error_code error;
    auto const document = boost::json::parse(body, error);
    auto const* const whole = error ? nullptr : document.if_object();
    auto const* const checks = whole == nullptr ? nullptr : whole->if_contains("checks");
    if (checks == nullptr || !checks->is_object()) return {};
    std::string out;
    for (auto const& [name, state] : checks->get_object()) {
        if (!state.is_string() || state.get_string() == "ok") continue;
        out.append(out.empty() ? "" : ", ").append(name).append(": ").append(state.get_string());
    }
    return out;
}

finding check_instance(installation const& of, instance_facts const& one) {
    auto const check = "reach." + one.program;
    auto const where = "its admin port " + one.address;
    auto const& program = of.program(one.program);
    if (one.health.status != 200) {
        auto const failure = one.health.status == 0 ? one.health.why : "status " + std::to_string(one.health.status);
        return problem(check, where + ": " + failure,
                       program.here || program.broken
                           ? of.restart(one.program) + "; its log has the reason"
                           : "start it, or name its admin address (--" + one.program + " HOST:PORT)");
    }
    auto const missing = unready(one.ready.body);
    if (one.ready.status != 200)
        return problem(check, "not ready at " + one.address + (missing.empty() ? "" : ": " + missing),
                       "fix the dependency it waits for; the program recovers by itself");
    if (!missing.empty())
        return warning(check, "ready at " + one.address + ", but " + missing,
                       "fix the unavailable dependency; the program recovers by itself");
    return ok(check, "ready at " + one.address);
}

std::string running_version(instance_facts const& one) {
    if (one.metrics.status != 200) return {};
    for (auto const& sample : scrape::parse(one.metrics.body).what.samples)
        if (sample.name == "recruiting_build_info") return std::string(sample.label("version"));
    return {};
}

std::string number_of(std::string const& output) { // "recruiting-gateway 0.1.0\n"
    auto const line = trim(std::string_view(output).substr(0, output.find('\n')));
    return std::string(line.substr(line.find_last_of(' ') + 1));
}

} // namespace

findings check_instances(installation const& of, programs_facts const& facts) {
    findings out;
    for (auto const* const name : program_names) {
        bool asked = false;
        for (auto const& one : facts.instances) {
            if (one.program != name) continue;
            asked = true;
            out.push_back(check_instance(of, one));
        }
        if (!asked)
            out.push_back(skipped(std::string("reach.") + name, "not installed here",
                                  std::string("on its host, or with --") + name + " HOST:PORT, its admin address"));
    }
    return out;
}

findings check_gateway_probes(programs_facts const& facts) {
    if (facts.gateway_probes.empty())
        return {skipped("reach.through", facts.no_probe_reason, "--url URL, where clients reach the gateway")};
    findings out;
    for (auto const& one : facts.gateway_probes) {
        auto const check = "reach.through-to-" + one.service;
        auto const status = one.answer.status;
        if (status == 200) out.push_back(ok(check, one.url));
        else if (status == 429)
            out.push_back(
                skipped(check, one.url + ": this address has exceeded its rate limit (429)", "try again in a minute"));
        else if (status == 0)
            out.push_back(problem(check, one.url + ": " + one.answer.why,
                                  "start the gateway, or fix its listening address and certificate"));
        else
            out.push_back(problem(check, one.url + ": status " + std::to_string(status),
                                  "let RECRUITING_GATEWAY_" +
                                      std::string(one.service == "auth-api" ? "AUTH_API" : "PUBLIC_API") +
                                      " name where " + one.service + " listens, and start that"));
    }
    return out;
}

findings check_others(programs_facts const& facts) {
    findings out;
    for (auto const& one : facts.others) {
        auto const status = one.answer.status;
        if (status == 0) out.push_back(problem(one.check, one.url + ": " + one.answer.why, one.fix));
        else if (status == 401 || status == 403)
            out.push_back(problem(one.check, one.url + ": status " + std::to_string(status),
                                  "the configured API key is rejected; " + one.fix));
        else if (status >= 500 || status == 404)
            out.push_back(warning(one.check, one.url + ": status " + std::to_string(status), one.fix));
        else out.push_back(ok(one.check, one.url));
    }
    return out;
}

findings check_versions(installation const& of, programs_facts const& facts, std::string_view own,
                        std::array<std::string, 3> const& binaries) {
    findings out{ok("versions.recruitctl", std::string(own))};
    for (std::size_t i = 0; i < program_names.size(); ++i) {
        std::string const name = program_names[i];
        auto const check = "versions." + name;
        auto const installed = number_of(binaries[i]);
        std::set<std::string> running;
        for (auto const& one : facts.instances)
            if (auto version = one.program == name ? running_version(one) : std::string(); !version.empty())
                running.insert(std::move(version));
        if (running.empty() && installed.empty()) {
            out.push_back(skipped(check, "the program neither runs nor is installed here"));
            continue;
        }
        auto const restart = of.restart(name);
        if (running.size() > 1)
            out.push_back(warning(check, "its instances run " + *running.begin() + " and " + *running.rbegin(),
                                  "finish the upgrade: " + restart));
        else if (!running.empty() && !installed.empty() && *running.begin() != installed)
            out.push_back(warning(check, "runs " + *running.begin() + ", but " + installed + " is installed", restart));
        else if (auto const known = running.empty() ? installed : *running.begin(); known != own)
            out.push_back(
                warning(check, known + ", but recruitctl is " + std::string(own), "install the same version of both"));
        else out.push_back(ok(check, known));
    }
    return out;
}

std::optional<timestamp> first_expiry(programs_facts const& facts) {
    constexpr double end_of_time = 253'402'300'800; // of RFC 5280's: the year 9999. It must fit into a timestamp
    std::optional<timestamp> first;
    for (auto const& one : facts.instances) {
        if (one.program != "gateway" || one.metrics.status != 200) continue;
        for (auto const& sample : scrape::parse(one.metrics.body).what.samples) {
            if (sample.name != "recruiting_gateway_tls_certificate_expiry_timestamp_seconds" ||
                sample.label("certificate") != "listener" || !(sample.value > 0 && sample.value < end_of_time))
                continue;
            timestamp const at{std::chrono::seconds(static_cast<std::int64_t>(sample.value))};
            first = std::min(first.value_or(at), at);
        }
    }
    return first;
}

std::optional<double> metric_of(programs_facts const& facts, std::string_view program, std::string_view metric) {
    std::optional<double> sum;
    for (auto const& one : facts.instances) {
        if (one.program != program || one.metrics.status != 200) continue;
        if (auto const value = scrape::sum_of(scrape::parse(one.metrics.body).what, metric))
            sum = sum.value_or(0) + *value;
    }
    return sum;
}

} // namespace recruiting::recruitctl::doctor
