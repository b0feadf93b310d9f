#include "recruitctl/run.hpp"

#include "core/settings.hpp"
#include "core/text.hpp"
#include "core/version.hpp"
#include "recruitctl/help.hpp"
#include "recruitctl/parser.hpp"

#include <algorithm>
#include <ostream>

namespace recruiting::recruitctl {
namespace {

// The words of a command at the front of the arguments: how many, or 0.
std::size_t words_matched(command const& candidate, std::span<std::string const> arguments) {
    auto const words = split(candidate.words, ' ');
    if (arguments.size() < words.size()) return 0;
    return std::equal(words.begin(), words.end(), arguments.begin()) ? words.size() : 0;
}

bool asks_help(std::span<std::string const> arguments) {
    auto const end = std::ranges::find(arguments, "--");
    return std::find(arguments.begin(), end, "--help") != end || std::find(arguments.begin(), end, "-h") != end;
}

int run_one(command const& chosen, std::span<std::string const> arguments, settings const& environment,
            std::ostream& out, std::ostream& err) {
    invocation call(environment, out, err);
    invocation_parser(chosen, call).parse(arguments);
    if (auto const problems = own_settings().apply(environment); !problems.empty()) {
        std::string all;
        for (auto const& problem : problems) all += (all.empty() ? "" : "; ") + problem;
        throw usage_error(all);
    }
    auto const code = chosen.run(call);
    out.flush();
    if (!out) throw failure("the output could not be written");
    return code;
}

// One sentence a failure, and what to do about it where that is known.
int told(std::string const& name, std::ostream& err, std::function<int()> const& work) {
    try {
        return work();
    } catch (usage_error const& error) {
        err << name << ": " << error.what() << "\nSee " << name << " --help\n";
        return usage;
    } catch (outage const& error) {
        err << name << ": the database is away: " << error.what() << '\n';
        return database_away;
    } catch (pg::query_error const& error) {
        err << name << ": the database refused: " << error.what() << " (SQLSTATE " << error.sqlstate() << ")\n";
        if (error.sqlstate() == pg::undefined_table || error.sqlstate() == pg::invalid_schema)
            err << "The schema is not up to date: run recruitctl migrate\n";
        return failed;
    } catch (std::exception const& error) {
        err << name << ": " << error.what() << '\n';
        return failed;
    }
}

command with_common_options(command found) {
    found.options.push_back({"--json", "", "print one JSON document"});
    return found;
}

} // namespace

int run(std::vector<command> const& commands, std::vector<std::string> const& arguments, settings const& environment,
        std::ostream& out, std::ostream& err) {
    command const* chosen = nullptr;
    std::size_t words = 0;
    for (auto const& candidate : commands) {
        auto const matched = words_matched(candidate, arguments);
        if (matched <= words) continue;
        words = matched;
        chosen = &candidate;
    }
    if (chosen != nullptr) {
        auto const complete = with_common_options(*chosen);
        auto const rest = std::span(arguments).subspan(words);
        if (asks_help(rest)) {
            print_command_help(out, complete);
            return done;
        }
        return told("recruitctl " + complete.words, err,
                    [&] { return run_one(complete, rest, environment, out, err); });
    }
    if (!arguments.empty() && arguments.front() == "--version") {
        out << "recruitctl " << version() << '\n';
        return done;
    }
    if (!arguments.empty() && arguments.front() == "--print-config") {
        out << own_settings().example();
        return done;
    }
    auto const help = arguments.empty() ? false : asks_help(arguments) || arguments.front() == "help";
    auto const group = arguments.empty() || arguments.front().starts_with('-') ? "" : arguments.front();
    if (!help && !arguments.empty()) err << "recruitctl: there is no command " << unknown_words(arguments) << "\n\n";
    print_overview(help ? out : err, commands, group);
    return help ? done : usage;
}

} // namespace recruiting::recruitctl
