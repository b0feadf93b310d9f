#include "auth_api/resources/shared_fields.hpp"

namespace recruiting::auth_api {

void write_columns(http::json_writer& json, pg::row& row, std::initializer_list<std::string_view> names) {
    for (auto const name : names) {
        json.key(name);
        auto const column = row.optional_value();
        if (column) std::visit([&json](auto const& value) { json.value(value); }, *column);
        else json.null();
    }
}

void write_object(http::json_writer& json, pg::row& row, std::initializer_list<std::string_view> names) {
    json.open_object();
    write_columns(json, row, names);
    json.close_object();
}

void write_optional_object(http::json_writer& json, pg::row& row, std::initializer_list<std::string_view> names) {
    if (!row.is_null()) return write_object(json, row, names);
    row.skip(static_cast<int>(names.size()));
    json.null();
}

void write_texts(http::json_writer& json, std::string_view name, std::span<std::string const> texts) {
    json.key(name).open_array();
    for (auto const& text : texts) json.value(std::string_view(text));
    json.close_array();
}

void write_scopes(http::json_writer& json, std::string_view name, scope_set const& scopes) {
    write_texts(json, name, auth::scope_names(scopes));
}

bool may_read_members(auth::principal const& principal) {
    return principal.effective.test(*scope_index("members:read"));
}

bool may_read_candidates(auth::principal const& principal) {
    return principal.effective.test(*scope_index("candidates:read"));
}

} // namespace recruiting::auth_api
