// doctor: is this installation in order, and what mends it?
#include "recruitctl/command.hpp"
#include "core/text.hpp"
#include "recruitctl/doctor/check.hpp"
#include "recruitctl/output.hpp"

#include <iostream>
#include <unistd.h>

namespace recruiting::recruitctl {
namespace {

using namespace std::chrono_literals;
using doctor::verdict;

std::vector<endpoint> admin_ports(invocation const& call, std::string const& program) {
    auto const option = "--" + program;
    std::vector<endpoint> out;
    for (auto const& text : call.list(option)) {
        auto const where = parse_endpoint(text);
        if (!where) throw usage_error(option + " must be HOST:PORT or unix:/path, of the admin port");
        out.push_back(*where);
    }
    return out;
}

doctor::site site_of(invocation const& call) {
    auto const up = call.setting("RECRUITING_UP_DIR"); // a run directory of scripts/up
    settings own{{"RECRUITING_ENVIRONMENT", "test"}};  // recruitctl's own default
    for (auto const* const name :
         {"RECRUITING_DATABASE_URL", "RECRUITING_REDIS_URL", "RECRUITING_REDIS_CA_FILE", "RECRUITING_REDIS_CERTIFICATE",
          "RECRUITING_ENVIRONMENT", "RECRUITING_KEY_PEPPER_FILE"})
        if (auto const value = call.setting(name)) own.insert_or_assign(name, *value);
    doctor::site out(call.find("--config-dir").value_or(up.value_or("/etc/recruiting")), std::move(own));
    if (up && !call.has("--config-dir")) { // where scripts/up starts them
        out.working = *up;
        for (auto& program : out.programs) program.working = *up;
    }
    out.limit = call.duration("--timeout", "5s");
    if (out.limit < 100ms || out.limit > 1min) throw usage_error("--timeout must be from 100ms to 1m");
    for (auto& program : out.programs) program.admin_given = admin_ports(call, program.name);
    out.gateway_url = call.find("--url").value_or(call.setting("RECRUITING_GATEWAY_URL").value_or(""));
    try {
        out.migrations = read_migrations(migrations_directory(call));
    } catch (std::exception const& error) {
        out.no_migrations = error.what();
    }
    return out;
}

int run_doctor(invocation& call) {
    auto const found = doctor::diagnose(site_of(call));
    if (call.json()) print_json(call.out, doctor::to_json(found));
    else
        doctor::print_report(call.out, found,
                             &call.out == &std::cout && ::isatty(STDOUT_FILENO) == 1 && wants_colour());
    bool const wrong =
        count(found, verdict::problem) > 0 || (call.has("--strict") && count(found, verdict::warning) > 0);
    return wrong ? failed : done;
}

std::string details() {
    std::string out = "Run it as root on the programs' host: it reads their settings, and shows no secret. On another "
                      "host\nit checks what it can reach and reports the rest as skipped, which does not mean ok.\n"
                      "Exit code 0: no problem; 1: a problem.\n\nThe checks:";
    for (auto const& one : doctor::all_checks()) {
        std::string name(one.name);
        name.resize(std::max<std::size_t>(name.size(), 29), ' ');
        out += "\n  " + name + doctor::named(one.question, one);
    }
    return out;
}

} // namespace

std::vector<command> doctor_commands() {
    return {{"doctor",
             "Check the installation and report problems with their fixes. Changes nothing.",
             {{"--strict", "", "exit with 1 for warnings too"},
              {"--timeout", "DURATION", "timeout of each check (5s); checks run in parallel"},
              {"--config-dir", "DIRECTORY", "folder of the programs' settings (/etc/recruiting, or RECRUITING_UP_DIR)"},
              {"--url", "URL", "the gateway's URL for clients (RECRUITING_GATEWAY_URL, else its settings)"},
              {"--gateway", "HOST:PORT", "admin addresses of gateways on other hosts", false, true},
              {"--auth-api", "HOST:PORT", "admin addresses of auth-api instances on other hosts", false, true},
              {"--public-api", "HOST:PORT", "admin addresses of public-api instances on other hosts", false, true}},
             run_doctor,
             details()}};
}

} // namespace recruiting::recruitctl
