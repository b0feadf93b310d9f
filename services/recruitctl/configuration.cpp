#include "recruitctl/configuration.hpp"

#include "core/settings.hpp"

#include <unistd.h>

namespace recruiting::recruitctl {
namespace {

// The file the arguments name, taken off them.
std::optional<std::string> take_config(std::vector<std::string>& arguments) {
    constexpr std::string_view option = "--config";
    if (arguments.empty() || !arguments.front().starts_with(option)) return std::nullopt;
    auto const first = arguments.front();
    std::string file;
    if (first == option && arguments.size() > 1) {
        file = arguments[1];
        arguments.erase(arguments.begin(), arguments.begin() + 2);
    } else if (first.starts_with("--config=")) {
        file = first.substr(option.size() + 1);
        arguments.erase(arguments.begin());
    }
    if (file.empty()) throw usage_error("--config needs a value, FILE");
    return file;
}

} // namespace

settings configured(std::vector<std::string>& arguments, settings const& environment, std::string const& installed) {
    settings values;
    auto const named = take_config(arguments);
    bool const reads = named || ::access(installed.c_str(), R_OK) == 0;
    if (reads)
        if (auto const wrong = read_settings_file(named.value_or(installed), values)) throw usage_error(*wrong);
    for (auto const& [name, value] : environment) values.insert_or_assign(name, value);
    return values;
}

} // namespace recruiting::recruitctl
