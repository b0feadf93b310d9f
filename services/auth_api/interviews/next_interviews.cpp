#include "auth_api/interviews/next_interviews.hpp"

namespace recruiting::auth_api {

// A member's name is shown only to a key that could read the member too.
next_interviews::next_interviews(pg::rows const& rows, auth::principal const& who)
    : rows_(rows), names_(who.effective.test(*scope_index("members:read"))) {
    for (int row = 0; row < rows.size(); ++row) first_.try_emplace(rows.id(row, 0), row);
}

void next_interviews::write(http::json_writer& json, uuid const& application) const {
    json.key("nextInterview");
    auto const found = first_.find(application);
    if (found == first_.end()) {
        json.null();
        return;
    }
    int const row = found->second;
    json.open_object()
        .field("bookingId", rows_.id(row, 1))
        .field("startsAt", rows_.time(row, 2))
        .field("endsAt", rows_.time(row, 3))
        .field("stageId", rows_.id(row, 4))
        .key("interviewer");
    json.open_object().field("memberId", rows_.id(row, 5)).key("name");
    if (names_) json.value(rows_.text(row, 6));
    else json.null();
    json.close_object().close_object();
}

} // namespace recruiting::auth_api
