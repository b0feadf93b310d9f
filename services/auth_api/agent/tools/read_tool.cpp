#include "auth_api/agent/tools/read_tool.hpp"

#include "auth_api/agent/tools/cut.hpp"

#include <algorithm>

namespace recruiting::auth_api::agent {
namespace {

result<prepared_read> bind(tool_runtime on, tool const& which, tool_request const& asked) {
    http::request request;
    request.method = "GET";
    request.path = asked.path;
    request.query = asked.query;
    http::query_reader query(asked.query);
    bind_input in{request, asked.path_values, query, on.signer};
    auto bound = which.bind(in);
    if (!bound) return as_argument_error(bound.error());
    return bound;
}

// A list that came out too long is asked for again with fewer rows, so that its cursor goes on where it ends.
std::int64_t smaller_limit(std::int64_t limit, std::size_t size, std::size_t most) {
    auto const fitting = limit * static_cast<std::int64_t>(most) / static_cast<std::int64_t>(size);
    return std::max<std::int64_t>(1, std::min(limit / 2, fitting));
}

} // namespace

task<tool_outcome> run_read_tool(tool_runtime on, run_context const& run, tool const* which, result<tool_input> input) {
    for (;;) {
        tool_request asked;
        read_request request{run.secret_hash, {}, {}, make_error(error_code::not_found), {}, {}, on.trace};
        request.facts.client = run.client;
        if (which != nullptr) request.required_scope = which->scope;
        if (which != nullptr && input) {
            asked = request_of(*which, *input);
            request.bound = bind(on, *which, asked);
            request.path = asked.path;
            request.query = asked.query;
        } else {
            request.bound = input.error();
        }
        auto read = co_await execute_read(on.reads, on.signer, request);
        tool_outcome out{std::move(read.who), std::move(read.error), std::move(read.answer.body)};
        if (out.error || out.content.size() <= on.result_limit) co_return out;
        auto const limit = input->limit();
        if (!which->is_list() || limit <= 1) {
            out.content = cut_record(out.content, on.result_limit);
            co_return out;
        }
        input->set_limit(smaller_limit(limit, out.content.size(), on.result_limit));
    }
}

} // namespace recruiting::auth_api::agent
