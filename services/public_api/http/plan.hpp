// What an endpoint is: two pure functions. From its input comes a plan (the answer, or what to count and which
// statements to run) with a function that makes the answer of their rows; dispatch does the I/O in between, for all of
// them alike.
#pragma once
#include "core/error.hpp"
#include "core/time.hpp"
#include "crypto/digest.hpp"
#include "http/endpoint.hpp"
#include "http/message.hpp"
#include "http/query.hpp"
#include "pg/params.hpp"
#include "pg/rows.hpp"
#include "public_api/limits/limits.hpp"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace recruiting::http {
class static_site;
}

namespace recruiting::public_api {

/// The API's paths begin with this prefix.
inline constexpr std::string_view prefix = "/api/public/v1";
/// The built documentation. Its responses are the site's own: without CORS, and GET and HEAD are its only methods.
inline constexpr std::string_view documentation = "/docs";

class body_cache;
class catalogue;
struct booking_settings;

/// A request as endpoints see it.
struct action_input {
    http::request const& request;
    http::path_params const& params;
    std::string_view client; // the address as text, "" when it is unknown
    std::string_view request_id;
    timestamp now;
    catalogue const& published; // one snapshot for the whole request
    body_cache& job_bodies;     // of the thread: GET /jobs/{id}'s bodies by their ETag
    http::token_signer const& cursors;
    std::string const& public_url; // where browsers reach this installation; without a slash at its end
    booking_settings const& booking;
    // Under each of these, addresses and clients are hashed and counted: two while the cursor secret is rotated.
    std::vector<digest> const& limit_keys;
    http::static_site const* documents; // nullptr: no documentation is served
};

/// Makes the answer of the rows of each statement.
using renderer = std::function<result<http::response>(std::vector<pg::rows> const&)>;

/// Statements that are one transaction, and the answer to their rows.
struct database_query {
    std::vector<pg::statement> statements; // none: the database is not asked, and render gets no rows
    renderer render;
};

/// A query that is counted first, in Redis. One use over its limit: 429 with Retry-After, and the database is not
/// asked.
struct counted_query {
    std::vector<counted_use> uses;
    database_query query;
    std::vector<pg::statement> excess_statements; // instead of the query's, when a silent limit is exceeded
};

/// A change whose limits the database counts, and whose constraints a client can violate.
struct limited_change {
    database_query query;
    std::vector<database_limit> limits;
    /// The answer to a violation that the client caused; nullopt: the statement failed by an outage or a bug.
    std::function<std::optional<result<http::response>>(std::string_view sqlstate, std::string_view constraint)>
        on_violation;
};

/// A response: memory was enough to make it.
using plan = std::variant<http::response, database_query, counted_query, limited_change>;

using action = result<plan> (*)(action_input const&);

} // namespace recruiting::public_api
