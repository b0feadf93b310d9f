#include "core/settings.hpp"
#include "core/text.hpp"
#include "support/catch.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <unistd.h>

namespace settings_test {
using namespace recruiting;

namespace {

struct sample {
    std::int64_t number{5};
    endpoint where{"127.0.0.1", 80, {}};
    std::vector<ip_network> networks;
    std::chrono::milliseconds pause{1000};
    std::string secret;
    settings_reader reader{"recruiting-sample", "a sample", "RECRUITING_SAMPLE_"};

    sample() {
        reader.number("RECRUITING_SAMPLE_NUMBER", number, 1, 10, "A number.");
        reader.address("RECRUITING_SAMPLE_LISTEN", where, "An address.");
        reader.networks("RECRUITING_SAMPLE_NETWORKS", networks, "Networks.");
        reader.duration("RECRUITING_SAMPLE_PAUSE", pause, std::chrono::milliseconds{10}, std::chrono::hours{1},
                        "A pause.");
        reader.secret_file("RECRUITING_SAMPLE_SECRET_FILE", secret, 32, "A secret.");
    }
};

} // namespace

TEST_CASE("good settings reach their place, the rest keep their defaults", "[core][settings]") {
    sample s;
    REQUIRE(s.reader
                .apply({{"RECRUITING_SAMPLE_NUMBER", "7"},
                        {"RECRUITING_SAMPLE_LISTEN", "[::1]:8080"},
                        {"RECRUITING_SAMPLE_NETWORKS", "10.0.0.0/8, ::1"}})
                .empty());
    REQUIRE(s.number == 7);
    REQUIRE(s.where == endpoint{"::1", 8080, {}});
    REQUIRE(s.networks.size() == 2);
    REQUIRE(s.pause == std::chrono::seconds{1});
}

TEST_CASE("every wrong setting is told at once, and unknown names of ours", "[core][settings]") {
    sample s;
    auto const problems = s.reader.apply({{"RECRUITING_SAMPLE_NUMBER", "11"},
                                          {"RECRUITING_SAMPLE_LISTEN", "somewhere"},
                                          {"RECRUITING_SAMPLE_NETWORKS", "10.0.0.0/33"},
                                          {"RECRUITING_SAMPLE_PAUSE", "5"},
                                          {"RECRUITING_SAMPLE_SECRET_FILE", "/nonexistent"},
                                          {"RECRUITING_SAMPLE_NUMBR", "7"},
                                          {"RECRUITING_TYPO", "7"},
                                          {"RECRUITING_GATEWAY_RATE_LIMIT", "600"}}); // another program's
    REQUIRE(problems.size() == 7);
}

TEST_CASE("every documented setting may stand in the environment of every program", "[core][settings]") {
    std::ifstream file(RECRUITING_SOURCE_DIR "/proto-docs/settings.md");
    std::stringstream text;
    text << file.rdbuf();
    std::map<std::string, std::string> values;
    for (auto const line : split(text.str(), '\n'))
        if (line.starts_with("| `RECRUITING_")) values.emplace(line.substr(3, line.find('`', 3) - 3), "");
    REQUIRE(values.size() > 100);
    settings_reader reader("another program", "reads none of them", "RECRUITING_ANOTHER_");
    CHECK(reader.apply(values).empty());
}

TEST_CASE("a part's names are the program's own: a mistyped one is told", "[core][settings]") {
    sample s;
    std::map<std::string, std::string> const values = {{"RECRUITING_AGENT_LEESE", "30s"}};
    REQUIRE(s.reader.apply(values).empty()); // another program's
    s.reader.owns("RECRUITING_AGENT_");
    REQUIRE(s.reader.apply(values).size() == 1);
}

TEST_CASE("a value with a secret may be the line of a file, and is not quoted", "[core][settings]") {
    auto const path = std::filesystem::temp_directory_path() / ("settings-line-" + std::to_string(::getpid()));
    std::string value;
    settings_reader reader("recruiting-sample", "a sample", "RECRUITING_SAMPLE_");
    reader.custom("RECRUITING_SAMPLE_URL", "", "A URL.", [&value](std::string_view given) {
        value = given;
        return given.starts_with("x://") ? std::nullopt : std::optional<std::string>("must be x://");
    });
    reader.last_may_be_in_file();
    reader.require_last();
    auto const problem = [&](std::string const& content, std::map<std::string, std::string> given) {
        std::ofstream(path) << content;
        given.emplace("RECRUITING_SAMPLE_URL_FILE", path.string());
        auto const found = reader.apply(given);
        std::filesystem::remove(path);
        return found.empty() ? std::string() : found.size() == 1 ? found.front() : "several";
    };
    CHECK(problem("x://geheim@h\n", {}).empty());
    CHECK(value == "x://geheim@h");
    CHECK(problem("x://a\r\n", {{"RECRUITING_SAMPLE_URL", ""}}).empty());
    CHECK(problem("x://a", {{"RECRUITING_SAMPLE_URL", "x://b"}}) ==
          "RECRUITING_SAMPLE_URL and RECRUITING_SAMPLE_URL_FILE exclude each other");
    CHECK(problem("geheim", {}) == "RECRUITING_SAMPLE_URL must be x://");
    for (auto const* const content : {"", "\n", "x://a\ngeheim\n"})
        CHECK(problem(content, {}) == "RECRUITING_SAMPLE_URL_FILE: " + path.string() + " must hold one line");
    CHECK(problem("", {{"RECRUITING_SAMPLE_URL_FILE", "/none"}}) ==
          "RECRUITING_SAMPLE_URL_FILE can't read /none: No such file or directory");
    CHECK(problem("", {{"RECRUITING_SAMPLE_URL_FILE", ""}}).starts_with("RECRUITING_SAMPLE_URL must be set"));
    CHECK(reader.help().find("(or RECRUITING_SAMPLE_URL_FILE: a path)") != std::string::npos);
}

TEST_CASE("the environment wins over the file of settings, also with NAME_FILE over NAME", "[core][settings]") {
    std::map<std::string, std::string> values{{"A", "1"}, {"B_FILE", "2"}, {"C", "3"}};
    override_settings(values, {{"A_FILE", "4"}, {"B", "5"}});
    CHECK(values == std::map<std::string, std::string>{{"A_FILE", "4"}, {"B", "5"}, {"C", "3"}});
    override_settings(values, {{"A", "6"}, {"A_FILE", "7"}}); // both, so that it is reported
    CHECK(values.at("A") == "6");
    CHECK(values.at("A_FILE") == "7");
}

TEST_CASE("help shows every setting with range and default", "[core][settings]") {
    auto const help = sample().reader.help();
    for (auto const* text :
         {"RECRUITING_SAMPLE_NUMBER", "(1 to 10)", "default: 5", "default: 127.0.0.1:80", "10ms to 1h"})
        REQUIRE(help.find(text) != std::string::npos);
}

TEST_CASE("the printed file holds every setting as a comment, and is a file of settings", "[core][settings]") {
    sample s;
    s.reader.require_last();
    auto const file = s.reader.example();
    REQUIRE(file.find("\n# A number. (1 to 10)\n#RECRUITING_SAMPLE_NUMBER=5\n") != std::string::npos);
    REQUIRE(file.find("# It must be set.\n#RECRUITING_SAMPLE_SECRET_FILE=\n") != std::string::npos);
    for (auto const line : split(file, '\n')) {
        REQUIRE((line.empty() || line.front() == '#'));
        REQUIRE(line.size() <= 100);
    }
}

TEST_CASE("option --healthcheck is the program's own to do, whatever else is wrong with the settings",
          "[core][settings]") {
    char const* const arguments[] = {"sample", "--healthcheck"};
    sample s;
    s.reader.require_last();
    REQUIRE(s.reader.load(2, arguments) == 2); // not offered: an unknown argument
    s.reader.on_healthcheck([] { return 7; });
    REQUIRE(s.reader.load(2, arguments) == 7);
}

TEST_CASE("the environment wins over the file", "[core][settings]") {
    sample s;
    auto const file = std::filesystem::temp_directory_path() / ("settings-" + std::to_string(::getpid()) + ".conf");
    std::ofstream(file) << "RECRUITING_SAMPLE_NUMBER=6\nRECRUITING_SAMPLE_PAUSE=2s\n";
    ::setenv("RECRUITING_SAMPLE_NUMBER", "7", 1);
    char const* const arguments[] = {"sample", "--config", file.c_str()};
    auto const code = s.reader.load(3, arguments);
    ::unsetenv("RECRUITING_SAMPLE_NUMBER");
    std::filesystem::remove(file);
    REQUIRE_FALSE(code);
    CHECK(s.number == 7);
    CHECK(s.pause == std::chrono::seconds{2});
}

} // namespace settings_test
