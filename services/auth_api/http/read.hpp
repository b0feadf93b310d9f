// Executes authenticated reads: statements behind [authenticate] in one segment, then the authorization. A read of an
// endpoint also renders what they found. All I/O of reads is here; dispatch and the agent call it.
#pragma once
#include "async/task.hpp"
#include "auth_api/http/resource.hpp"
#include "auth_api/http/shared_reads.hpp"
#include "pg/pipeline.hpp"
#include "pg/standby_store.hpp"

#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace recruiting::auth_api {

/// How the statements of reads are planned (libpq's options of their connections; the plans' test sets the same).
inline constexpr std::string_view plan_options = "-c plan_cache_mode=force_generic_plan -c jit=off "
                                                 "-c enable_seqscan=off -c enable_bitmapscan=off "
                                                 "-c enable_hashjoin=off -c enable_mergejoin=off "
                                                 "-c max_parallel_workers_per_gather=0";

/// The reads that a standby may answer, by their outcome; all are 0 without one.
struct standby_counts {
    explicit standby_counts(metrics::registry& registry);

    std::map<std::string_view, metrics::counter*> by_outcome;
};
struct standby_outcome;

/// Runs long reads on a standby, when it has the key as the primary has it and its lag is at most the permitted one;
/// otherwise on the primary (decision 0102). The key is authenticated on the primary before and after the read. One per
/// thread, owned by a shared_ptr: reads in progress keep it alive.
class standby_reads : public std::enable_shared_from_this<standby_reads> {
public:
    struct connections { // to the standby
        pg::pipeline_settings searches;
        pg::pipeline_settings bulk;
    };

    standby_reads(asio::io_context& context, ticker& clock, shared_reads& primary, connections on,
                  standby_counts const& counts, read_queue_settings const& limits, metrics::registry& metrics);

    /// Takes and throws what shared_reads::run does; the principal is the one that the primary has.
    [[nodiscard]] task<shared_result> run(auth::credential presented, std::vector<pg::statement> statements,
                                          read_cost cost);

private:
    struct answer;

    [[nodiscard]] bool is_worth_asking(read_cost cost);
    [[nodiscard]] task<std::optional<shared_result>>
    try_standby(auth::credential const& presented, std::vector<pg::statement> const& statements, read_cost cost);
    [[nodiscard]] task<answer> ask(auth::credential const& presented, std::vector<pg::statement> statements,
                                   read_cost cost, pg::server_moment const& of_primary);
    void note(standby_outcome const& what);

    pg::pipeline searches_;
    pg::pipeline bulk_;
    shared_reads& primary_;
    shared_reads standby_;
    standby_counts const& counts_;
    pg::standby_use use_;
};

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
    std::string_view public_url;     // where browsers reach the installation
    standby_reads* standby{nullptr}; // of reads that may be behind; null: the primary alone is read
};

/// Authenticates, runs the statements and authorizes, for callers that read the rows themselves. Takes the statements
/// out of the request. Throws outage when PostgreSQL is unavailable, or busy for too long.
[[nodiscard]] task<query_result> authenticated_query(read_connections on, read_request& request);
/// Runs authenticated_query and renders the rows that it found.
[[nodiscard]] task<read_response> execute_read(read_connections on, http::token_signer const& signer,
                                               read_request& request);

} // namespace recruiting::auth_api
