#include "recruitctl/command.hpp"

#include "core/text.hpp"
#include "core/time.hpp"
#include "directory/receivers.hpp"
#include "pg/url.hpp"

#include <ostream>
#include <unistd.h>

namespace recruiting::recruitctl {

invocation::invocation(arguments given, settings const& environment, std::ostream& to_out, std::ostream& to_err)
    : out(to_out), err(to_err), given_(std::move(given)), settings_(environment) {}

bool invocation::has(std::string_view option) const { return given_.options.contains(option); }

std::string const& invocation::get(std::string_view option) const {
    auto const found = given_.options.find(option);
    if (found == given_.options.end() || found->second.empty())
        throw std::logic_error("the option " + std::string(option) + " is read but was not given");
    return found->second.front();
}

std::optional<std::string> invocation::find(std::string_view option) const {
    if (!has(option)) return std::nullopt;
    return get(option);
}

std::optional<uuid> invocation::find_id(std::string_view option) const {
    auto const text = find(option);
    if (!text) return std::nullopt;
    auto const id = parse_id(*text);
    if (!id) throw usage_error(std::string(option) + " must be an id: 32 hex characters");
    return id;
}

std::optional<std::string> invocation::url_or_clear() const {
    if (has("--url") == has("--clear")) throw usage_error("give either --url or --clear");
    return find("--url");
}

std::vector<std::string> invocation::list(std::string_view option) const {
    auto const found = given_.options.find(option);
    return found == given_.options.end() ? std::vector<std::string>{} : found->second;
}

std::int64_t invocation::number(std::string_view option, std::int64_t fallback, std::int64_t least,
                                std::int64_t most) const {
    if (!has(option)) return fallback;
    auto const value = parse_number<std::int64_t>(get(option));
    if (!value || *value < least || *value > most)
        throw usage_error(std::string(option) + " must be a whole number from " + std::to_string(least) + " to " +
                          std::to_string(most));
    return *value;
}

std::chrono::milliseconds invocation::duration(std::string const& option, std::string_view fallback) const {
    auto const given = parse_duration(find(option).value_or(std::string(fallback)));
    if (!given) throw usage_error(option + " must be a duration such as 30s or 5m");
    return *given;
}

std::optional<std::string> invocation::setting(std::string const& name) const {
    std::string value;
    if (auto const wrong = read_setting(settings_, name, value)) throw usage_error(*wrong);
    if (value.empty()) return std::nullopt;
    return value;
}

std::string invocation::database_url() const {
    auto const url = setting("RECRUITING_DATABASE_URL");
    if (!url) throw usage_error("RECRUITING_DATABASE_URL is not set: the database as the role recruiting_owner");
    if (auto const wrong = pg::url_problem(*url)) throw usage_error("RECRUITING_DATABASE_URL is wrong: " + *wrong);
    return *url;
}

pg::client& invocation::database() {
    if (!client_) client_ = std::make_unique<pg::client>(database_url());
    return *client_;
}

settings_reader own_settings() {
    static std::string ignored; // the values are read by the commands that need them
    static std::string environment{"test"};
    static std::int64_t keys_per_member{50};
    settings_reader reader("recruitctl", "administers the recruiting platform", "RECRUITING_RECRUITCTL_");
    reader.text("RECRUITING_DATABASE_URL", ignored, "PostgreSQL's connection string, as the role recruiting_owner.");
    reader.last_may_be_in_file();
    reader.text("RECRUITING_KEY_PEPPER_FILE", ignored,
                "A file of at least 32 random bytes, outside the database: the key under which API keys are hashed.");
    reader.choice("RECRUITING_ENVIRONMENT", environment, {"live", "test"},
                  "Which keys are made: sp_live_ or sp_test_.");
    reader.number("RECRUITING_KEYS_PER_MEMBER", keys_per_member, 1, 10'000,
                  "Maximum API keys of one member that are neither revoked nor expired.");
    reader.text("RECRUITING_PUBLIC_URL", ignored,
                "Where browsers reach the gateway, as in https://jobs.example.com: the links that member sign-in-link "
                "prints.");
    static directory::receiver_rules receivers;
    declare(reader, receivers);
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
    override_settings(values, environment);
    return values;
}

// From the program's arguments to an exit code.

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
    for (auto const group : {migrate_commands, organization_commands, member_commands, key_commands, candidate_commands,
                             import_commands, demo_commands, audit_commands, restore_commands, mail_commands,
                             slots_commands, webhook_commands, doctor_commands}) {
        auto commands = group();
        all.insert(all.end(), commands.begin(), commands.end());
    }
    return all;
}

} // namespace recruiting::recruitctl
