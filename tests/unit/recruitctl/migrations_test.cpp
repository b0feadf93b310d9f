// Migrations compared with what was applied; reading the files. No database.
#include "recruitctl/command.hpp"
#include "recruitctl/commands/migrations.hpp"
#include "support/catch.hpp"

#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace migrations_test {
using namespace recruiting;
using namespace recruiting::recruitctl;

namespace {

migration file(int number, std::string checksum) {
    return {number, "000" + std::to_string(number) + "_x.sql", "", std::move(checksum)};
}
applied_migration row(int number, std::string checksum) {
    return {number, "000" + std::to_string(number) + "_x.sql", std::move(checksum), {}};
}

std::vector<migration_state> states(std::vector<migration> const& files,
                                    std::vector<applied_migration> const& applied) {
    std::vector<migration_state> out;
    for (auto const& line : compare(files, applied)) out.push_back(line.state);
    return out;
}

class folder {
public:
    folder() : path_(std::filesystem::temp_directory_path() / ("recruitctl_migrations_" + std::to_string(getpid()))) {
        std::filesystem::create_directory(path_);
    }
    ~folder() { std::filesystem::remove_all(path_); }
    void put(std::string const& name, std::string const& content = "SELECT 1;") const {
        std::ofstream(path_ / name) << content;
    }
    [[nodiscard]] std::filesystem::path const& path() const { return path_; }

private:
    std::filesystem::path path_;
};

using list = std::vector<migration_state>;
using enum migration_state;

} // namespace

TEST_CASE("each migration is applied, pending, changed or unknown", "[migrate]") {
    std::vector<migration> const files{file(1, "a"), file(2, "b"), file(3, "c")};
    REQUIRE(states(files, {}) == list{pending, pending, pending});
    REQUIRE(states(files, {row(1, "a"), row(2, "b")}) == list{applied, applied, pending});
    REQUIRE(states(files, {row(1, "a"), row(2, "B")}) == list{applied, changed, pending});
    REQUIRE(states(files, {row(1, "a"), row(2, "b"), row(3, "c"), row(4, "d")}) ==
            list{applied, applied, applied, unknown});
}

TEST_CASE("migration files are read in order with their checksum", "[migrate]") {
    folder const here;
    here.put("0002_b.sql", "SELECT 2;");
    here.put("0001_a.sql", "");
    here.put("README.md");
    REQUIRE_THROWS_AS(read_migrations(here.path()), failure); // empty
    here.put("0001_a.sql", "SELECT 1;");
    auto const files = read_migrations(here.path());
    REQUIRE(files.size() == 2);
    REQUIRE(files[0].name == "0001_a.sql");
    REQUIRE(files[1].number == 2);
    REQUIRE(files[0].checksum == "17db4fd369edb9244b9f91d9aeed145c3d04ad8ba6e95d06247f07a63527d11a");
}

TEST_CASE("a gap, a double and a wrong name among the files are refused", "[migrate]") {
    folder const here;
    REQUIRE_THROWS_AS(read_migrations(here.path()), failure);
    REQUIRE_THROWS_AS(read_migrations(here.path() / "absent"), failure);
    here.put("0001_a.sql");
    here.put("0003_c.sql");
    REQUIRE_THROWS_AS(read_migrations(here.path()), failure);
    here.put("0002_b.sql");
    REQUIRE(read_migrations(here.path()).size() == 3);
    here.put("0002_b2.sql");
    REQUIRE_THROWS_AS(read_migrations(here.path()), failure);
    std::filesystem::remove(here.path() / "0002_b2.sql");
    here.put("4_d.sql");
    REQUIRE_THROWS_AS(read_migrations(here.path()), failure);
}

} // namespace migrations_test
