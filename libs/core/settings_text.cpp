// What people read of the declared settings: --help and --print-config.
#include "core/settings.hpp"
#include "core/text.hpp"
#include "core/version.hpp"

namespace recruiting {
namespace {

constexpr std::size_t line_width = 100;

// The words of text as comment lines.
std::string as_comment(std::string_view text) {
    std::string out;
    std::string line = "#";
    for (auto const word : split(text, ' ')) {
        if (line.size() + 1 + word.size() > line_width) {
            out += line + '\n';
            line = "#";
        }
        line += ' ';
        line += word;
    }
    return out + line + '\n';
}

std::string with_range(std::string const& help, std::string const& range) {
    return range.empty() ? help : help + " (" + range + ")";
}

} // namespace

std::string settings_reader::help() const {
    std::string out = program_ + " " + std::string(version()) + ": " + summary_ +
                      "\n\nSettings are environment variables, " +
                      "or NAME=value lines of a file given with --config FILE.\n" +
                      "--check tells whether they are right, --print-config prints such a file with all defaults.\n";
    if (healthcheck_) out += "--healthcheck asks the admin port of the running program: exit code 0 when it is well.\n";
    for (auto const& declared : settings_) {
        out += "\n" + declared.name + "\n    " + with_range(declared.help, declared.range);
        out += declared.default_text.empty() ? "\n" : "\n    default: " + declared.default_text + "\n";
    }
    return out;
}

std::string settings_reader::example() const {
    auto out = as_comment("Settings of " + program_ + ": " + summary_ + ".") +
               as_comment("NAME=value lines; each setting stands here with its default. The same name in the "
                          "environment wins.");
    for (auto const& declared : settings_) {
        out += '\n' + as_comment(with_range(declared.help, declared.range));
        if (declared.required) out += as_comment("It must be set.");
        out += "#" + declared.name + "=" + declared.default_text + "\n";
    }
    return out;
}

} // namespace recruiting
