// recruitctl: what operators run. Every command is a row of a table (command.cpp lists them).
#include "core/settings.hpp"
#include "recruitctl/command.hpp"

#include <csignal>
#include <iostream>

int main(int argc, char** argv) {
    // A reader that goes away (`recruitctl … | head`) is a failed write, not a silent death in a transaction.
    std::signal(SIGPIPE, SIG_IGN);
    std::ios::sync_with_stdio(false);
    using namespace recruiting;
    std::vector<std::string> const words{argv + 1, argv + argc};
    return recruitctl::run(recruitctl::all_commands(), words, environment_settings(), std::cout, std::cerr,
                           recruitctl::installed_file);
}
