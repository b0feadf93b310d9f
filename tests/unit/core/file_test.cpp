#include "core/file.hpp"
#include "core/settings.hpp"
#include "support/catch.hpp"

#include <filesystem>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

namespace file_test {
using namespace recruiting;

namespace {

struct folder {
    folder() : path(std::filesystem::temp_directory_path() / ("recruiting_file_" + std::to_string(::getpid()))) {
        std::filesystem::create_directories(path);
    }
    ~folder() { std::filesystem::remove_all(path); }
    folder(folder const&) = delete;
    folder& operator=(folder const&) = delete;
    [[nodiscard]] std::string at(std::string const& name) const { return (path / name).string(); }
    std::filesystem::path path;
};

std::string problem_of(std::string const& path) {
    std::string content;
    return read_file(path, content).value_or("");
}

} // namespace

TEST_CASE("a file is read whole", "[core][file]") {
    folder const in;
    std::string const written(100'000, 'x');
    std::ofstream(in.at("long")) << written << '\0' << "end";
    std::string content = "old";
    REQUIRE_FALSE(read_file(in.at("long"), content));
    CHECK(content == written + std::string(1, '\0') + "end");
    std::ofstream(in.at("empty")).flush();
    REQUIRE_FALSE(read_file(in.at("empty"), content));
    CHECK(content.empty());
}

TEST_CASE("what is not a readable file is refused in words, and never waited for", "[core][file]") {
    folder const in;
    REQUIRE(::mkfifo(in.at("pipe").c_str(), 0600) == 0);
    CHECK(problem_of(in.path.string()) == "can't read " + in.path.string() + ": it is a folder");
    CHECK(problem_of(in.at("none")) == "can't read " + in.at("none") + ": No such file or directory");
    CHECK(problem_of(in.at("pipe")) == "can't read " + in.at("pipe") + ": it is not a file");
    CHECK(problem_of("/dev/zero") == "can't read /dev/zero: it is not a file");
    CHECK(problem_of("") == "can't read : No such file or directory");
}

TEST_CASE("a secret path or a --config that is a folder is one clear line, not an abort", "[core][settings]") {
    folder const in;
    std::string secret;
    std::string certificates;
    settings_reader reader("recruiting-x", "x", "RECRUITING_X_");
    reader.secret_file("RECRUITING_X_SECRET_FILE", secret, 32, "");
    reader.certificates_file("RECRUITING_X_CA_FILE", certificates, "");
    auto const told = [&](std::string const& name, std::string const& value) {
        auto const problems = reader.apply({{name, value}});
        return problems.size() == 1 ? problems.front() : std::to_string(problems.size()) + " problems";
    };
    auto const path = in.path.string();
    CHECK(told("RECRUITING_X_SECRET_FILE", path) == "RECRUITING_X_SECRET_FILE can't read " + path + ": it is a folder");
    CHECK(told("RECRUITING_X_CA_FILE", path) == "RECRUITING_X_CA_FILE can't read " + path + ": it is a folder");
    std::ofstream(in.at("text")) << "no certificate";
    CHECK(told("RECRUITING_X_CA_FILE", in.at("text")) ==
          "RECRUITING_X_CA_FILE " + in.at("text") + " holds no certificate in PEM form");
    std::map<std::string, std::string> values;
    CHECK(read_settings_file(path, values) == "can't read " + path + ": it is a folder");
}

} // namespace file_test
