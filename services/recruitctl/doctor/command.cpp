// doctor: is this installation in order, and what mends it?
#include "recruitctl/command.hpp"
#include "core/text.hpp"
#include "recruitctl/commands/migrations.hpp"
#include "recruitctl/doctor/diagnose.hpp"
#include "recruitctl/doctor/finding.hpp"
#include "recruitctl/doctor/installation.hpp"
#include "recruitctl/output.hpp"

#include <array>
#include <iostream>
#include <unistd.h>

namespace recruiting::recruitctl {
namespace {

using namespace std::chrono_literals;
using doctor::check_status;

constexpr std::array<char const*, 9> own_names = {
    "RECRUITING_DATABASE_URL", "RECRUITING_REDIS_URL",      "RECRUITING_KEY_PEPPER_FILE",
    "RECRUITING_ENVIRONMENT",  "RECRUITING_MIGRATIONS_DIR", "RECRUITING_GATEWAY_URL",
    "RECRUITING_UP_DIR",       "RECRUITING_PUBLIC_URL",     "RECRUITING_CURSOR_SECRET_FILE"};

doctor::observed<std::vector<migration>> own_migrations(invocation const& call) {
    try {
        return {read_migrations(migrations_directory(call)), {}};
    } catch (std::exception const& error) {
        return {std::nullopt, error.what()};
    }
}

doctor::doctor_questions questions(invocation const& call) {
    doctor::doctor_questions out;
    auto const limit = parse_duration(call.find("--timeout").value_or("5s"));
    if (!limit || *limit < 100ms || *limit > 1min)
        throw usage_error("--timeout must be a duration from 100ms to 1m, such as 5s");
    out.limit = *limit;
    for (auto const* const name : own_names)
        if (auto const value = call.setting(name)) out.own.emplace(name, *value);
    out.own.emplace("RECRUITING_ENVIRONMENT", "test"); // recruitctl's own default
    out.where = installation_paths_of(call);
    out.migrations = own_migrations(call);
    for (std::size_t i = 0; i < doctor::program_names.size(); ++i)
        out.programs.given[i] = admin_ports(call, doctor::program_names[i]);
    out.programs.gateway_url = call.find("--url").value_or(call.setting("RECRUITING_GATEWAY_URL").value_or(""));
    out.programs.limit = *limit;
    return out;
}

int run_doctor(invocation& call) {
    auto const found = doctor::diagnose(questions(call));
    if (call.json()) print_json(call.out, doctor::to_json(found));
    else
        doctor::print_report(call.out, found,
                             &call.out == &std::cout && ::isatty(STDOUT_FILENO) == 1 && wants_colour());
    bool const wrong =
        count(found, check_status::problem) > 0 || (call.has("--strict") && count(found, check_status::warning) > 0);
    return wrong ? failed : done;
}

} // namespace

std::vector<command> doctor_commands() {
    return {{"doctor",
             "Check the installation and report problems with their fixes. Changes nothing.",
             {{"--strict", "", "exit with 1 for warnings too"},
              {"--timeout", "DURATION", "timeout of each check (5s); checks run in parallel"},
              {"--config-dir", "DIRECTORY", "folder of the programs' settings (/etc/recruiting)"},
              {"--run-dir", "DIRECTORY", "run directory of scripts/up, used instead (set by its env file)"},
              {"--url", "URL", "the gateway's URL for clients (RECRUITING_GATEWAY_URL, else its settings)"},
              {"--gateway", "HOST:PORT", "admin addresses of gateways on other hosts", false, true},
              {"--auth-api", "HOST:PORT", "admin addresses of auth-api instances on other hosts", false, true},
              {"--public-api", "HOST:PORT", "admin addresses of public-api instances on other hosts", false, true}},
             run_doctor,
             "Run it as root on the programs' host: it reads their settings and secrets, and shows no secret. On "
             "another host\n"
             "it checks what it can reach and reports the rest as skipped, which does not mean ok.\n"
             "Exit code 0: no problem; 1: a problem."}};
}

} // namespace recruiting::recruitctl
