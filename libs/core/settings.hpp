// A program's settings: declared once with name, default, range and a sentence; --help, the checks and the error
// texts all come from the declaration. Read once in main from an optional file (--config FILE, NAME=value lines) and
// from the environment, which wins. All errors are reported together.
#pragma once
#include "core/ip.hpp"
#include "core/log.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace recruiting {

/// The project's version, as CMakeLists.txt has it.
[[nodiscard]] std::string_view version() noexcept;

/// Where a program listens or connects: "127.0.0.1:8080", "[::1]:8080", "host:80" or "unix:/path".
struct endpoint {
    std::string host;
    std::uint16_t port{0};
    std::string unix_path;
    bool operator==(endpoint const&) const = default;
};
[[nodiscard]] std::optional<endpoint> parse_endpoint(std::string_view text);
[[nodiscard]] std::string to_string(endpoint const& where);

/// For settings_reader::custom: stores what parse makes of a value; where that is nothing, returns the refusal.
template <class T, class Parse>
[[nodiscard]] auto parsed_into(T& target, Parse parse, std::string refusal) {
    return [&target, parse, refusal = std::move(refusal)](std::string_view value) -> std::optional<std::string> {
        auto read = parse(value);
        if (!read) return refusal;
        target = std::move(*read);
        return std::nullopt;
    };
}

class settings_reader {
public:
    /// program: "recruiting-gateway"; prefix: the program's own names, "RECRUITING_GATEWAY_".
    settings_reader(std::string program, std::string summary, std::string prefix);
    [[nodiscard]] std::string const& prefix() const noexcept { return prefixes_.front(); }
    /// Names beginning with this are the program's own too: an unknown one is mistyped.
    void owns(std::string prefix) { prefixes_.push_back(std::move(prefix)); }

    // Each declares one setting and where its value goes. The target already holds the default.
    void text(std::string name, std::string& target, std::string help);
    void choice(std::string name, std::string& target, std::vector<std::string> allowed, std::string help);
    void number(std::string name, std::int64_t& target, std::int64_t least, std::int64_t most, std::string help);
    void flag(std::string name, bool& target, std::string help);
    void duration(std::string name, std::chrono::milliseconds& target, std::chrono::milliseconds least,
                  std::chrono::milliseconds most, std::string help);
    void address(std::string name, endpoint& target, std::string help);
    void list(std::string name, std::vector<std::string>& target, std::string help);    // comma-separated
    void networks(std::string name, std::vector<ip_network>& target, std::string help); // comma-separated
    void log(log::settings& target);                                                    // RECRUITING_LOG_LEVEL
    /// The content of a file that holds a secret, of at least `least` bytes; trailing newlines are dropped.
    void secret_file(std::string name, std::string& target, std::size_t least, std::string help);
    /// A file of certificates (PEM); empty: none.
    void certificates_file(std::string name, std::string& target, std::string help);
    /// Any other kind: assign returns what is wrong, or nothing.
    void custom(std::string name, std::string default_text, std::string help,
                std::function<std::optional<std::string>(std::string_view)> assign);

    /// What several settings must be together: broken returns what is wrong, or nothing. Asked when each is right by
    /// itself.
    void rule(std::function<std::optional<std::string>()> broken) { rules_.push_back(std::move(broken)); }
    /// The setting declared last has no default and must be given.
    void require_last() { settings_.back().required = true; }
    /// The setting declared last may hold a secret: NAME_FILE can name a file whose one line is its value.
    void last_may_be_in_file();
    /// What --healthcheck does with the settings read; its result is the exit code.
    void on_healthcheck(std::function<int()> ask) { healthcheck_ = std::move(ask); }
    /// A line that --check prints when the settings are valid, made of the settings read.
    void on_check(std::function<std::string()> line) { check_line_ = std::move(line); }

    /// Reads arguments and environment. Returns the exit code when the program has to end now (--help, --version and
    /// --print-config: 0; --check: 0 when all is right; wrong settings: 2, reported on standard error; --healthcheck:
    /// what it finds), nothing when it may go on. rest takes what is not an option of ours.
    [[nodiscard]] std::optional<int> load(int argc, char const* const* argv, std::vector<std::string>* rest = nullptr);
    /// The checks of load without its output: one text a problem.
    [[nodiscard]] std::vector<std::string> apply(std::map<std::string, std::string> const& values);
    [[nodiscard]] std::string help() const;
    /// A file for --config in which every setting stands as a comment with its help, range and default.
    [[nodiscard]] std::string example() const;

private:
    struct declaration {
        std::string name;
        std::string default_text;
        std::string range;
        std::string help;
        std::function<std::optional<std::string>(std::string_view)> assign;
        bool required{false};
        bool may_be_in_file{false};
    };
    [[nodiscard]] bool is_foreign(std::string_view name) const;
    /// What --help, --version and --print-config print; "" for any other argument.
    [[nodiscard]] std::string answer_to(std::string_view argument) const;

    std::string program_;
    std::string summary_;
    std::vector<std::string> prefixes_;
    std::vector<declaration> settings_;
    std::vector<std::function<std::optional<std::string>()>> rules_;
    std::function<int()> healthcheck_;
    std::function<std::string()> check_line_;
};

/// A file for --config: NAME=value lines; # starts a comment; quotes around a value are dropped. Returns what is wrong,
/// or nothing.
[[nodiscard]] std::optional<std::string> read_settings_file(std::string const& path,
                                                            std::map<std::string, std::string>& values);

/// Lets the environment win over a file of settings: NAME also over the file's NAME_FILE, and the reverse.
void override_settings(std::map<std::string, std::string>& values,
                       std::map<std::string, std::string> const& environment);

/// Reads NAME, else the line of the file that NAME_FILE names, into value; empty: neither is given. Returns what is
/// wrong, without the value, or nothing.
[[nodiscard]] std::optional<std::string> read_setting(std::map<std::string, std::string> const& values,
                                                      std::string const& name, std::string& value);

/// Every RECRUITING_* variable of the process.
[[nodiscard]] std::map<std::string, std::string> environment_settings();

} // namespace recruiting
