#include "auth_api/resources/location_json.hpp"

namespace recruiting::auth_api {

void write_location(http::json_writer& json, pg::rows const& rows, int row, int first) {
    json.key("location");
    bool known = false;
    for (int i = 0; i < 4; ++i) known = known || !rows.is_null(row, first + i);
    if (!known) {
        json.null();
        return;
    }
    json.open_object()
        .field("name", rows.optional_text(row, first))
        .field("city", rows.optional_text(row, first + 1))
        .field("region", rows.optional_text(row, first + 2))
        .field("countryCode", rows.optional_text(row, first + 3))
        .close_object();
}

} // namespace recruiting::auth_api
