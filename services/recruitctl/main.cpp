// recruitctl: what operators run. Every command is a row of a table (commands.cpp).
#include "core/settings.hpp"
#include "recruitctl/commands.hpp"
#include "recruitctl/configuration.hpp"
#include "recruitctl/run.hpp"

#include <csignal>
#include <iostream>

int main(int argc, char** argv) {
    // A reader that goes away (`recruitctl … | head`) is a failed write, not a silent death in a transaction.
    std::signal(SIGPIPE, SIG_IGN);
    std::ios::sync_with_stdio(false);
    using namespace recruiting;
    std::vector<std::string> arguments{argv + 1, argv + argc};
    try {
        auto const values = recruitctl::configured(arguments, environment_settings());
        return recruitctl::run(recruitctl::all_commands(), arguments, values, std::cout, std::cerr);
    } catch (recruitctl::usage_error const& error) {
        std::cerr << "recruitctl: " << error.what() << "\nSee recruitctl --help\n";
        return recruitctl::usage;
    }
}
