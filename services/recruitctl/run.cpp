// From the program's arguments to an exit code.
#include "recruitctl/cli/command_line.hpp"
#include "recruitctl/command.hpp"

#include <ostream>

namespace recruiting::recruitctl {
namespace {

int run_one(command_line& line, settings const& environment, std::string const& installed, std::ostream& out,
            std::ostream& err) {
    if (!line.problem.empty()) throw usage_error(line.problem);
    auto const values = configured(line.config_file, environment, installed);
    if (auto const problems = own_settings().apply(values); !problems.empty()) {
        std::string all;
        for (auto const& problem : problems) all += (all.empty() ? "" : "; ") + problem;
        throw usage_error(all);
    }
    invocation call(std::move(line.given), values, out, err);
    auto const code = line.chosen->run(call);
    out.flush();
    if (!out) throw failure("the output could not be written");
    return code;
}

// One sentence a failure, and what to do about it where that is known.
int reported(std::string const& name, std::ostream& err, std::function<int()> const& work) {
    try {
        return work();
    } catch (usage_error const& error) {
        err << name << ": " << error.what() << "\nSee " << name << " --help\n";
        return usage;
    } catch (outage const& error) {
        err << name << ": the database is unavailable: " << error.what() << '\n';
        return database_unavailable;
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

} // namespace

int run(std::vector<command> const& commands, std::vector<std::string> const& words, settings const& environment,
        std::ostream& out, std::ostream& err, std::string const& installed) {
    auto line = read_command_line(commands, words);
    if (line.chosen != nullptr)
        return reported("recruitctl " + line.chosen->words, err,
                        [&] { return run_one(line, environment, installed, out, err); });
    if (line.problem.empty()) {
        out << line.text;
        return done;
    }
    err << "recruitctl: " << line.problem << "\n\n" << line.text;
    return usage;
}

std::vector<command> all_commands() {
    std::vector<command> all;
    for (auto const group :
         {migrate_commands, organization_commands, member_commands, key_commands, import_commands, demo_commands,
          audit_commands, restore_commands, mail_commands, slots_open_commands, slots_commands, doctor_commands}) {
        auto commands = group();
        all.insert(all.end(), commands.begin(), commands.end());
    }
    return all;
}

} // namespace recruiting::recruitctl
