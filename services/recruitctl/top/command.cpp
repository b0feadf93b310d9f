// top: a live view of the edge and the services.
#include "core/text.hpp"
#include "core/time.hpp"
#include "recruitctl/commands.hpp"
#include "recruitctl/doctor/places.hpp"
#include "recruitctl/output.hpp"
#include "recruitctl/top/layout.hpp"
#include "recruitctl/top/live.hpp"
#include "recruitctl/top/summary.hpp"

#include <algorithm>
#include <clocale>
#include <cstdlib>
#include <iostream>
#include <langinfo.h>
#include <system_error>
#include <thread>
#include <unistd.h>

namespace recruiting::recruitctl {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t columns_of_text = 120;

// As options say; else as the installation here, or its usual ports.
std::vector<top::target> targets_of(invocation const& call) {
    std::vector<top::target> out;
    for (auto const* const name : doctor::program_names)
        for (auto const& address : admin_ports(call, name)) out.push_back({name, address});
    if (!out.empty()) return out;
    auto const here = doctor::find_installation(places_of(call), {});
    for (auto const& program : here.programs) out.push_back({program.name, doctor::admin_address(program)});
    return out;
}

bool speaks_utf8() {
    std::setlocale(LC_CTYPE, "");
    return std::string_view(::nl_langinfo(CODESET)) == "UTF-8";
}

// no-color.org
bool wants_colour() {
    auto const* const refused = std::getenv("NO_COLOR");
    return refused == nullptr || *refused == '\0';
}

bool has_screen() {
    auto const* const kind = std::getenv("TERM");
    bool const moves_cursor = kind != nullptr && std::string_view(kind) != "dumb";
    return moves_cursor && ::isatty(STDIN_FILENO) == 1 && ::isatty(STDOUT_FILENO) == 1;
}

int print_once(invocation& call, std::vector<top::target> const& targets, std::chrono::milliseconds interval) {
    auto const limit = std::min<std::chrono::milliseconds>(interval, 5s);
    auto const before = top::look_at(targets, limit);
    std::this_thread::sleep_for(interval);
    auto const figures = top::summarize(before, top::look_at(targets, limit));
    if (call.json()) {
        print_json(call.out, top::to_json(figures));
    } else {
        top::view as;
        as.columns = columns_of_text;
        as.utf8 = speaks_utf8();
        as.now = top::clock_text();
        as.interval = format_duration(interval);
        top::history past;
        if (auto const total = total_rate(figures)) past.push_back(*total);
        call.out << top::to_text(lay_out(figures, past, as));
    }
    bool const all_up = std::ranges::all_of(figures, &top::instance_figures::up);
    return all_up ? done : failed;
}

int run_top(invocation& call) {
    auto const interval = parse_duration(call.find("--interval").value_or("2s"));
    if (!interval || *interval < 100ms || *interval > 1h)
        throw usage_error("--interval must be a duration from 100ms to 1h, such as 2s");
    auto const targets = targets_of(call);
    bool const live = &call.out == &std::cout && has_screen();
    if (call.has("--once") || call.json() || !live) return print_once(call, targets, *interval);
    top::show_live({targets, *interval, wants_colour(), speaks_utf8()});
    return done;
}

} // namespace

std::vector<command> top_commands() {
    return {{"top",
             "Watch the edge and the services live: requests, times, refusals, queues.",
             "",
             {{"--interval", "DURATION", "between two looks (2s)"},
              {"--once", "", "print one frame as text, of two looks; so it is without a terminal"},
              {"--gateway", "HOST:PORT", "admin ports of gateways", false, true},
              {"--auth-api", "HOST:PORT", "admin ports of auth-apis", false, true},
              {"--public-api", "HOST:PORT", "admin ports of public-apis", false, true},
              {"--config-dir", "DIRECTORY", "where the programs' settings are (/etc/recruiting)"},
              {"--run-dir", "DIRECTORY", "a run directory of scripts/up instead (set by its env file)"}},
             run_top,
             "Without addresses, the programs of this host. Several instances of one program are added up where that\n"
             "makes sense. Keys: q quit, p pause, s sort, ? help. With --once or --json exit code 1: one is away."}};
}

} // namespace recruiting::recruitctl
