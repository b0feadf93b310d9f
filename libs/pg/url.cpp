#include "pg/url.hpp"

#include "core/file.hpp"
#include "core/settings.hpp"
#include "core/text.hpp"

#include <algorithm>
#include <array>
#include <libpq-fe.h>
#include <memory>
#include <string_view>

namespace recruiting::pg {
namespace {

struct free_options {
    void operator()(PQconninfoOption* options) const noexcept { PQconninfoFree(options); }
};

// A character that ends the user part early would make the rest of the password a name of a host or a database, which
// later errors quote. What follows a question mark may hold an @ of its own.
bool has_bare_user_part(std::string_view url) {
    for (std::string_view const scheme : {"postgresql://", "postgres://"}) {
        if (!url.starts_with(scheme)) continue;
        auto rest = url.substr(scheme.size());
        if (auto const user_end = rest.find_first_of("@/"); user_end != rest.npos && rest[user_end] == '@')
            rest.remove_prefix(user_end + 1); // as libpq reads it
        return rest.substr(0, rest.find('?')).find('@') == rest.npos;
    }
    return true;
}

bool are_ports(std::string_view list) {
    auto const parts = split(list, ',');
    return std::all_of(parts.begin(), parts.end(), [](std::string_view part) {
        return part.empty() || parse_number<std::uint16_t>(part).value_or(0) > 0;
    });
}

// Names and addresses, comma-separated, or folders of sockets. Errors of the resolver quote them.
bool are_hosts(std::string_view list) {
    auto const fits = [](char c) {
        return is_alphanumeric(c) || std::string_view(".-_:%").find(c) != std::string_view::npos;
    };
    auto const parts = split(list, ',');
    return std::all_of(parts.begin(), parts.end(), [&](std::string_view host) {
        return host.starts_with('/') || host.starts_with('@') || std::all_of(host.begin(), host.end(), fits);
    });
}

bool is_number(std::string_view text) { return parse_number<int>(trim(text)).has_value(); }

struct choice {
    std::string_view keyword;
    std::array<std::string_view, 6> values;
};
constexpr std::array choices = {
    choice{"sslmode", {"disable", "allow", "prefer", "require", "verify-ca", "verify-full"}},
    choice{"target_session_attrs", {"any", "read-write", "read-only", "primary", "standby", "prefer-standby"}},
    choice{"gssencmode", {"disable", "prefer", "require"}},
    choice{"channel_binding", {"disable", "prefer", "require"}},
};
constexpr std::array<std::string_view, 7> numbers = {"connect_timeout",     "keepalives",       "keepalives_idle",
                                                     "keepalives_interval", "keepalives_count", "tcp_user_timeout",
                                                     "sslcompression"};
constexpr std::array<std::string_view, 5> files = {"sslrootcert", "sslcert", "sslkey", "sslcrl", "passfile"};

// libpq reads these values only when it connects, and quotes the wrong ones.
std::optional<std::string> value_problem(std::string_view keyword, std::string const& value) {
    auto const named = std::string(keyword);
    if (keyword == "host" && !are_hosts(value)) return "its host is not a name, an address or a folder";
    if (keyword == "port" && !are_ports(value)) return "its port is not a number from 1 to 65535";
    if (std::find(numbers.begin(), numbers.end(), keyword) != numbers.end() && !is_number(value))
        return "its " + named + " is not a number";
    for (auto const& one : choices)
        if (one.keyword == keyword && std::find(one.values.begin(), one.values.end(), value) == one.values.end())
            return "its " + named + " is not a value that PostgreSQL accepts";
    bool const is_file = std::find(files.begin(), files.end(), keyword) != files.end();
    if (!is_file || value == "system" || (keyword == "sslkey" && value.find(':') != value.npos)) return std::nullopt;
    std::string ignored;
    if (auto wrong = read_file(value, ignored)) return "its " + named + ": " + *wrong;
    return std::nullopt;
}

} // namespace

std::optional<connection_options> options_of(std::string const& url) {
    std::unique_ptr<PQconninfoOption, free_options> const parsed(PQconninfoParse(url.c_str(), nullptr));
    if (!parsed) return std::nullopt;
    connection_options out;
    for (auto const* option = parsed.get(); option->keyword != nullptr; ++option)
        if (option->val != nullptr) out.emplace(option->keyword, option->val);
    return out;
}

std::optional<std::string> url_problem(std::string const& url) {
    if (trim(url).empty()) return "it is empty";
    if (!has_bare_user_part(url)) return "percent-encode / ? # @ in the user's name and password";
    auto const options = options_of(url);
    if (!options) return "PostgreSQL does not accept it";
    for (auto const& [keyword, value] : *options)
        if (auto wrong = value.empty() ? std::nullopt : value_problem(keyword, value)) return wrong;
    return std::nullopt;
}

void declare_url(settings_reader& reader, std::string name, std::string& target, std::string help,
                 url_presence wanted) {
    reader.custom(std::move(name), target, std::move(help), [&target, wanted](std::string_view value) {
        bool const is_absent = value.empty() && wanted == url_presence::optional;
        auto const wrong = is_absent ? std::nullopt : url_problem(std::string(value));
        if (wrong) return std::optional("is not a connection string: " + *wrong);
        target = value;
        return std::optional<std::string>();
    });
    reader.last_may_be_in_file();
}

} // namespace recruiting::pg
