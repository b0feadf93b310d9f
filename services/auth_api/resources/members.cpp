#include "auth_api/resources/members.hpp"

#include "auth_api/resources/members_store.hpp"

#include <algorithm>

namespace recruiting::auth_api {
namespace {

void write_member(http::json_writer& json, pg::rows const& rows, int row) {
    json.open_object()
        .field("id", rows.id(row, 0))
        .field("email", rows.text(row, 4))
        .field("name", rows.text(row, 3))
        .field("title", rows.optional_text(row, 5))
        .field("role", rows.text(row, 6))
        .field("status", rows.text(row, 7))
        .field("createdAt", rows.time(row, 1))
        .field("updatedAt", rows.time(row, 2))
        .field("deletedAt", rows.optional_time(row, 8))
        .close_object();
}

} // namespace

result<prepared_read> list_members(bind_input& in) {
    list_query list(in, member_list);
    if (auto const roles =
            http::read_choices(in.query, "role", {"admin", "recruiter", "hiring_manager", "interviewer", "viewer"}))
        list.where_any({"role", "m.role = ?"}, *roles);
    if (auto const statuses = http::read_choices(in.query, "status", {"active", "invited", "removed"})) {
        list.where_any({"status", "m.status = ?"}, *statuses);
        if (std::ranges::find(*statuses, "removed") != statuses->end()) list.include_deleted();
    }
    auto statements = list.statements();
    if (auto const checked = finish_query(in); !checked) return checked.error();
    return list.prepared(std::move(statements), [list](std::span<pg::rows const> results, render_context const& context,
                                                       http::response& answer) {
        return list.render(results, context, answer, write_member);
    });
}

} // namespace recruiting::auth_api
