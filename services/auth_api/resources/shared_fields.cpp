#include "auth_api/resources/shared_fields.hpp"

#include "core/text.hpp"

#include <algorithm>

namespace recruiting::auth_api {
namespace {

bool is_word_byte(char c) noexcept { return static_cast<unsigned char>(c) >= 0x80 || is_alphanumeric(c); }

} // namespace

void write_location(http::json_writer& json, pg::rows const& rows, int row, int first) {
    using columns = location_columns;
    json.key("location");
    bool known = false;
    for (int i = 0; i < columns::count; ++i) known = known || !rows.is_null(row, first + i);
    if (!known) {
        json.null();
        return;
    }
    json.open_object()
        .field("name", rows.optional_text(row, first + columns::name))
        .field("city", rows.optional_text(row, first + columns::city))
        .field("region", rows.optional_text(row, first + columns::region))
        .field("countryCode", rows.optional_text(row, first + columns::country_code))
        .close_object();
}

std::optional<std::string> read_search(http::query_reader& query) {
    auto q = query.text("q");
    if (q && std::ranges::none_of(*q, is_word_byte)) query.problem("q", "invalid", "Must hold a letter or a digit.");
    return q;
}

bool may_read_members(auth::principal const& principal) {
    return principal.effective.test(*scope_index("members:read"));
}

bool may_read_candidates(auth::principal const& principal) {
    return principal.effective.test(*scope_index("candidates:read"));
}

} // namespace recruiting::auth_api
