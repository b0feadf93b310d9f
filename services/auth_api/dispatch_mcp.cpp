// POST /api/v1/mcp: a message of the Model Context Protocol is answered through the endpoint's code that does the same,
// under the same checks. What the API refuses is refused as everywhere; a call that the model can correct is a result.
#include "auth_api/agent/tools/read_tool.hpp"
#include "auth_api/dispatch.hpp"
#include "auth_api/mcp/message.hpp"
#include "auth_api/mcp/offers.hpp"
#include "http/handler.hpp"
#include "http/json_writer.hpp"
#include "http/problem.hpp"

namespace recruiting::auth_api {
namespace {

namespace json = boost::json;

constexpr std::chrono::milliseconds run_patience{2'000}; // a run that ends within it needs no stream
constexpr std::chrono::milliseconds sign_of_life{5'000}; // between two pieces of a stream
constexpr std::chrono::milliseconds poll_interval{50};

struct plan {
    mcp::message asked;
    std::optional<mcp::protocol_error> error;
    agent::tool const* tool{nullptr}; // that is called, or whose record is read
    agent::tool_input input{};        // of a call
    agent::tool_request request{};
    result<prepared_read> bound{prepared_read{}};

    [[nodiscard]] bool is_call() const noexcept { return asked.wanted == mcp::method::call_tool; }
};

mcp::protocol_error wrong_params(std::string text, error_code ours = error_code::invalid_request) {
    return {mcp::invalid_params, 200, ours, std::move(text)};
}

void plan_call(plan& out, http::token_signer const& signer) {
    auto const* const which = agent::find_tool(mcp::text_of(out.asked.params, "name"), agent::caller::assistant);
    if (which == nullptr) {
        out.error = wrong_params("There is no such tool.", error_code::not_found);
        return;
    }
    out.tool = which;
    static json::object const none;
    auto const* const given = out.asked.params.if_contains("arguments");
    if (given != nullptr && !given->is_object()) {
        out.error = wrong_params("arguments must be an object.");
        return;
    }
    auto input =
        agent::read_arguments(*which, given == nullptr ? none : given->get_object(), agent::assistant_list_limit);
    if (!input) {
        out.bound = input.error();
        return;
    }
    out.input = std::move(*input);
    if (which->bind == nullptr) return;
    out.request = agent::request_of(*which, out.input);
    out.bound = agent::bind_tool(signer, *which, out.request);
}

mcp::protocol_error no_such_resource(mcp::message const& asked) {
    auto const code = asked.stateless ? mcp::invalid_params : mcp::resource_not_found;
    return {code, 200, error_code::not_found, "There is no such resource."};
}

void plan_resource(plan& out, http::token_signer const& signer) {
    auto found = mcp::find_resource(mcp::text_of(out.asked.params, "uri"));
    if (!found) {
        out.error = no_such_resource(out.asked);
        return;
    }
    out.tool = found->tool;
    out.request = std::move(found->request);
    out.bound = agent::bind_tool(signer, *out.tool, out.request);
}

bool is_whole_list(mcp::method wanted) {
    using enum mcp::method;
    return wanted == list_tools || wanted == list_resources || wanted == list_resource_templates ||
           wanted == list_prompts;
}

plan plan_of(http::request const& req, http::token_signer const& signer) {
    plan out;
    out.bound->render = [](std::span<pg::rows const>, render_context const&, http::response&) {
        return result<void>();
    };
    if (auto refused = http::refuse_body(req, "application/json")) {
        out.bound = std::move(*refused);
        return out;
    }
    auto read = mcp::read_message(req);
    out.asked = std::move(read.asked);
    out.error = std::move(read.error);
    if (out.error) return out;
    if (out.is_call()) plan_call(out, signer);
    else if (out.asked.wanted == mcp::method::read_resource) plan_resource(out, signer);
    else if (is_whole_list(out.asked.wanted) && out.asked.params.contains("cursor"))
        out.error = wrong_params("This list is one page: no cursor was given for it.");
    return out;
}

http::response with_body(std::string body, unsigned status = 200) {
    http::response answer;
    answer.status = status;
    answer.body = std::move(body);
    return answer;
}

http::response error_answer(request_context& context, mcp::message const& asked, mcp::protocol_error const& error) {
    context.error = to_string(error.ours);
    context.audited_status = http_status(error.ours);
    return with_body(mcp::error_text(asked, error, context.request_id), error.status);
}

// The model reads why, and asks otherwise. What concerns the key, or lies with us, is no answer of the tool.
bool is_for_model(api_error const& error) {
    auto const status = http_status(error.code);
    return status == 400 || status == 404 || status == 409;
}

result<http::response> refuse_plan(request_context& context, plan const& of, api_error error) {
    if (of.tool == nullptr || !is_for_model(error)) return error;
    if (!of.is_call()) return error_answer(context, of.asked, no_such_resource(of.asked));
    context.error = to_string(error.code);
    context.audited_status = http_status(error.code);
    auto const body = http::problem_response(error, context.request_id, {}).body;
    return with_body(mcp::result_text(of.asked, mcp::tool_refusal(body)));
}

http::response result_answer(mcp::message const& asked, std::string_view members) {
    return with_body(mcp::result_text(asked, members));
}

http::response answer_plan(request_context& context, plan const& of, std::string_view body) {
    using enum mcp::method;
    auto const& asked = of.asked;
    auto const& caller = *context.principal;
    if (of.error) return error_answer(context, asked, *of.error);
    switch (asked.wanted) {
    case unknown: break;
    case notification: {
        http::response accepted;
        accepted.status = 202;
        accepted.content_type = {};
        return accepted;
    }
    case discover: return result_answer(asked, mcp::discovered());
    case initialize: return result_answer(asked, mcp::initialized(asked));
    case ping: return result_answer(asked, {});
    case list_tools: return result_answer(asked, mcp::tools_for(caller));
    case call_tool: return result_answer(asked, mcp::tool_answer(body));
    case list_resources: return result_answer(asked, mcp::resources_for(caller));
    case list_resource_templates: return result_answer(asked, mcp::resource_templates_for(caller));
    case read_resource: return result_answer(asked, mcp::resource_answer(mcp::text_of(asked.params, "uri"), body));
    case list_prompts: return result_answer(asked, mcp::all_prompts());
    case get_prompt: {
        auto const found = mcp::prompt_for(asked.params);
        if (found) return result_answer(asked, *found);
        return error_answer(context, asked, wrong_params("There is no such prompt, or its argument is not an id."));
    }
    }
    return {};
}

// The request of POST /agent/invoke that a call of agent_invoke means.
struct invocation_request {
    explicit invocation_request(plan const& of) {
        http::json_writer json(body);
        json.open_object();
        for (auto const* const name : {"prompt", "sessionId"})
            if (auto const found = of.input.values.find(name); found != of.input.values.end())
                json.field(name, found->second);
        json.close_object();
        req.method = "POST";
        req.path = of.tool->endpoint;
        req.body = body;
        req.headers.emplace_back("Content-Type", "application/json");
        if (auto const found = of.input.values.find("idempotencyKey"); found != of.input.values.end())
            req.headers.emplace_back("Idempotency-Key", found->second);
    }
    invocation_request(invocation_request const&) = delete;
    invocation_request& operator=(invocation_request const&) = delete;

    http::request req; // refers to the body, and to the plan's input
    std::string body;
};

api_error as_argument_error(api_error error) {
    for (auto& detail : error.details) {
        auto const is_key = detail.field == "Idempotency-Key";
        if (is_key) detail.field = "idempotencyKey";
        if (is_key || detail.location == "body") detail.location = "arguments";
    }
    return error;
}

// What the API says of a run in header fields.
std::string notes_on(http::response const& run) {
    std::string out;
    for (auto const& [name, value] : run.headers) {
        if (name == "Retry-After")
            out += " The run goes on: call again with the same prompt and idempotencyKey, or read the session.";
        if (name == "Idempotency-Mismatch")
            out += " This idempotencyKey was used with another prompt: the reply is to that one.";
    }
    return out;
}

// begun: what stands while the run goes on.
std::string run_text(mcp::message const& asked, agent::run_end const& end, http::response const& begun) {
    auto const members = end.body.empty() ? mcp::tool_answer(begun.body, notes_on(begun)) : mcp::tool_answer(end.body);
    return mcp::result_text(asked, members);
}

// False: the run goes on beyond that time.
task<bool> ends_by(agent::run_end const& end, coarse_clock::time_point until) {
    while (!end.known && coarse_clock::now() < until) co_await sleep_for(poll_interval);
    co_return end.known;
}

// Server-sent events (HTML: Server-sent events): signs of life, and at the end the answer.
class run_stream final : public http::body_source {
public:
    run_stream(mcp::message asked, std::shared_ptr<agent::run_end const> end, http::response begun)
        : asked_(std::move(asked)), end_(std::move(end)), begun_(std::move(begun)) {}

    task<bool> next(std::string& out) override {
        bool const ended = co_await ends_by(*end_, coarse_clock::now() + sign_of_life);
        if (ended) out.append("event: message\ndata: ").append(run_text(asked_, *end_, begun_)).append("\n\n");
        else write_sign_of_life(out);
        co_return !ended;
    }

private:
    void write_sign_of_life(std::string& out) {
        if (asked_.progress_token.empty()) {
            out.append(": the run goes on\n\n");
            return;
        }
        out.append("event: message\ndata: ");
        std::string text;
        http::json_writer json(text);
        json.open_object().field("jsonrpc", "2.0").field("method", "notifications/progress");
        json.key("params").open_object().key("progressToken").raw(asked_.progress_token).field("progress", ++signs_);
        json.close_object().close_object();
        out.append(text).append("\n\n");
    }

    mcp::message asked_;
    std::shared_ptr<agent::run_end const> end_;
    http::response begun_;
    int signs_{0};
};

http::response stream_of(mcp::message asked, std::shared_ptr<agent::run_end const> end, http::response begun) {
    http::response answer;
    answer.content_type = "text/event-stream";
    answer.add("X-Accel-Buffering", "no");
    answer.stream = std::make_shared<run_stream>(std::move(asked), std::move(end), std::move(begun));
    return answer;
}

task<result<http::response>> answer_run(request_context& context, plan& of, http::response begun,
                                        std::shared_ptr<agent::run_end> end) {
    if (!context.has_acted) co_return with_body(run_text(of.asked, *end, begun));
    bool const may_stream = http::accepts(context.req.header("Accept"), "text/event-stream");
    auto const until = may_stream ? coarse_clock::now() + run_patience : coarse_clock::time_point::max();
    bool const ended = co_await ends_by(*end, until);
    if (!ended) co_return stream_of(std::move(of.asked), std::move(end), std::move(begun));
    if (end->failed) context.error = "agent_run_failed";
    co_return with_body(run_text(of.asked, *end, begun));
}

} // namespace

task<result<http::response>> api_dispatcher::answer_message(request_context& context,
                                                            auth::credential const& presented) {
    auto planned = plan_of(context.req, dependencies_.signer);
    if (!planned.asked.name.empty())
        context.audited_as.append("mcp:").append(planned.is_call() && planned.tool != nullptr ? planned.tool->name
                                                                                              : planned.asked.name);
    if (planned.tool != nullptr) context.required_scope = planned.tool->scope;
    bool const invokes = planned.is_call() && planned.tool != nullptr && planned.tool->bind == nullptr;
    if (invokes && !planned.error && planned.bound) {
        invocation_request const wanted(planned);
        auto end = std::make_shared<agent::run_end>();
        agent::answering how{.waits = false, .is_prompt_own = false, .end = end};
        auto begun = co_await invoke_agent(context, presented, wanted.req, std::move(how));
        if (!begun) co_return refuse_plan(context, planned, as_argument_error(begun.error()));
        auto answered = co_await answer_run(context, planned, std::move(*begun), std::move(end));
        co_return answered;
    }
    asked_read const wanted{planned.request.path, planned.request.query};
    auto read_here = co_await read(context, presented, std::move(planned.bound), wanted);
    if (!read_here) co_return refuse_plan(context, planned, read_here.error());
    co_return answer_plan(context, planned, read_here->body);
}

} // namespace recruiting::auth_api
