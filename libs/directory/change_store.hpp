// The audit row of a change, written in the change's own transaction: neither can exist without the other.
#pragma once
#include "directory/actor.hpp"
#include "pg/client.hpp"

namespace recruiting::directory {

struct change {
    uuid organization_id;
    std::string_view action;      // "member.added"
    std::string_view target_type; // "member"
    uuid target_id;
};

void record_change(pg::client& database, change const& made, actor const& by);

} // namespace recruiting::directory
