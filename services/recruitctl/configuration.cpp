#include "recruitctl/configuration.hpp"

#include <unistd.h>

namespace recruiting::recruitctl {

settings_reader own_settings() {
    static std::string ignored; // the values are read by the commands that need them
    static std::string environment{"test"};
    settings_reader reader("recruitctl", "administers the recruiting platform", "RECRUITING_RECRUITCTL_");
    reader.text("RECRUITING_DATABASE_URL", ignored, "PostgreSQL's connection string, as the role recruiting_owner.");
    reader.text("RECRUITING_KEY_PEPPER_FILE", ignored,
                "A file of at least 32 random bytes, outside the database: the key under which API keys are hashed.");
    reader.choice("RECRUITING_ENVIRONMENT", environment, {"live", "test"},
                  "Which keys are made: sp_live_ or sp_test_.");
    reader.text("RECRUITING_MIGRATIONS_DIR", ignored, "Where the migrations are, if not beside the program.");
    return reader;
}

settings configured(std::optional<std::string> const& named, settings const& environment,
                    std::string const& installed) {
    settings values;
    if (named && named->empty()) throw usage_error("--config needs a value, FILE");
    bool const reads = named || ::access(installed.c_str(), R_OK) == 0;
    if (reads)
        if (auto const wrong = read_settings_file(named.value_or(installed), values)) throw usage_error(*wrong);
    for (auto const& [name, value] : environment) values.insert_or_assign(name, value);
    return values;
}

} // namespace recruiting::recruitctl
