#include "pg/session_store.hpp"

#include "core/text.hpp"

#include <stdexcept>

namespace recruiting::pg {
namespace {

// One statement, whatever their number. It counts the results, so that PostgreSQL evaluates each of them.
constexpr std::string_view set_parameters =
    "SELECT count(set_config(name, value, false)) FROM unnest($1::text[], $2::text[]) AS p (name, value)";

} // namespace

std::vector<std::pair<std::string, std::string>> parse_options(std::string_view options) {
    std::vector<std::pair<std::string, std::string>> out;
    bool follows = false; // a parameter, after -c
    for (auto const word : split(options, ' ')) {
        if (word.empty()) continue;
        auto const equals = word.find('=');
        if (follows != (word != "-c") || (follows && equals == word.npos))
            throw std::logic_error("session options must be -c name=value");
        if (follows) out.emplace_back(word.substr(0, equals), word.substr(equals + 1));
        follows = !follows;
    }
    if (follows) throw std::logic_error("session options must be -c name=value");
    return out;
}

statement set_session(std::string_view options) {
    std::vector<std::string> names;
    std::vector<std::string> values;
    for (auto& [name, value] : parse_options(options)) {
        names.push_back(name);
        values.push_back(value);
    }
    return {std::string(set_parameters), params{}.text_array(names).text_array(values)};
}

} // namespace recruiting::pg
