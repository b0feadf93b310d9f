// What an endpoint is: two pure functions. From the call come a plan (what to count, which statements to run) and a
// function that makes the answer of their rows; dispatch does the I/O in between, for all of them alike.
#pragma once
#include "core/error.hpp"
#include "core/time.hpp"
#include "http/cursor.hpp"
#include "http/message.hpp"
#include "http/path.hpp"
#include "pg/params.hpp"
#include "pg/rows.hpp"
#include "public_api/catalogue/catalogue.hpp"
#include "public_api/settings.hpp"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace recruiting::public_api {

/// The API's paths begin with this prefix.
inline constexpr std::string_view prefix = "/api/public/v1";
inline constexpr std::string_view pages = ""; // for people: /careers, /interviews, /widget; not in the OpenAPI document
/// The built documentation. Its responses are the site's own: without CORS, and GET and HEAD are its only methods.
inline constexpr std::string_view documentation = "/docs";

struct call {
    http::request const& request;
    http::path_params const& params;
    std::string_view client; // the address as text, "" when it can't be told
    std::string_view request_id;
    timestamp now;
    catalogue const& published; // one snapshot for the whole request
    http::token_signer const& cursors;
    settings const& config;
    shared_site const* documents; // nullptr: no documentation is served
};

/// A limit that this request counts against, whatever becomes of it.
struct counted_use {
    std::string_view name; // "booking_address", for metrics; a literal
    std::string key;       // whose count; nothing of it may be a candidate's data in clear
    std::int64_t most{0};
    std::chrono::seconds window{0}; // fixed, on the clock (UTC)
    /// A count that clients share: beyond it nothing is refused, and the plan's excess_segment is run. It comes after
    /// those that refuse, and does not count what they refuse.
    bool is_silent{false};
};

/// A limit that PostgreSQL counts in the segment itself, and the constraint it names when the limit is reached.
struct database_limit {
    std::string_view constraint;
    counted_use use;
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

using action = result<plan> (*)(call const&);

} // namespace recruiting::public_api
