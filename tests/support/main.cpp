// The main of every test program: quiet logs, whatever the code under test has to say.
#if __has_include(<catch2/catch_session.hpp>)
#include <catch2/catch_session.hpp>
#else
#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>
#endif
#include "core/log.hpp"

#include <csignal>

int main(int argc, char* argv[]) {
    std::signal(SIGPIPE, SIG_IGN); // as the programs do
    recruiting::log::configure("tests", {recruiting::log::level::error});
    return Catch::Session().run(argc, argv);
}
