// What a read endpoint is: bind turns the request into statements, render turns their rows into the answer. Neither
// does I/O and neither narrows rows for the caller: the database does (row-level security).
#pragma once
#include "auth/principal.hpp"
#include "core/error.hpp"
#include "http/endpoint.hpp"
#include "http/message.hpp"
#include "http/query.hpp"
#include "pg/params.hpp"
#include "pg/rows.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace recruiting::auth_api {

struct bind_input {
    http::path_params const& path;
    http::query_reader& query;
    http::token_signer const& signer;
    std::string_view accept{}; // the Accept field
};

struct render_context {
    auth::principal const& principal;
    http::token_signer const& signer;
    std::string_view path; // of the request, for Link
    std::string_view query;
    std::string_view public_url; // where browsers reach the installation
};

/// A list too long for one answer: read page after page, each with its own authentication, and streamed.
class export_pages {
public:
    virtual ~export_pages() = default;
    /// What stands before the first row (a CSV header line).
    virtual void begin(std::string& out) = 0;
    [[nodiscard]] virtual pg::statement next_page() const = 0;
    /// Appends a page's rows; false after the last page.
    [[nodiscard]] virtual bool append(pg::rows const& page, std::string& out) = 0;
};

/// What a read asks of the database: decides which connections run it, and how one is refused that takes too long.
enum class read_cost : std::uint8_t {
    indexed, // a record by its key, or a page in the order of an index: reads hardly more rows than it returns
    search,  // reads rows that it does not return: text, filters without an index of their own
    bulk,    // in an index's order, but long: syncs, exports, large pages, long records
};

using render_function = std::function<result<void>(std::span<pg::rows const>, render_context const&, http::response&)>;

struct prepared_read {
    std::vector<pg::statement> statements;
    render_function render{};
    std::shared_ptr<export_pages> pages{}; // set: render only gives the head, the body is streamed from these
    read_cost cost{read_cost::indexed};
    std::string_view costly_parameter{}; // the one that makes it a search: named when that takes too long
    bool seals_first{false};             // it shows the audit rows of all requests that were answered before
    bool may_be_behind{false}; // a standby may answer it: long, and neither credentials, members nor syncs are in it
};

using bind_function = result<prepared_read> (*)(bind_input&);

/// The id in the path; not well-formed is the same 404 as unknown.
template <class Input>
[[nodiscard]] result<uuid> path_id(Input const& in) {
    if (auto const id = parse_id(in.path[0])) return *id;
    return make_error(error_code::not_found);
}
/// Refuses parameters that no code read; then every problem of the query at once.
template <class Input>
[[nodiscard]] result<void> finish_query(Input& in) {
    in.query.refuse_unknown();
    if (!in.query.ok()) return invalid_request(in.query.take_problems());
    return {};
}

} // namespace recruiting::auth_api
