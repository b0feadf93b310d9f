#include "auth_api/resources/next_interviews.hpp"

namespace recruiting::auth_api {

// A member's name is shown only to a key that could read the member too.
next_interviews::next_interviews(pg::rows const& rows, auth::principal const& who)
    : rows_(rows), names_(who.effective.test(*scope_index("members:read"))) {
    for (int row = 0; row < rows.size(); ++row) first_.try_emplace(rows.id(row, 0), row);
}

void next_interviews::write(http::json_writer& json, uuid const& application) const {
    auto const found = first_.find(application);
    if (found == first_.end()) json.key("nextInterview").null();
    else write_next_interview(json, rows_, found->second, 1, names_);
}

void write_next_interview(http::json_writer& json, pg::rows const& rows, int row, int first, bool names) {
    json.key("nextInterview");
    if (rows.is_null(row, first)) {
        json.null();
        return;
    }
    json.open_object()
        .field("bookingId", rows.id(row, first))
        .field("startsAt", rows.time(row, first + 1))
        .field("endsAt", rows.time(row, first + 2))
        .field("stageId", rows.id(row, first + 3))
        .key("interviewer");
    json.open_object().field("memberId", rows.id(row, first + 4)).key("name");
    if (names) json.value(rows.text(row, first + 5));
    else json.null();
    json.close_object().close_object();
}

} // namespace recruiting::auth_api
