#include "auth_api/authenticated_dispatcher.hpp"

#include "compression/compress.hpp"
#include "core/log.hpp"

namespace recruiting::auth_api {
namespace {

// A session's last_seen_at moves at most so often.
constexpr std::chrono::minutes use_interval{1};

// What a route's bind says of the request; for no route, why there is none.
result<prepared_read> bind_route(request_context const& context, http::token_signer const& signer) {
    if (context.route.found == nullptr) return http::no_such_route(context.route.allow);
    http::query_reader query(context.req.query);
    bind_input in{context.route.params, query, signer, context.req.header("Accept")};
    return context.route.found->action.read(in);
}

void log_outage(request_context const& context, std::string_view why) {
    log::warning("request_not_served",
                 {{"requestId", context.request_id}, {"traceId", context.trace.id()}, {"message", why}});
}

} // namespace

void authenticated_dispatcher::complete(request_context& context, http::response& answered) {
    compression::compress(answered, context.req.header("Accept-Encoding"),
                          static_cast<int>(dependencies_.config.gzip_level));
    answered.add("Cache-Control", "no-store");
}

task<result<http::response>> authenticated_dispatcher::read(request_context& context,
                                                            auth::credential const& presented) {
    asked_read const asked{context.req.path, context.req.query};
    auto answered = co_await read(context, presented, bind_route(context, dependencies_.signer), asked);
    co_return answered;
}

task<result<http::response>> authenticated_dispatcher::read(request_context& context, auth::credential const& presented,
                                                            result<prepared_read> bound, asked_read const& asked) {
    read_request request{presented,
                         facts_of(context.req, context.client),
                         context.required_scope,
                         std::move(bound),
                         context.trace.own(),
                         asked.path,
                         asked.query};
    read_connections const connections{dependencies_.reads, dependencies_.config.mail.public_url,
                                       dependencies_.standby};
    auto outcome = co_await execute_read(connections, dependencies_.signer, request);
    context.principal = std::move(outcome.principal);
    context.waiting_limit = outcome.waiting_limit;
    if (outcome.error) co_return std::move(*outcome.error);
    co_return std::move(outcome.answer);
}

task<result<http::response>> authenticated_dispatcher::invoke_agent(request_context& context,
                                                                    auth::credential const& presented,
                                                                    http::request const& asked, agent::answering how) {
    agent::invoke_request const request{asked,
                                        presented,
                                        facts_of(context.req, context.client),
                                        context.required_scope,
                                        context.request_id,
                                        user_agent_of(context.req),
                                        context.trace.own(),
                                        std::move(how)};
    agent::invoke_outcome outcome;
    std::optional<std::string> why;
    try {
        co_await dependencies_.invocations.answer(request, outcome);
    } catch (outage const& error) {
        if (!outcome.principal) throw;
        why = error.what();
    }
    context.session_id = outcome.session_id;
    context.run_id = outcome.run_id;
    context.has_acted = outcome.run_begun;
    if (outcome.run_failed) context.error = "agent_run_failed"; // HTTP has no error, the audit log does
    if (!outcome.missing_scope.empty()) context.required_scope = outcome.missing_scope;
    if (why) { // the principal is known, so the request is recorded
        log_outage(context, *why);
        outcome.error = error_of_outage(context.req, context.has_acted);
    }
    context.principal = std::move(outcome.principal);
    if (outcome.error) co_return std::move(*outcome.error);
    co_return std::move(outcome.answer);
}

task<std::optional<api_error>> authenticated_dispatcher::refuse_unknown(auth::credential const& presented) {
    std::vector<pg::statement> none;
    try {
        auto const found = co_await dependencies_.reads.run(presented, std::move(none));
        if (!found.principal) co_return make_error(error_code::invalid_credential);
    } catch (outage const&) {
        co_return make_error(error_code::service_unavailable);
    }
    co_return std::nullopt;
}

task<void> authenticated_dispatcher::write_audit_row(request_context const& context, unsigned status) {
    if (!context.principal || !context.principal->has_organization()) co_return;
    auto writing = pg::segment_span({context.trace.own(), "write audit row"}, 1);
    auto const written = co_await write_row(context, context.audited_status > 0 ? context.audited_status : status);
    static_cast<void>(written);
    writing.end();
}

// No coroutine: with the row in its frame, record would be longer than what Asio keeps for the next coroutine (1,020
// bytes).
task<bool> authenticated_dispatcher::write_row(request_context const& context, unsigned status) {
    return dependencies_.audit.write(request_row(context, status));
}

void authenticated_dispatcher::note_use(request_context const& context) {
    if (!context.principal || !context.client) return;
    auto const& session = context.principal->session;
    if (session && context.started_at - session->last_seen_at < use_interval) return;
    dependencies_.uses->note(context.principal->credential_id, *context.client, context.started_at);
}

http::response authenticated_dispatcher::refuse_for_outage(request_context& context, std::string_view why) {
    log_outage(context, why);
    return refuse(context, error_of_outage(context.req, context.has_acted));
}

http::response authenticated_dispatcher::refuse(request_context& context, api_error const& error) {
    context.error = to_string(error.code);
    refusals_.count(error.code);
    auto const accept = context.req.header("Accept");
    return refusal_response(error, context.request_id, accept, dependencies_.config, context.waiting_limit);
}

} // namespace recruiting::auth_api
