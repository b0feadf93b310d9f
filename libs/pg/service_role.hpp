// The database roles of the services, as the migrations make them: row-level security holds for a program only while it
// works as its own role and nothing else.
#pragma once
#include <span>
#include <string_view>

namespace recruiting::pg {

/// On a relation of the schema recruiting; of a table, on any of its columns.
struct relation_right {
    std::string_view relation;
    std::string_view privilege; // "SELECT"
};

struct service_role {
    std::string_view name;
    std::span<relation_right const> own;     // samples of what the migrations grant it
    std::span<relation_right const> foreign; // and of what they grant to another role only
};

extern service_role const auth_role;   // of auth-api
extern service_role const public_role; // of public-api

} // namespace recruiting::pg
