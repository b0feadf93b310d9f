#include "auth_api/console/session_endpoints.hpp"

#include "auth/session.hpp"
#include "auth_api/console/endpoints.hpp"
#include "mail/address.hpp"

#include <algorithm>
#include <array>

namespace recruiting::auth_api::console {
namespace {

using presence = http::json_fields::presence;

http::response empty_answer() {
    http::response out;
    out.status = 204;
    out.content_type = {};
    return out;
}

http::response link_accepted() {
    return data_answer([](http::json_writer& json) { json.open_object().field("accepted", true).close_object(); }, 202);
}

struct link_wish {
    std::string address_key;
    std::optional<std::string> language;
};

result<link_wish> read_link_wish(std::string_view body) {
    http::json_fields fields(body);
    fields.refuse_others({"email", "language"});
    auto const email = fields.text("email", presence::required);
    auto const language = read_mail_language(fields);
    if (auto const problem = email ? mail::address_problem(*email) : std::nullopt)
        fields.problem("email", "invalid", to_sentence(*problem));
    if (!fields.ok()) return fields.error();
    return link_wish{mail::canonical_address(*email).value(), language};
}

// What has not the form of a token is answered as an unknown one.
result<std::string> read_token(std::string_view body) {
    http::json_fields fields(body);
    fields.refuse_others({"token"});
    auto const token = fields.text("token", presence::required);
    if (!fields.ok()) return fields.error();
    if (!auth::has_session_secret_form(*token)) return make_error(error_code::not_found);
    return *token;
}

result<uuid> read_organization_id(std::string_view body) {
    http::json_fields fields(body);
    fields.refuse_others({"organizationId"});
    auto const id = fields.id("organizationId");
    if (!fields.ok()) return fields.error();
    return *id;
}

http::response link_answer(pg::row link) {
    return data_answer([&](http::json_writer& json) {
        json.open_object().field("email", link.text()).field("expiresAt", link.time()).close_object();
    });
}

api_error too_many_links(std::int64_t seconds) {
    return rate_limited("sign_in_client", seconds,
                        "Too many sign-in links were requested from this network. Try again later.");
}

api_error session_has_ended() { return make_error(error_code::invalid_credential); }

} // namespace

task<std::vector<pg::rows>> session_endpoints::run(std::vector<pg::statement> segment, session_call const& with,
                                                   std::string_view operation) {
    pg::traced const how{with.trace, operation};
    auto rows = co_await pg::run(connection_, std::move(segment), how);
    co_return rows;
}

task<std::vector<pg::rows>> session_endpoints::run_in_session(std::vector<pg::statement> statements,
                                                              session_call const& with, std::string_view operation) {
    auto const presented = auth::present_session(config_.peppers, with.secret);
    statements.insert(statements.begin(), auth::authenticate(presented));
    auto rows = co_await run(std::move(statements), with, operation);
    read_member(rows.front(), with);
    co_return rows;
}

bool session_endpoints::read_member(pg::rows const& session, session_call const& with) {
    auto found = auth::read_principal(session, auth::principal_kind::member);
    if (found) with.principal = std::make_shared<auth::principal const>(std::move(*found));
    return found.has_value();
}

task<result<http::response>> session_endpoints::show_settings(session_call const&) {
    co_return settings_answer(config_);
}

// Known and unknown addresses differ in nothing before the worker reads the request.
task<result<http::response>> session_endpoints::request_link(session_call const& with) {
    auto const wish = read_link_wish(with.req.body);
    if (!wish) co_return wish.error();
    if (config_.console.oidc.required) co_return link_accepted();
    link_limits const limits{config_.console.links_per_client, config_.console.links_per_address};
    auto segment = insert_link_request(wish->address_key, wish->language, with.from.client, limits);
    auto const rows = co_await run(std::move(segment), with, "note sign-in request");
    if (auto const seconds = read_link_refusal(rows.back())) co_return too_many_links(*seconds);
    co_return link_accepted();
}

task<result<http::response>> session_endpoints::inspect_link(session_call const& with) {
    auto const token = read_token(with.req.body);
    if (!token) co_return token.error();
    std::vector<pg::statement> segment = {present_link(auth::hash_sign_in_token(*token)),
                                          select_link(accepted_links())};
    auto const rows = co_await run(std::move(segment), with, "inspect sign-in link");
    if (rows.back().empty()) co_return make_error(error_code::not_found);
    co_return link_answer(rows.back()[0]);
}

new_session session_endpoints::new_session_of(std::string_view secret, session_call const& with) const {
    new_session made{random_id(), auth::hash_session(config_.peppers.current, secret), std::nullopt,
                     config_.console.session_lifetime, config_.console.idle_expiry};
    if (!with.secret.empty()) made.replaced = auth::present_session(config_.peppers, with.secret);
    return made;
}

link_origin session_endpoints::accepted_links() const noexcept {
    return config_.console.oidc.required ? link_origin::operators : link_origin::any;
}

// The cookie is always a new one: one that was planted before opens nothing afterwards (session fixation).
task<result<http::response>> session_endpoints::open_session(session_call const& with) {
    auto const token = read_token(with.req.body);
    if (!token) co_return token.error();
    auto const secret = auth::new_session_secret();
    auto const made = new_session_of(secret, with);
    std::vector<pg::statement> segment = {present_link(auth::hash_sign_in_token(*token)),
                                          console::open_session(made, accepted_links(), with.from),
                                          auth::authenticate(made.credential()), select_organizations()};
    auto const rows = co_await run(std::move(segment), with, "open session");
    if (!rows[1].boolean(0, 0)) co_return make_error(error_code::not_found);
    if (!read_member(rows[2], with)) throw outage("a session that was opened is not there");
    auto answer = session_answer(*with.principal, rows[3], secret, config_, 201);
    answer.add("Set-Cookie", auth::set_session_cookie(secret, is_secure()));
    co_return answer;
}

task<result<http::response>> session_endpoints::show_session(session_call const& with) {
    std::vector<pg::statement> statements = {select_organizations()};
    auto const rows = co_await run_in_session(std::move(statements), with, "show session");
    if (!with.principal) co_return session_has_ended();
    co_return session_answer(*with.principal, rows[1], with.secret, config_);
}

task<result<http::response>> session_endpoints::choose_organization(session_call const& with) {
    auto const id = read_organization_id(with.req.body);
    if (!id) co_return id.error();
    auto const presented = auth::present_session(config_.peppers, with.secret);
    std::vector<pg::statement> statements = {console::choose_organization(*id, with.from),
                                             auth::authenticate(presented), select_organizations()};
    auto const rows = co_await run_in_session(std::move(statements), with, "choose organization");
    if (!with.principal) co_return session_has_ended();
    if (!rows[1].boolean(0, 0)) co_return make_error(error_code::not_found);
    if (!read_member(rows[2], with)) co_return session_has_ended();
    co_return session_answer(*with.principal, rows[3], with.secret, config_);
}

// Also where the session has ended already: the browser forgets its cookie.
task<result<http::response>> session_endpoints::end_session(session_call const& with) {
    std::vector<pg::statement> statements = {sign_out({}, with.from)};
    auto const rows = co_await run_in_session(std::move(statements), with, "end session");
    static_cast<void>(rows);
    auto answer = empty_answer();
    answer.add("Set-Cookie", auth::clear_session_cookie(is_secure()));
    co_return answer;
}

task<result<http::response>> session_endpoints::show_limits(session_call const& with) {
    std::vector<pg::statement> nothing;
    auto const rows = co_await run_in_session(std::move(nothing), with, "show limits");
    static_cast<void>(rows);
    if (!with.principal) co_return session_has_ended();
    co_return limits_answer(config_);
}

task<result<http::response>> session_endpoints::list_sessions(session_call const& with) {
    std::vector<pg::statement> statements = {select_sessions()};
    auto const rows = co_await run_in_session(std::move(statements), with, "list sessions");
    if (!with.principal) co_return session_has_ended();
    co_return sessions_answer(rows[1]);
}

task<result<http::response>> session_endpoints::end_sessions(session_call const& with) {
    std::vector<pg::statement> statements = {sign_out({.everywhere = true}, with.from)};
    auto const rows = co_await run_in_session(std::move(statements), with, "end sessions");
    static_cast<void>(rows);
    if (!with.principal) co_return session_has_ended();
    auto answer = empty_answer();
    answer.add("Set-Cookie", auth::clear_session_cookie(is_secure()));
    co_return answer;
}

task<result<http::response>> session_endpoints::end_one(session_call const& with) {
    auto const id = parse_id(with.path[0]);
    if (!id) co_return make_error(error_code::not_found);
    std::vector<pg::statement> statements = {sign_out({.one = *id}, with.from)};
    auto const rows = co_await run_in_session(std::move(statements), with, "end session");
    if (!with.principal) co_return session_has_ended();
    if (rows[1].integer(0, 0) == 0) co_return make_error(error_code::not_found);
    co_return empty_answer();
}

} // namespace recruiting::auth_api::console
