// Executes one authenticated read: one segment of [authenticate] and the endpoint's statements, the verdict, then
// render. The only file that does I/O for reads; dispatch and the agent's tools call it.
#pragma once
#include "async/task.hpp"
#include "auth/authenticate_store.hpp"
#include "auth_api/resource.hpp"
#include "pg/pipeline.hpp"

#include <optional>

namespace recruiting::auth_api {

struct read_request {
    digest secret_hash;
    auth::request_facts facts;
    std::string_view required_scope;
    result<prepared_read> bound;  // an error is answered only after the verdict (design: order of checks)
    std::string_view path;        // for Link
    std::string_view query;
};

struct read_outcome {
    std::optional<auth::principal> who; // nothing: no key has that secret
    std::optional<api_error> error;
    http::response answer;              // when there is no error
};

struct read_connections {
    pg::pipeline& reads;
    pg::pipeline& exports; // a long export never stands in a request's way
};

/// Throws outage when PostgreSQL is away.
[[nodiscard]] task<read_outcome> execute_read(read_connections on, http::token_signer const& signer,
                                              read_request const& request);

} // namespace recruiting::auth_api
