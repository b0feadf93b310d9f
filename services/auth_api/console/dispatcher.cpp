#include "auth_api/console/dispatcher.hpp"

#include "auth/api_key.hpp"
#include "auth/session.hpp"
#include "auth_api/console/cross_site.hpp"
#include "auth_api/console/routes.hpp"
#include "core/log.hpp"

#include <array>

namespace recruiting::auth_api::console {
namespace {

constexpr std::int64_t longest_body = 16 * 1024;

// Everything comes from this origin, nothing is inline, and no text becomes markup: a text stored as a name can run
// nothing.
constexpr std::array<std::pair<std::string_view, std::string_view>, 4> page_protection = {{
    {"Content-Security-Policy",
     "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
     "font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; "
     "require-trusted-types-for 'script'; trusted-types 'none'"},
    {"X-Frame-Options", "DENY"},
    {"Referrer-Policy", "no-referrer"},
    {"Cross-Origin-Opener-Policy", "same-origin"},
}};

// A file of the build, or index.html, whose application routes by path.
http::response answer_page(http::static_site const& pages, http::request const& req) {
    auto const path = req.path.substr(pages_path.size());
    auto const* found = path.ends_with('/') ? nullptr : pages.find(path);
    if (found == nullptr) found = pages.find("/");
    return http::show_document(*found, req, page_protection);
}

std::optional<api_error> refuse_console_body(http::request const& req, action const& what) {
    if (what.invokes_agent) return std::nullopt;
    if (what.takes_body) return http::refuse_body(req, "application/json", longest_body);
    if (req.body.empty()) return std::nullopt;
    return http::body_not_allowed();
}

result<void> refuse_session_query(http::request const& req) {
    http::query_reader query(req.query);
    query.refuse_unknown();
    if (!query.ok()) return invalid_request(query.take_problems());
    return {};
}

// RFC 9110 section 15.5.2 wants a challenge, and a bearer token would open nothing here.
void replace_challenge(http::response& answered) {
    for (auto& [name, value] : answered.headers)
        if (name == "WWW-Authenticate") value = R"(Cookie realm="console")";
}

} // namespace

std::shared_ptr<http::static_site const> read_pages(std::string const& folder) {
    auto pages = http::load_site(folder, "RECRUITING_AUTH_API_CONSOLE");
    log::info("console_loaded", {{"files", pages->files()}, {"bytes", pages->bytes()}});
    return pages;
}

request_context console_dispatcher::context_of(http::request const& req) {
    return {req, routes(), find_route(req.method, req.path), dependencies_.tracer,
            dependencies_.config.trusted_proxies};
}

std::optional<http::response> console_dispatcher::answer_at_once(request_context& context) {
    if (console_.pages == nullptr) return refuse(context, make_error(error_code::not_found));
    if (is_api_path(context.req.path)) return std::nullopt;
    if (context.route.found == nullptr) return refuse(context, http::no_such_route(context.route.allow));
    return answer_page(*console_.pages, context.req);
}

void console_dispatcher::complete(request_context& context, http::response& answered) {
    if (is_api_path(context.req.path)) authenticated_dispatcher::complete(context, answered);
}

task<http::response> console_dispatcher::answer_rejected(request_context& context, api_error const& error) {
    auto answered = refuse(context, error);
    answered.add("Cache-Control", "no-store");
    co_return answered;
}

// Everything that can be said of a request without its body and without the database.
console_dispatcher::admission console_dispatcher::admit(http::request const& req, route_match const& match) const {
    if (match.found == nullptr) return {http::no_such_route(match.allow), {}};
    if (auto refused = refuse_cross_site(req, dependencies_.config.mail.public_url)) return {std::move(refused), {}};
    auto const cookies = cookies_of(req);
    if (req.header_count("Authorization") > 0 && auth::has_session_cookie(cookies))
        return {auth::multiple_credentials("Authorization"), {}};
    auto const secret = auth::read_session_cookie(cookies, is_secure());
    bool const is_open = match.found->action.is_open;
    if (!secret && is_open) return {};
    if (!secret) return {secret.error(), {}};
    admission out;
    out.secret = *secret;
    out.presented = auth::present_session(dependencies_.config.peppers, *secret);
    if (!is_open) out.refusal = refuse_without_token(req, *secret);
    return out;
}

// A body is awaited only for what its head allows, and for a session that lives: anyone else could hold a connection
// with it. Anyone may sign in.
task<std::optional<api_error>> console_dispatcher::refuse_head(http::request const& req) {
    if (console_.pages == nullptr) co_return make_error(error_code::not_found);
    if (!is_api_path(req.path)) co_return http::body_not_allowed();
    auto const match = find_route(req.method, req.path);
    auto const brought = admit(req, match);
    if (brought.refusal) co_return brought.refusal;
    if (match.found->action.is_open) co_return std::nullopt;
    auto refused = co_await refuse_unknown(brought.presented);
    co_return refused;
}

task<http::response> console_dispatcher::answer(request_context& context) {
    auto const brought = admit(context.req, context.route);
    if (brought.refusal) co_return refuse(context, *brought.refusal);
    if (auto const refused = refuse_console_body(context.req, context.route.found->action))
        co_return refuse(context, *refused);
    std::string why;
    try {
        auto outcome = co_await carry_out(context, brought);
        auto answered = outcome ? std::move(*outcome) : refuse(context, outcome.error());
        if (context.route.found->action.session == nullptr) co_await write_audit_row(context, answered.status);
        note_use(context);
        co_return answered;
    } catch (outage const& error) {
        why = error.what();
    } catch (pg::query_error const& error) {
        why = "SQLSTATE " + error.sqlstate();
    }
    co_return refuse_for_outage(context, why);
}

task<result<http::response>> console_dispatcher::carry_out(request_context& context, admission const& brought) {
    auto const& what = context.route.found->action;
    if (what.read != nullptr) return read(context, brought.presented);
    if (what.change != nullptr) return change(context, brought.presented);
    if (what.invokes_agent)
        return invoke_agent(context, brought.presented, context.req, {.waits = false, .with_reply = false});
    return call_session(context, brought.secret);
}

task<result<http::response>> console_dispatcher::change(request_context& context, auth::credential const& presented) {
    auto facts = facts_of(context.req, context.client);
    // The pool may outlive the request, which the field is a view of. What is no id is no session's organization.
    if (facts.service_organization) facts.organization = parse_id(*facts.service_organization).value_or(uuid{});
    facts.service_organization.reset();
    // The pool's transaction authenticates again. This says whose turn it is, and keeps strangers out of the queue.
    std::vector<pg::statement> none;
    auto const found = co_await dependencies_.reads.run(presented, std::move(none));
    context.principal = found.principal;
    if (!found.principal) co_return make_error(error_code::invalid_credential);
    if (auto const refused = auth::authorize(*found.principal, facts, {})) co_return *refused;
    change_request request{.function = context.route.found->action.change,
                           .session = presented,
                           .organization_id = found.principal->organization_id,
                           .member_id = found.principal->member_id,
                           .facts = facts,
                           .path = context.route.params,
                           .query = std::string(context.req.query),
                           .body = std::string(context.req.body),
                           .request_id = context.request_id};
    auto outcome = co_await console_.changes->run(console_.executor, std::move(request));
    context.principal = outcome.principal;
    if (!outcome.principal) co_return make_error(error_code::invalid_credential);
    if (outcome.error) co_return *outcome.error;
    context.has_acted = true;
    co_return std::move(outcome.answer);
}

task<result<http::response>> console_dispatcher::call_session(request_context& context, std::string_view secret) {
    auto const& what = context.route.found->action;
    if (!what.takes_query)
        if (auto const checked = refuse_session_query(context.req); !checked) co_return checked.error();
    session_call const with{context.req,
                            context.route.params,
                            secret,
                            {context.client, user_agent_of(context.req), context.request_id},
                            context.trace.own(),
                            context.principal};
    auto outcome = co_await console_.sessions->call(what.session, with);
    co_return outcome;
}

http::response console_dispatcher::refuse(request_context& context, api_error const& error) {
    auto answered = authenticated_dispatcher::refuse(context, error);
    replace_challenge(answered);
    return answered;
}

void console_dispatcher::log_answer(request_context const& context, unsigned status,
                                    std::chrono::nanoseconds duration) {
    std::string organization;
    std::string member;
    if (context.principal && context.principal->has_organization()) {
        organization = to_string(context.principal->organization_id);
        member = to_string(context.principal->member_id);
    }
    auto const client = context.client ? to_string(*context.client) : std::string();
    http::log_request(context, status, duration, client, organization, log::field{"memberId", member},
                      log::field{"errorCode", context.error});
}

} // namespace recruiting::auth_api::console
