// pg_dump and pg_restore as backup.md has operators run them.
#pragma once
#include "support/catch.hpp"
#include "support/database.hpp"

#include <cstdlib>
#include <filesystem>
#include <string>
#include <unistd.h>

namespace recruiting::test {

inline void run_program(std::string const& command) {
    INFO(command);
    REQUIRE(std::system(command.c_str()) == 0); // NOLINT(concurrency-mt-unsafe): the test's own thread
}

/// A dump of a database, in a file of its own.
class dump {
public:
    explicit dump(test_database const& of)
        : file_(std::filesystem::temp_directory_path() /
                ("recruiting-dump-" + std::to_string(::getpid()) + "-" + of.name())) {
        run_program("pg_dump --format=custom --exclude-schema=pg_catalog --dbname '" + of.superuser_url() +
                    "' --file '" + file_.string() + "'");
    }
    ~dump() { std::filesystem::remove(file_); }
    dump(dump const&) = delete;
    dump& operator=(dump const&) = delete;

    void restore_into(test_database const& target) const {
        run_program("pg_restore --exit-on-error --dbname '" + target.superuser_url() + "' '" + file_.string() + "'");
    }
    /// Where the schema is already, with what was written since.
    void restore_over(test_database& target) const {
        pg::client(target.superuser_url(), "tests").script("DROP SCHEMA recruiting CASCADE");
        restore_into(target);
    }

private:
    std::filesystem::path file_;
};

} // namespace recruiting::test
