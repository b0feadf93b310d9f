// A migration as a file and as a row of recruiting.schema_migrations.
#pragma once
#include "core/time.hpp"

#include <string>

namespace recruiting::recruitctl {

struct migration {
    int number{0};
    std::string name; // "0002_directory.sql"
    std::string sql;
    std::string checksum; // SHA-256 of the file, in hex
};

struct applied_migration {
    int number{0};
    std::string name;
    std::string checksum;
    timestamp applied_at;
};

} // namespace recruiting::recruitctl
