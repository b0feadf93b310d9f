#include "core/settings.hpp"

#include "core/file.hpp"
#include "core/redact.hpp"
#include "core/text.hpp"
#include "core/time.hpp"
#include "core/version.hpp"

#include <algorithm>
#include <array>
#include <iostream>
#include <unistd.h>

namespace recruiting {
namespace {

// Names that belong to another program or to the people's shells: known, so no mistyped setting of ours.
constexpr std::array<std::string_view, 24> foreign_prefixes = {
    "RECRUITING_GATEWAY_", "RECRUITING_AUTH_API_",       "RECRUITING_PUBLIC_API_",        "RECRUITING_AGENT_",
    "RECRUITING_MAIL_",    "RECRUITING_BOOKING_",        "RECRUITING_PUBLIC_URL",         "RECRUITING_UP_",
    "RECRUITING_TEST_",    "RECRUITING_BENCH_",          "RECRUITING_DATABASE_URL",       "RECRUITING_REDIS_URL",
    "RECRUITING_DEMO_",    "RECRUITING_KEY_PEPPER_FILE", "RECRUITING_CURSOR_SECRET_FILE", "RECRUITING_MIGRATIONS_DIR",
    "RECRUITING_RUN_DIR",  "RECRUITING_TRACE_",          "RECRUITING_BUILD_DIR",          "RECRUITING_PACKAGE_",
    "RECRUITING_FAULTS",   "RECRUITING_PATIENCE",        "RECRUITING_READ_TIMEOUT",       "RECRUITING_RUN_TIMEOUT"};
constexpr std::array<std::string_view, 3> shared_names = {"RECRUITING_ENVIRONMENT", "RECRUITING_LOG_LEVEL",
                                                          "RECRUITING_LOG_WAITING"};

std::string join(std::vector<std::string> const& parts) {
    std::string out;
    for (auto const& part : parts) out += (out.empty() ? "" : ",") + part;
    return out;
}

} // namespace

std::optional<std::string> read_settings_file(std::string const& path, std::map<std::string, std::string>& values) {
    std::string content;
    if (auto wrong = read_file(path, content)) return wrong;
    int number = 0;
    for (auto line : split(content, '\n')) {
        ++number;
        line = trim(line);
        if (line.empty() || line.front() == '#') continue;
        auto const equals = line.find('=');
        if (equals == std::string_view::npos) return path + ":" + std::to_string(number) + ": not a NAME=value line";
        auto value = trim(line.substr(equals + 1));
        if (value.size() >= 2 && (value.front() == '"' || value.front() == '\'') && value.back() == value.front())
            value = value.substr(1, value.size() - 2);
        values.insert_or_assign(std::string(trim(line.substr(0, equals))), std::string(value));
    }
    return std::nullopt;
}

std::optional<endpoint> parse_endpoint(std::string_view text) {
    if (text.starts_with("unix:")) {
        if (text.size() == 5 || text.size() > 5 + 107) return std::nullopt;
        return endpoint{{}, 0, std::string(text.substr(5))};
    }
    auto const colon = text.rfind(':');
    if (colon == std::string_view::npos) return std::nullopt;
    auto const port = parse_number<std::uint16_t>(text.substr(colon + 1));
    auto host = text.substr(0, colon);
    if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
    else if (host.find(':') != std::string_view::npos) return std::nullopt;
    if (!port || host.empty()) return std::nullopt;
    return endpoint{std::string(host), *port, {}};
}

std::string to_string(endpoint const& where) {
    if (!where.unix_path.empty()) return "unix:" + where.unix_path;
    bool const v6 = where.host.find(':') != std::string::npos;
    return (v6 ? "[" + where.host + "]" : where.host) + ":" + std::to_string(where.port);
}

settings_reader::settings_reader(std::string program, std::string summary, std::string prefix)
    : program_(std::move(program)), summary_(std::move(summary)), prefixes_{std::move(prefix)} {}

void settings_reader::custom(std::string name, std::string default_text, std::string help,
                             std::function<std::optional<std::string>(std::string_view)> assign) {
    settings_.push_back({std::move(name), std::move(default_text), {}, std::move(help), std::move(assign)});
}

void settings_reader::text(std::string name, std::string& target, std::string help) {
    custom(std::move(name), target, std::move(help), [&target](std::string_view value) -> std::optional<std::string> {
        target = value;
        return std::nullopt;
    });
}

void settings_reader::choice(std::string name, std::string& target, std::vector<std::string> allowed,
                             std::string help) {
    auto range = "one of " + join(allowed);
    custom(std::move(name), target, std::move(help),
           [&target, allowed = std::move(allowed), range](std::string_view value) -> std::optional<std::string> {
               if (std::find(allowed.begin(), allowed.end(), value) == allowed.end()) return "must be " + range;
               target = value;
               return std::nullopt;
           });
    settings_.back().range = std::move(range);
}

void settings_reader::number(std::string name, std::int64_t& target, std::int64_t least, std::int64_t most,
                             std::string help) {
    auto range = std::to_string(least) + " to " + std::to_string(most);
    custom(std::move(name), std::to_string(target), std::move(help),
           [&target, least, most, range](std::string_view value) -> std::optional<std::string> {
               auto const parsed = parse_number<std::int64_t>(value);
               if (!parsed || *parsed < least || *parsed > most) return "must be a number from " + range;
               target = *parsed;
               return std::nullopt;
           });
    settings_.back().range = std::move(range);
}

void settings_reader::flag(std::string name, bool& target, std::string help) {
    custom(std::move(name), target ? "true" : "false", std::move(help),
           [&target](std::string_view value) -> std::optional<std::string> {
               if (value != "true" && value != "false") return "must be true or false";
               target = value == "true";
               return std::nullopt;
           });
}

void settings_reader::duration(std::string name, std::chrono::milliseconds& target, std::chrono::milliseconds least,
                               std::chrono::milliseconds most, std::string help) {
    auto range = format_duration(least) + " to " + format_duration(most);
    custom(std::move(name), format_duration(target), std::move(help),
           [&target, least, most, range](std::string_view value) -> std::optional<std::string> {
               auto const parsed = parse_duration(value);
               if (!parsed || *parsed < least || *parsed > most)
                   return "must be a duration such as 250ms, 30s, 15m or 24h, from " + range;
               target = *parsed;
               return std::nullopt;
           });
    settings_.back().range = std::move(range);
}

void settings_reader::address(std::string name, endpoint& target, std::string help) {
    custom(std::move(name), to_string(target), std::move(help),
           [&target](std::string_view value) -> std::optional<std::string> {
               auto parsed = parse_endpoint(value);
               if (!parsed) return "must be host:port, [address]:port or unix:/path";
               target = std::move(*parsed);
               return std::nullopt;
           });
}

void settings_reader::list(std::string name, std::vector<std::string>& target, std::string help) {
    custom(std::move(name), join(target), std::move(help),
           [&target](std::string_view value) -> std::optional<std::string> {
               target.clear();
               for (auto const part : split(value, ','))
                   if (auto const item = trim(part); !item.empty()) target.emplace_back(item);
               return std::nullopt;
           });
}

void settings_reader::networks(std::string name, std::vector<ip_network>& target, std::string help) {
    std::string default_text;
    for (auto const& network : target) default_text += (default_text.empty() ? "" : ",") + to_string(network);
    custom(std::move(name), default_text, std::move(help),
           [&target](std::string_view value) -> std::optional<std::string> {
               target.clear();
               for (auto const part : split(value, ',')) {
                   if (trim(part).empty()) continue;
                   auto const network = parse_network(trim(part));
                   if (!network)
                       return "must be a comma-separated list of addresses and networks such as 10.0.0.0/8,::1";
                   target.push_back(*network);
               }
               return std::nullopt;
           });
}

void settings_reader::log(log::settings& target) {
    custom("RECRUITING_LOG_LEVEL", "info", "The least level logged.",
           [&target](std::string_view value) -> std::optional<std::string> {
               auto const level = log::parse_level(value);
               if (!level) return "must be one of debug,info,warning,error";
               target.threshold = *level;
               return std::nullopt;
           });
    settings_.back().range = "one of debug,info,warning,error";
    number(
        "RECRUITING_LOG_WAITING", target.waiting, 65'536, std::int64_t{1} << 30,
        "Bytes of log lines that wait for a reader of standard output that has stopped; further lines are dropped and "
        "counted.");
}

void settings_reader::secret_file(std::string name, std::string& target, std::size_t least, std::string help) {
    custom(std::move(name), "", std::move(help),
           [&target, least](std::string_view value) -> std::optional<std::string> {
               std::string content;
               if (auto wrong = read_file(std::string(value), content)) return wrong;
               while (!content.empty() && (content.back() == '\n' || content.back() == '\r')) content.pop_back();
               if (content.size() < least)
                   return std::string(value) + " must hold at least " + std::to_string(least) + " bytes";
               target = std::move(content);
               return std::nullopt;
           });
    settings_.back().range = "a path";
}

void settings_reader::certificates_file(std::string name, std::string& target, std::string help) {
    custom(std::move(name), "", std::move(help), [&target](std::string_view value) -> std::optional<std::string> {
        std::string content;
        if (!value.empty())
            if (auto wrong = read_file(std::string(value), content)) return wrong;
        if (!value.empty() && content.find("-----BEGIN ") == std::string::npos)
            return std::string(value) + " holds no certificate in PEM form";
        target = value;
        return std::nullopt;
    });
}

bool settings_reader::is_foreign(std::string_view name) const {
    if (std::find(shared_names.begin(), shared_names.end(), name) != shared_names.end()) return true;
    if (name == "RECRUITING_GATEWAY_URL") return true;
    auto const begins_name = [name](std::string_view prefix) { return name.starts_with(prefix); };
    if (std::any_of(prefixes_.begin(), prefixes_.end(), begins_name)) return false;
    return std::any_of(foreign_prefixes.begin(), foreign_prefixes.end(), begins_name);
}

std::vector<std::string> settings_reader::apply(std::map<std::string, std::string> const& values) {
    std::vector<std::string> problems;
    for (auto const& entry : values) {
        auto const& name = entry.first; // not a structured binding: a lambda takes it
        auto const& value = entry.second;
        auto const known =
            std::find_if(settings_.begin(), settings_.end(), [&](auto const& s) { return s.name == name; });
        if (known != settings_.end()) {
            if (auto const wrong = known->assign(value)) problems.push_back(name + " " + *wrong);
        } else if (!is_foreign(name)) {
            problems.push_back(name + " is not a setting of " + program_ + " (see --help)");
        }
    }
    for (auto const& declared : settings_)
        if (declared.required && !values.contains(declared.name))
            problems.push_back(declared.name + " must be set: " + declared.help);
    for (std::size_t i = 0; problems.empty() && i < rules_.size(); ++i)
        if (auto const wrong = rules_[i]()) problems.push_back(*wrong);
    return problems;
}

std::optional<int> settings_reader::load(int argc, char const* const* argv, std::vector<std::string>* rest) {
    std::map<std::string, std::string> values;
    std::vector<std::string> problems;
    bool only_check = false;
    bool only_health = false;
    for (int i = 1; i < argc; ++i) {
        std::string const argument = argv[i];
        if (argument == "--help") {
            std::cout << help();
            return 0;
        }
        if (argument == "--version") {
            std::cout << program_ << ' ' << version() << '\n';
            return 0;
        }
        if (argument == "--print-config") {
            std::cout << example();
            return 0;
        }
        if (argument == "--check") {
            only_check = true;
        } else if (argument == "--healthcheck" && healthcheck_) {
            only_health = true;
        } else if (argument == "--config" && i + 1 < argc) {
            if (auto const wrong = read_settings_file(argv[++i], values)) problems.push_back(*wrong);
        } else if (rest != nullptr) {
            rest->push_back(argument);
        } else {
            problems.push_back("unknown argument " + argument + " (see --help)");
        }
    }
    for (auto const& [name, value] : values) given_.insert_or_assign(name, given_value{value, "file"});
    for (auto const& [name, value] : environment_settings()) {
        values.insert_or_assign(name, value);
        given_.insert_or_assign(name, given_value{value, "environment"});
    }
    auto const wrong = apply(values);
    problems.insert(problems.end(), wrong.begin(), wrong.end());
    // The process that is asked runs with these settings, so only its address matters.
    if (only_health) return healthcheck_();
    if (problems.empty() && !only_check) return std::nullopt;
    if (problems.empty()) {
        std::cout << program_ << ": the settings are right\n";
        return 0;
    }
    for (auto const& problem : problems) std::cerr << program_ << ": " << problem << '\n';
    return 2;
}

std::vector<effective_setting> settings_reader::effective() const {
    std::vector<effective_setting> out;
    for (auto const& declared : settings_) {
        effective_setting one;
        one.name = declared.name;
        one.secret = declared.secret;
        auto const found = given_.find(declared.name);
        auto const& value = found == given_.end() ? declared.default_text : found->second.value;
        if (found != given_.end()) one.origin = found->second.origin;
        one.set = !value.empty();
        if (!one.secret) one.value = redact_url(value);
        out.push_back(std::move(one));
    }
    return out;
}

std::map<std::string, std::string> environment_settings() {
    std::map<std::string, std::string> found;
    for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
        std::string_view const text(*entry);
        auto const equals = text.find('=');
        if (text.starts_with("RECRUITING_") && equals != std::string_view::npos)
            found.emplace(text.substr(0, equals), text.substr(equals + 1));
    }
    return found;
}

} // namespace recruiting
