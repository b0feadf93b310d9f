// Executes authenticated reads: statements behind [authenticate] in one segment, then the authorization. A read of an
// endpoint also renders what they found. The only file that does I/O for reads; dispatch and the agent call it.
#pragma once
#include "async/task.hpp"
#include "auth_api/http/resource.hpp"
#include "auth_api/http/shared_reads.hpp"
#include "auth_api/http/standby_reads.hpp"
#include "pg/pipeline.hpp"

#include <optional>

namespace recruiting::auth_api {

/// How the statements of reads are planned (libpq's options of their connections; the plans' test sets the same).
inline constexpr std::string_view plan_options = "-c plan_cache_mode=force_generic_plan -c jit=off "
                                                 "-c enable_seqscan=off -c enable_bitmapscan=off "
                                                 "-c enable_hashjoin=off -c enable_mergejoin=off "
                                                 "-c max_parallel_workers_per_gather=0";

struct read_request {
    auth::credential presented;
    auth::request_facts facts;
    std::string_view required_scope;
    result<prepared_read> bound; // an error is answered only after the authorization
    tracing::parent trace{};     // what the read is part of
    std::string_view path{};     // for Link
    std::string_view query{};
};

struct query_result {
    std::shared_ptr<auth::principal const> principal; // null: the credential is not known
    std::optional<api_error> error;
    std::vector<pg::rows> rows;    // when there is no error
    std::int64_t waiting_limit{0}; // that the request went beyond, when it was refused for that
};

struct read_response : query_result {
    http::response answer; // rendered from the rows, when there is no error
};

struct read_connections {
    shared_reads& reads;
    std::string_view public_url;     // where browsers reach the deployment
    standby_reads* standby{nullptr}; // of reads that may be behind; null: the primary alone is read
};

/// Authenticates, runs the statements and authorizes, for callers that read the rows themselves. Takes the statements
/// out of the request. Throws outage when PostgreSQL is unavailable, or busy for too long.
[[nodiscard]] task<query_result> authenticated_query(read_connections on, read_request& request);
/// The same, and renders what was found.
[[nodiscard]] task<read_response> execute_read(read_connections on, http::token_signer const& signer,
                                               read_request& request);

} // namespace recruiting::auth_api
