#include "auth_api/console/session_endpoints.hpp"

#include "auth/session.hpp"
#include "auth_api/request_context.hpp"
#include "core/log.hpp"
#include "http/query.hpp"
#include "mail/address.hpp"

namespace recruiting::auth_api::console {
namespace {

using oidc::sign_in_outcome;

constexpr std::string_view home_path = "/console";

// 303 (RFC 9110 section 15.4.4). The address that it answers may hold a code: no Referer shows it to others.
http::response redirect(std::string to) {
    http::response out;
    out.status = 303;
    out.content_type = {};
    out.add("Location", std::move(to));
    out.add("Referrer-Policy", "no-referrer");
    return out;
}

std::string problem_path(sign_in_outcome outcome) {
    return "/console/sign-in?problem=" + std::string(oidc::to_string(outcome));
}

// A page of another site may not sign people in, not even as themselves. Browsers without Fetch Metadata do not tell.
bool begins_elsewhere(http::request const& req) {
    return req.header_count("Sec-Fetch-Site") > 0 && req.header("Sec-Fetch-Site") == "cross-site";
}

result<std::string> read_return_path(std::string_view query) {
    http::query_reader reader(query);
    auto const path = reader.text("returnTo", 500);
    if (path && !oidc::is_return_path(*path))
        reader.problem("returnTo", "not_allowed", "Must be a path of the console, such as /console/members.");
    reader.refuse_unknown();
    if (!reader.ok()) return invalid_request(reader.take_problems());
    return path.value_or(std::string(home_path));
}

void log_ending(std::string_view request_id, sign_in_outcome outcome, std::string_view detail) {
    bool const usual = outcome == sign_in_outcome::canceled || outcome == sign_in_outcome::expired ||
                       outcome == sign_in_outcome::no_access;
    log::write(usual ? log::level::info : log::level::warning, "openid_connect_sign_in_failed",
               {{"requestId", request_id}, {"outcome", oidc::to_string(outcome)}, {"message", detail}});
}

} // namespace

provider_sign_in::provider_sign_in(asio::io_context& context, oidc::oidc_settings const& config,
                                   metrics::registry& metrics) {
    if (config.is_on()) provider_.emplace(context, config);
    for (std::size_t i = 0; i < counts_.size(); ++i)
        counts_[i] = &metrics.add_counter("recruiting_auth_api_openid_connect_sign_ins_total",
                                          "Finished sign-ins with OpenID Connect, by outcome.",
                                          "outcome=\"" + std::string(oidc::outcome_names[i]) + '"');
}

http::response session_endpoints::end_provider_sign_in(sign_in_outcome outcome, session_call const& with,
                                                       std::string_view detail) {
    log_ending(with.from.request_id, outcome, detail);
    provider_.count(outcome);
    return redirect(problem_path(outcome));
}

task<result<http::response>> session_endpoints::start_provider_sign_in(session_call const& with) {
    auto* const provider = provider_.provider();
    if (provider == nullptr) co_return make_error(error_code::not_found);
    auto const path = read_return_path(with.req.query);
    if (!path) co_return path.error();
    if (with.req.method != "GET" || begins_elsewhere(with.req)) co_return redirect("/console/sign-in");
    auto const document = co_await provider->find_document();
    if (!document) co_return end_provider_sign_in(sign_in_outcome::provider_unavailable, with, "discovery");
    auto const& config = config_.console.oidc;
    auto const begun = oidc::begin_flow(config, *path, system_time().now());
    auto answer =
        redirect(oidc::authorization_url(document->authorization_endpoint, config, begun, config_.mail.public_url));
    answer.add("Set-Cookie", oidc::set_flow_cookie(begun, config_.peppers.current, is_secure()));
    co_return answer;
}

// A callback that answers another request than this browser's changes nothing here: its cookie stays.
task<result<http::response>> session_endpoints::finish_provider_sign_in(session_call const& with) {
    if (provider_.provider() == nullptr) co_return make_error(error_code::not_found);
    if (with.req.method != "GET") co_return redirect("/console/sign-in");
    auto const cookies = cookies_of(with.req);
    auto const sealed = auth::find_cookie(cookies, oidc::flow_cookie_name(is_secure()));
    auto const now = system_time().now();
    auto const begun = sealed ? oidc::open_flow(*sealed, config_.peppers, config_.console.oidc, now) : std::nullopt;
    auto const given = oidc::read_callback(with.req.query);
    if (!begun || !given || !oidc::answers(*given, *begun))
        co_return end_provider_sign_in(sign_in_outcome::expired, with, "state");
    auto answer = co_await answer_callback(*begun, *given, with);
    answer.add("Set-Cookie", oidc::clear_flow_cookie(is_secure()));
    co_return answer;
}

task<http::response> session_endpoints::answer_callback(oidc::flow const& begun, oidc::callback const& given,
                                                        session_call const& with) {
    auto& provider = *provider_.provider();
    auto const document = co_await provider.find_document();
    if (!document) co_return end_provider_sign_in(sign_in_outcome::provider_unavailable, with, "discovery");
    if (auto const ending = oidc::ending_of(given, begun, document->announces_issuer))
        co_return end_provider_sign_in(*ending, with, "callback");
    auto const identified = co_await provider.identify(*document, begun, given.code, config_.mail.public_url);
    if (auto const* const problem = std::get_if<oidc::sign_in_problem>(&identified))
        co_return end_provider_sign_in(problem->code, with, problem->detail);
    auto const& person = std::get<oidc::person_claims>(identified);
    if (!oidc::may_sign_in(person, config_.console.oidc.trusts_email))
        co_return end_provider_sign_in(sign_in_outcome::no_access, with, "email not verified");
    std::string secret;
    try {
        auto opened = co_await open_identified_session(begun, person.email, with);
        secret = std::move(opened);
    } catch (outage const&) {
        co_return end_provider_sign_in(sign_in_outcome::unavailable, with, "database");
    }
    if (secret.empty()) co_return end_provider_sign_in(sign_in_outcome::no_access, with, "no member");
    provider_.count(sign_in_outcome::signed_in);
    auto answer = redirect(begun.return_to);
    answer.add("Set-Cookie", auth::set_session_cookie(secret, is_secure()));
    co_return answer;
}

// As by a link: a token that lives within this transaction takes the place of the mailed one.
task<std::string> session_endpoints::open_identified_session(oidc::flow const& begun, std::string const& email,
                                                             session_call const& with) {
    auto const secret = auth::new_session_secret();
    auto const made = new_session_of(secret, with);
    auto const token = oidc::hash_flow(config_.peppers.current, begun);
    auto segment = present_identified(token, mail::parse_address(email).value());
    segment.push_back(console::open_session(made, link_origin::any, with.from));
    segment.push_back(auth::authenticate(made.credential()));
    auto const rows = co_await run(std::move(segment), with, "open identified session");
    auto const& opened = rows[rows.size() - 2];
    if (!opened.boolean(0, 0)) co_return std::string();
    read_member(rows.back(), with);
    co_return secret;
}

} // namespace recruiting::auth_api::console
