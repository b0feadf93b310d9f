#include "recruitctl/configuration.hpp"
#include "support/catch.hpp"

#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace configuration_test {
using namespace recruiting::recruitctl;

namespace {

struct file {
    std::string path = std::filesystem::temp_directory_path() / ("recruitctl-" + std::to_string(::getpid()) + ".conf");

    explicit file(std::string_view content) { std::ofstream(path) << content; }
    ~file() { std::filesystem::remove(path); }
    file(file const&) = delete;
    file& operator=(file const&) = delete;
};

} // namespace

TEST_CASE("recruitctl reads the installed file, and the environment wins", "[recruitctl][configuration]") {
    file const installed("# a comment\nRECRUITING_DATABASE_URL=\"host=a\"\nRECRUITING_ENVIRONMENT=live\n");
    std::vector<std::string> arguments{"member", "list"};
    auto const values = configured(arguments, {{"RECRUITING_ENVIRONMENT", "test"}}, installed.path);
    REQUIRE(values == settings{{"RECRUITING_DATABASE_URL", "host=a"}, {"RECRUITING_ENVIRONMENT", "test"}});
    REQUIRE(arguments == std::vector<std::string>{"member", "list"});
}

TEST_CASE("--config names another file and is taken off the arguments", "[recruitctl][configuration]") {
    file const named("RECRUITING_DATABASE_URL=host=b\n");
    for (auto arguments : {std::vector<std::string>{"--config", named.path, "migrate"},
                           std::vector<std::string>{"--config=" + named.path, "migrate"}}) {
        auto const values = configured(arguments, {}, "/nonexistent");
        REQUIRE(values == settings{{"RECRUITING_DATABASE_URL", "host=b"}});
        REQUIRE(arguments == std::vector<std::string>{"migrate"});
    }
}

TEST_CASE("without a file there is the environment; a named one must be there", "[recruitctl][configuration]") {
    std::vector<std::string> none{"migrate"};
    REQUIRE(configured(none, {{"RECRUITING_ENVIRONMENT", "test"}}, "/nonexistent").size() == 1);
    for (auto arguments : {std::vector<std::string>{"--config", "/nonexistent"}, std::vector<std::string>{"--config"},
                           std::vector<std::string>{"--config="}})
        REQUIRE_THROWS_AS(configured(arguments, {}, "/nonexistent"), usage_error);
}

} // namespace configuration_test
