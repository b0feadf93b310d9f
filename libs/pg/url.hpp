// Connection strings: what is wrong with one, before libpq quotes it.
#pragma once
#include <functional>
#include <map>
#include <optional>
#include <string>

namespace recruiting {
class settings_reader;
}

namespace recruiting::pg {

using connection_options = std::map<std::string, std::string, std::less<>>; // by keyword

/// What the connection string says, without libpq's defaults, with the password; nothing when libpq can't parse it.
[[nodiscard]] std::optional<connection_options> options_of(std::string const& url);

/// What is wrong with a connection string (a URL or keyword=value pairs), or nothing when libpq can connect with it.
/// The text holds nothing of the string but the paths of certificates: libpq's own complaints quote it, password and
/// all. Certificates and keys that it names are read.
[[nodiscard]] std::optional<std::string> url_problem(std::string const& url);
enum class url_presence { required, optional };
/// A setting that holds a connection string, which may stand in a file (NAME_FILE); an optional one may be empty.
void declare_url(settings_reader& reader, std::string name, std::string& target, std::string help,
                 url_presence wanted = url_presence::required);

} // namespace recruiting::pg
