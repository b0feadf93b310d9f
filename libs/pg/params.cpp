#include "pg/params.hpp"

namespace recruiting::pg {

void append_array_element(std::string& literal, std::string_view value) {
    literal += '"';
    for (char const c : value) {
        if (c == '"' || c == '\\') literal += '\\';
        literal += c;
    }
    literal += '"';
}

params& params::text_array(std::vector<std::string> const& values) {
    std::string literal{"{"};
    for (auto const& value : values) {
        if (literal.size() > 1) literal += ',';
        append_array_element(literal, value);
    }
    literal += '}';
    return push(std::move(literal), false);
}

} // namespace recruiting::pg
