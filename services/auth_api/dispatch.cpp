#include "auth_api/dispatch.hpp"

#include "auth/api_key.hpp"
#include "auth_api/request_context.hpp"
#include "auth_api/request_row.hpp"
#include "auth_api/routes.hpp"
#include "compression/compress.hpp"
#include "compression/deflate.hpp"
#include "core/log.hpp"
#include "core/text.hpp"
#include "http/problem.hpp"

namespace recruiting::auth_api {
namespace {

// cookies: of the request; the result refers to it.
auth::presented_credential presented_by(http::request const& req, std::string const& cookies) {
    auth::presented_credential out;
    for (auto const& [name, value] : req.headers) {
        if (!iequals(name, "Authorization")) continue;
        out.authorization = value;
        ++out.authorization_count;
    }
    out.cookies = cookies;
    return out;
}

bool asks_for_document(http::request const& req) {
    return req.path == document_path && (req.method == "GET" || req.method == "HEAD");
}

// Anyone may ask for the document, without a key: it is compressed once.
http::response document_answer(std::string_view accept_encoding, bool may_compress) {
    static auto const plain = std::make_shared<std::string const>(openapi_document());
    static auto const compressed = std::make_shared<std::string const>(compression::gzip(*plain, 9));
    http::response answer;
    answer.shared_body = plain;
    if (!may_compress || !http::prefers_gzip(accept_encoding)) return answer;
    answer.shared_body = compressed;
    answer.add("Content-Encoding", "gzip");
    answer.add("Vary", "Accept-Encoding");
    return answer;
}

std::vector<std::string_view> presented_secrets(http::request const& req) {
    std::vector<std::string_view> values;
    for (auto const& [name, value] : req.headers)
        if (iequals(name, "Authorization")) values.push_back(value);
    return auth::find_secrets(values);
}

// What a route's bind says of the request; for no route, why there is none.
result<prepared_read> bind_route(request_context const& context, http::token_signer const& signer) {
    if (context.route.found == nullptr) return http::no_such_route(context.route.allow);
    http::query_reader query(context.req.query);
    bind_input in{context.req, context.route.params, query, signer};
    return context.route.found->action(in);
}

void log_outage(request_context const& context, std::string_view why) {
    log::warning("request_not_served",
                 {{"requestId", context.request_id}, {"traceId", context.trace.id()}, {"message", why}});
}

} // namespace

dispatcher::dispatcher(dependencies needs)
    : http::dispatcher<request_context>(needs.requests), needs_(needs), refusals_(needs_.metrics) {}

dispatcher::~dispatcher() = default;

request_context dispatcher::context_of(http::request const& req) {
    return {req, needs_.tracer, needs_.config.trusted_proxies};
}

std::optional<http::response> dispatcher::answer_at_once(request_context& context) {
    if (!asks_for_document(context.req)) return std::nullopt;
    return document_answer(context.req.header("Accept-Encoding"), needs_.config.gzip_level > 0);
}

void dispatcher::complete(request_context& context, http::response& answered) {
    compression::compress(answered, context.req.header("Accept-Encoding"), static_cast<int>(needs_.config.gzip_level));
    answered.add("Cache-Control", "no-store");
}

task<http::response> dispatcher::answer_rejected(request_context& context, api_error const& error) {
    auto answered = co_await answer_refused(context, error);
    answered.add("Cache-Control", "no-store");
    co_return answered;
}

// A body is awaited with a POST of a key that exists, and with nothing else: anyone without a key could hold a
// connection with it. What else is wrong with the key is answered when the request is complete, as its owner may send
// it.
task<std::optional<api_error>> dispatcher::refuse_head(http::request const& req) {
    if (asks_for_document(req)) co_return http::body_not_allowed();
    auto const cookies = cookies_of(req);
    auto const secret = auth::read_credential(presented_by(req, cookies), needs_.config.where());
    if (!secret) co_return secret.error();
    auto const hash = hash_secret(needs_.config.pepper, *secret);
    std::vector<pg::statement> none;
    try {
        auto const found = co_await needs_.reads.run(hash, std::move(none));
        if (!found.principal) co_return make_error(error_code::invalid_credential);
        if (req.method != "POST") co_return http::body_not_allowed();
    } catch (outage const&) {
        co_return make_error(error_code::service_unavailable);
    }
    co_return std::nullopt;
}

task<http::response> dispatcher::answer(request_context& context) {
    auto const cookies = cookies_of(context.req);
    auto const secret = auth::read_credential(presented_by(context.req, cookies), needs_.config.where());
    if (!secret) {
        auto refused = co_await answer_refused(context, secret.error());
        co_return refused;
    }
    auto const hash = hash_secret(needs_.config.pepper, *secret);
    std::string why;
    try {
        auto answered = co_await answer_authenticated(context, hash);
        co_return answered;
    } catch (outage const& error) {
        why = error.what();
    }
    co_return refuse_for_outage(context, why);
}

// Refused for what the request is, before its key was checked. The key is looked up for the audit log alone: the answer
// is the same for every key and for none.
task<http::response> dispatcher::answer_refused(request_context& context, api_error error) {
    auto answered = refuse(context, error);
    std::string why;
    try {
        co_await record_presented(context, answered.status);
        co_return answered;
    } catch (outage const& failed) {
        why = failed.what();
    } catch (pg::query_error const& failed) {
        why = "SQLSTATE " + failed.sqlstate();
    }
    co_return refuse_for_outage(context, why);
}

// A row for each key that was sent, so that the owner of each knows.
task<void> dispatcher::record_presented(request_context& context, unsigned status) {
    auto const secrets = presented_secrets(context.req);
    for (auto const secret : secrets) {
        auto const hash = hash_secret(needs_.config.pepper, secret);
        std::vector<pg::statement> none;
        auto const found = co_await needs_.reads.run(hash, std::move(none));
        if (!found.principal) continue;
        context.principal = found.principal;
        co_await record(context, status);
    }
}

// The answer leaves only after its audit row is durable (proto-docs/audit.md).
task<void> dispatcher::record(request_context& context, unsigned status) {
    auto writing = pg::segment_span({context.trace.own(), "write audit row"}, 1);
    auto const written = co_await write_row(context, status);
    static_cast<void>(written);
    writing.end();
    if (context.client) needs_.uses.note(context.principal->credential_id, *context.client, context.started_at);
}

// No coroutine: with the row in its frame, record would be longer than what Asio keeps for the next coroutine (1,020
// bytes).
task<bool> dispatcher::write_row(request_context const& context, unsigned status) {
    return needs_.audit.write(context.audit_row(status));
}

task<http::response> dispatcher::answer_authenticated(request_context& context, digest const& secret_hash) {
    bool const invokes = context.route.found != nullptr && context.route.found->path == invoke_path;
    result<http::response> served = http::response{};
    if (invokes) served = co_await serve_invocation(context, secret_hash);
    else served = co_await serve_read(context, secret_hash);
    auto answered = served ? std::move(*served) : refuse(context, served.error());
    if (!context.principal) co_return answered; // unmatched: not recorded
    co_await record(context, answered.status);
    co_return answered;
}

task<result<http::response>> dispatcher::serve_read(request_context& context, digest const& secret_hash) {
    read_request request{
        secret_hash,      context.facts(),   context.required_scope, bind_route(context, needs_.signer),
        context.req.path, context.req.query, context.trace.own()};
    read_connections const connections{needs_.reads, needs_.config.mail.public_url, needs_.standby};
    auto read = co_await execute_read(connections, needs_.signer, request);
    context.principal = std::move(read.principal);
    context.waiting_limit = read.waiting_limit;
    if (read.error) co_return std::move(*read.error);
    co_return std::move(read.answer);
}

task<result<http::response>> dispatcher::serve_invocation(request_context& context, digest const& secret_hash) {
    agent::invoke_request const request{
        context.req,        secret_hash,          context.facts(),    context.required_scope,
        context.request_id, context.user_agent(), context.trace.own()};
    agent::invoke_outcome outcome;
    std::optional<std::string> why;
    try {
        co_await needs_.invocations.answer(request, outcome);
    } catch (outage const& error) {
        if (!outcome.principal) throw;
        why = error.what();
    }
    context.session_id = outcome.session_id;
    context.run_id = outcome.run_id;
    context.run_begun = outcome.run_begun;
    if (outcome.run_failed) context.error = "agent_run_failed"; // HTTP has no error, the audit log does
    if (!outcome.missing_scope.empty()) context.required_scope = outcome.missing_scope;
    if (why) { // the principal is known, so the request is recorded
        log_outage(context, *why);
        outcome.error = error_of_outage(context.req, context.run_begun);
    }
    context.principal = std::move(outcome.principal);
    if (outcome.error) co_return std::move(*outcome.error);
    co_return std::move(outcome.answer);
}

http::response dispatcher::refuse_for_outage(request_context& context, std::string_view why) {
    log_outage(context, why);
    return refuse(context, error_of_outage(context.req, context.run_begun));
}

http::response dispatcher::refuse(request_context& context, api_error const& error) {
    context.error = to_string(error.code);
    refusals_.count(error.code);
    auto const accept = context.req.header("Accept");
    return refusal_response(error, context.request_id, accept, needs_.config, context.waiting_limit);
}

void dispatcher::log_answer(request_context const& context, unsigned status, std::chrono::nanoseconds duration) {
    std::string organization;
    std::string credential;
    if (context.principal) {
        organization = to_string(context.principal->organization_id);
        credential = to_string(context.principal->credential_id);
    }
    auto const client = context.client ? to_string(*context.client) : std::string();
    http::log_request(context, status, duration, client, organization, log::field{"credentialId", credential},
                      log::field{"errorCode", context.error});
}

} // namespace recruiting::auth_api
