#include "recruitctl/command.hpp"
#include "support/catch.hpp"

#include <filesystem>
#include <fstream>
#include <sstream>
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
    auto const values = configured({}, {{"RECRUITING_ENVIRONMENT", "test"}}, installed.path);
    REQUIRE(values == settings{{"RECRUITING_DATABASE_URL", "host=a"}, {"RECRUITING_ENVIRONMENT", "test"}});
}

TEST_CASE("option --config names another file, before the command", "[recruitctl][configuration]") {
    file const named("RECRUITING_DATABASE_URL=host=b\n");
    std::vector<command> const commands{{"migrate", "Migrate.", {}, [](invocation& call) {
                                             call.out << call.setting("RECRUITING_DATABASE_URL").value_or("none");
                                             return static_cast<int>(done);
                                         }}};
    for (auto const& words : {std::vector<std::string>{"--config", named.path, "migrate"},
                              std::vector<std::string>{"--config=" + named.path, "migrate"}}) {
        std::ostringstream out;
        std::ostringstream err;
        REQUIRE(run(commands, words, {}, out, err, "/nonexistent") == done);
        REQUIRE(out.str() == "host=b");
    }
    for (auto const& words :
         {std::vector<std::string>{"--config", "/nonexistent", "migrate"}, std::vector<std::string>{"--config"},
          std::vector<std::string>{"--config="}, std::vector<std::string>{"--config", "", "migrate"}}) {
        std::ostringstream out;
        std::ostringstream err;
        REQUIRE(run(commands, words, {}, out, err, "/nonexistent") == usage);
        REQUIRE(out.str().empty());
    }
}

TEST_CASE("without a file there is the environment, a named one must be there", "[recruitctl][configuration]") {
    REQUIRE(configured({}, {{"RECRUITING_ENVIRONMENT", "test"}}, "/nonexistent").size() == 1);
    REQUIRE_THROWS_AS(configured("/nonexistent", {}, "/nonexistent"), usage_error);
    REQUIRE_THROWS_AS(configured("", {}, "/nonexistent"), usage_error);
}

} // namespace configuration_test
