// What an endpoint is: two pure functions. From its input come a plan (what to count, which statements to run) and a
// function that makes the answer of their rows; dispatch does the I/O in between, for all of them alike.
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
#include <utility>
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
    std::string const& public_url; // where browsers reach this deployment; without a slash at its end
    booking_settings const& booking;
    digest const& limit_key;            // under which addresses and clients are hashed before they are counted
    http::static_site const* documents; // nullptr: no documentation is served
};

struct plan {
    std::vector<counted_use> counted;   // all are counted; any over its limit: 429 with Retry-After, nothing is run
    std::vector<pg::statement> segment; // one transaction; empty: nothing to ask the database
    std::vector<pg::statement> excess_segment; // instead of segment, when a silent limit is exceeded
    std::vector<database_limit> database_limits;
    std::function<result<http::response>(std::vector<pg::rows> const&)> render;
    std::optional<http::response>
        ready; // the answer itself, where no statement is needed: instead of segment and render
    /// What a failed statement means, where a caller can cause it (a constraint's name); nullopt: an outage or a bug.
    std::function<std::optional<result<http::response>>(std::string_view sqlstate, std::string_view constraint)>
        on_violation;
};

[[nodiscard]] inline plan answered(http::response answer) {
    plan made;
    made.ready = std::move(answer);
    return made;
}

using action = result<plan> (*)(action_input const&);

} // namespace recruiting::public_api
