// What a change of the console is: a function on a thread of the change pool, inside a transaction that has
// authenticated the session. The function writes its audit row there too; the pool commits when it returns an answer
// and rolls back when it returns an error or throws. routes.cpp lists the functions.
#pragma once
#include "auth/principal.hpp"
#include "core/error.hpp"
#include "core/ids.hpp"
#include "directory/records.hpp"
#include "http/endpoint.hpp"
#include "http/message.hpp"
#include "http/query.hpp"

#include <string_view>

namespace recruiting::pg {
class client;
} // namespace recruiting::pg

namespace recruiting::auth_api {
struct settings;
} // namespace recruiting::auth_api

namespace recruiting::auth_api::console {

/// A change_function blocks, refuses unknown fields of body and unknown parameters itself, and throws as pg::client
/// does.
struct change_input {
    pg::client& database;
    auth::principal const& member; // kind member: the session's, in the organization it has chosen
    std::string_view organization_slug;
    http::path_params const& path;
    http::query_reader& query;
    std::string_view body; // JSON, of operations that take one
    settings const& config;
    std::string_view request_id;
};

/// The session's member, as the audit log names them.
[[nodiscard]] directory::actor actor_of(change_input const& in);

} // namespace recruiting::auth_api::console
