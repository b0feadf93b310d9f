// The audit row of a change, written in the change's own transaction: neither can exist without the other.
#pragma once
#include "directory/records.hpp"
#include "pg/client.hpp"

namespace recruiting::directory {

struct change {
    uuid organization_id;
    std::string_view action;      // "member.added"
    std::string_view target_type; // "member"
    uuid target_id;
};

/// The INSERT of the row, of one row each of a FROM that may follow: where a change and its row are one statement. Its
/// parameters are $1 to $14.
[[nodiscard]] pg::statement change_row(change const& made, actor const& by);

void record_change(pg::client& database, change const& made, actor const& by);

} // namespace recruiting::directory
