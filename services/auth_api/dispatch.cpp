#include "auth_api/dispatch.hpp"

#include "auth/api_key.hpp"
#include "auth_api/mcp/message.hpp"
#include "auth_api/routes.hpp"
#include "compression/compress.hpp"
#include "core/log.hpp"
#include "core/text.hpp"

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

bool is_message(request_context const& context) {
    return context.route.found != nullptr && context.route.found->action.speaks_mcp;
}

std::vector<std::string_view> presented_secrets(http::request const& req) {
    std::vector<std::string_view> values;
    for (auto const& [name, value] : req.headers)
        if (iequals(name, "Authorization")) values.push_back(value);
    return auth::find_secrets(values);
}

} // namespace

request_context api_dispatcher::context_of(http::request const& req) {
    return {req, routes(), find_route(req.method, req.path), dependencies_.tracer,
            dependencies_.config.trusted_proxies};
}

std::optional<http::response> api_dispatcher::answer_at_once(request_context& context) {
    if (!asks_for_document(context.req)) return std::nullopt;
    return document_answer(context.req.header("Accept-Encoding"), dependencies_.config.gzip_level > 0);
}

task<http::response> api_dispatcher::answer_rejected(request_context& context, api_error const& error) {
    auto answered = co_await answer_refused(context, error);
    answered.add("Cache-Control", "no-store");
    co_return answered;
}

// A body is awaited with a POST of a key that exists, and with nothing else: anyone without a key could hold a
// connection with it. What else is wrong with the key is answered when the request is complete, as its owner may send
// it.
task<std::optional<api_error>> api_dispatcher::refuse_head(http::request const& req) {
    if (asks_for_document(req)) co_return http::body_not_allowed();
    auto const cookies = cookies_of(req);
    auto const secret = auth::read_credential(presented_by(req, cookies), dependencies_.config.where());
    if (!secret) co_return secret.error();
    auto const presented = auth::present_key(dependencies_.config.peppers, *secret);
    auto refused = co_await refuse_unknown(presented);
    if (!refused && req.method != "POST") refused = http::body_not_allowed();
    co_return refused;
}

task<http::response> api_dispatcher::answer(request_context& context) {
    if (is_message(context))
        if (auto foreign = mcp::refuse_origin(context.req, dependencies_.config.mail.public_url)) {
            auto refused = co_await answer_refused(context, std::move(*foreign));
            co_return refused;
        }
    auto const cookies = cookies_of(context.req);
    auto const secret = auth::read_credential(presented_by(context.req, cookies), dependencies_.config.where());
    if (!secret) {
        auto refused = co_await answer_refused(context, secret.error());
        co_return refused;
    }
    auto const presented = auth::present_key(dependencies_.config.peppers, *secret);
    std::string why;
    try {
        auto answered = co_await answer_authenticated(context, presented);
        co_return answered;
    } catch (outage const& error) {
        why = error.what();
    }
    co_return refuse_for_outage(context, why);
}

// Refused for what the request is, before its key was checked. The key is looked up for the audit log alone: the answer
// is the same for every key and for none.
task<http::response> api_dispatcher::answer_refused(request_context& context, api_error error) {
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
task<void> api_dispatcher::record_presented(request_context& context, unsigned status) {
    auto const secrets = presented_secrets(context.req);
    for (auto const secret : secrets) {
        auto const presented = auth::present_key(dependencies_.config.peppers, secret);
        std::vector<pg::statement> none;
        auto const found = co_await dependencies_.reads.run(presented, std::move(none));
        if (!found.principal) continue;
        context.principal = found.principal;
        co_await write_audit_row(context, status);
        note_use(context);
    }
}

task<http::response> api_dispatcher::answer_authenticated(request_context& context, auth::credential const& presented) {
    result<http::response> served = http::response{};
    bool const invokes = context.route.found != nullptr && context.route.found->action.invokes_agent;
    agent::answering how;
    if (is_message(context)) served = co_await answer_message(context, presented);
    else if (invokes) served = co_await invoke_agent(context, presented, context.req, std::move(how));
    else served = co_await read(context, presented);
    auto answered = served ? std::move(*served) : refuse(context, served.error());
    if (!context.principal) co_return answered; // unmatched: not recorded
    co_await write_audit_row(context, answered.status);
    note_use(context);
    dependencies_.moves.note(*context.principal, presented);
    co_return answered;
}

void api_dispatcher::log_answer(request_context const& context, unsigned status, std::chrono::nanoseconds duration) {
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
