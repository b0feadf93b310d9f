// What an endpoint is: two pure functions. From the call come the statements to run, and a function that makes the
// answer of their rows; dispatch does the I/O in between, for all of them alike.
#pragma once
#include "core/error.hpp"
#include "http/cursor.hpp"
#include "http/message.hpp"
#include "http/path.hpp"
#include "pg/params.hpp"
#include "pg/rows.hpp"

#include <functional>
#include <string_view>
#include <vector>

namespace recruiting::public_api {

struct call {
    http::path_params const& params;
    std::string_view path;  // with the prefix, as received
    std::string_view query; // percent-encoded
    http::token_signer const& cursors;
};

struct read {
    std::vector<pg::statement> segment; // one transaction; empty: nothing to ask the database
    std::function<result<http::response>(std::vector<pg::rows> const&)> render;
};

using action = result<read> (*)(call const&);

} // namespace recruiting::public_api
