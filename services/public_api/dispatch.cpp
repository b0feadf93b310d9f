#include "public_api/dispatch.hpp"

#include "core/log.hpp"
#include "core/redact.hpp"
#include "http/client_address.hpp"
#include "http/problem.hpp"
#include "public_api/answer.hpp"
#include "public_api/exposure/exposed_key.hpp"
#include "public_api/pages/error_page.hpp"

namespace recruiting::public_api {
namespace {

constexpr std::size_t longest_place = 100;
constexpr std::size_t longest_user_agent = 256;

// Whole, as clients know it; what matched no route may hold anything and is not shown.
std::string endpoint_of(route_match const& found) {
    if (!found.index) return {};
    auto const& row = routes()[*found.index];
    return std::string(row.base) + std::string(row.pattern);
}

std::string_view method_for_log(std::string_view method) noexcept {
    for (std::string_view const known : {"GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"})
        if (method == known) return known;
    return "other";
}

void log_access(std::string_view request_id, std::string_view method, std::string_view route, unsigned status,
                std::string_view client, std::chrono::nanoseconds duration) {
    log::info("request", {{"requestId", request_id},
                          {"method", method},
                          {"endpoint", route},
                          {"status", status},
                          {"client", client},
                          {"durationMs", std::chrono::duration<double, std::milli>(duration).count()}});
}

std::string client_of(http::request const& req, std::vector<ip_network> const& trusted_proxies) {
    auto const client = http::client_address(req, trusted_proxies);
    return client ? to_string(*client) : std::string();
}

api_error method_not_allowed(std::string allow) {
    auto error = make_error(error_code::method_not_allowed);
    error.allow = std::move(allow);
    return error;
}

asked_for representation_of(http::request const& req) {
    return {req.method, req.header("If-None-Match"), req.header("Accept-Encoding")};
}

// Before the first snapshot "not found" would be a guess.
api_error refusal_of(api_error const& error, catalogue const& published) {
    bool const is_known = published.loaded() || error.code != error_code::not_found;
    return is_known ? error : make_error(error_code::service_unavailable);
}

// The database is there and can't serve for now: not migrated yet or rights missing, out of resources, shutting down
// (PostgreSQL appendix A). Anything else is a mistake of ours.
bool is_outage(std::string_view sqlstate) noexcept {
    return sqlstate == pg::undefined_table || sqlstate == pg::invalid_schema || sqlstate == "42501" ||
           sqlstate == "57014" || sqlstate.starts_with("53") || sqlstate.starts_with("57P") ||
           sqlstate.starts_with("58");
}

} // namespace

task<http::response> dispatcher::handle(http::request const& req) {
    auto const started = std::chrono::steady_clock::now();
    auto const request_id = request_id_for(req.header("X-Request-Id"));
    auto const found = find_route(req.method, req.path);
    auto const client = client_of(req, config_.trusted_proxies);
    auto outcome = co_await answer(req, found, client, request_id);
    auto reply = outcome ? std::move(*outcome) : refusal(outcome.error(), req, request_id);
    if (req.method != "OPTIONS") make_cacheable(reply, representation_of(req), compressed_);
    complete(reply, request_id);
    auto const duration = std::chrono::steady_clock::now() - started;
    metrics_.count(found.index, reply.status, duration);
    log_access(request_id, method_for_log(req.method), endpoint_of(found), reply.status, client, duration);
    co_return reply;
}

http::response dispatcher::reject(api_error const& error, std::string_view inbound_request_id) {
    auto const request_id = request_id_for(inbound_request_id);
    auto reply = http::problem_response(error, request_id, {});
    make_cacheable(reply, {}, compressed_);
    complete(reply, request_id);
    metrics_.count(std::nullopt, reply.status, {});
    log_access(request_id, "", "", reply.status, "", {});
    return reply;
}

task<result<http::response>> dispatcher::answer(http::request const& req, route_match const& found,
                                                std::string_view client, std::string_view request_id) {
    if (auto refused = refuse_api_key(req, found, client, request_id)) co_return std::move(*refused);
    if (req.method == "OPTIONS") co_return preflight();
    if (!found.index) co_return make_error(error_code::not_found);
    if (!found.allow.empty()) co_return method_not_allowed(found.allow);
    auto const published = published_.get(); // held until the answer is made
    call const from{req, found.params, client, request_id, system_time().now(), *published, cursors_, config_};
    auto planned = routes()[*found.index].action(from);
    if (!planned) co_return refusal_of(planned.error(), *published);
    if (!planned->counted.empty()) {
        auto const refused = co_await limits_.count(planned->counted, from.now);
        if (refused) co_return *refused;
    }
    if (planned->ready) co_return std::move(*planned->ready);
    auto reply = co_await run(std::move(*planned), routes()[*found.index].pattern);
    co_return reply;
}

// What becomes of the report shows in nothing that is answered.
std::optional<api_error> dispatcher::refuse_api_key(http::request const& req, route_match const& found,
                                                    std::string_view client, std::string_view request_id) {
    auto exposed = find_exposed_key(req, config_.trusted_proxies);
    if (!exposed) return std::nullopt;
    auto refusal = exposed->refusal();
    exposure seen;
    seen.seen_at = system_time().now();
    seen.secret = std::move(exposed->secret);
    seen.place = redact_secrets(printable(exposed->place, longest_place));
    seen.method = method_for_log(exposed->method);
    seen.endpoint = endpoint_of(found);
    seen.client = client;
    seen.user_agent = redact_secrets(printable(req.header("User-Agent"), longest_user_agent));
    seen.request_id = request_id;
    exposures_.note(std::move(seen), std::chrono::steady_clock::now());
    return refusal;
}

task<result<http::response>> dispatcher::run(plan planned, std::string_view route) {
    try {
        std::vector<pg::rows> results;
        if (!planned.segment.empty()) {
            auto segment = std::move(planned.segment);
            results = co_await database_.run(std::move(segment));
        }
        co_return planned.render(results);
    } catch (outage const&) {
        co_return make_error(error_code::service_unavailable); // the connection's loss is in the log already
    } catch (pg::query_error const& error) {
        auto meant = planned.on_violation ? planned.on_violation(error.sqlstate(), error.constraint())
                                          : std::optional<result<http::response>>();
        if (meant) co_return std::move(*meant);
        log::error("query_failed", {{"endpoint", route}, {"sqlstate", error.sqlstate()}});
        co_return make_error(is_outage(error.sqlstate()) ? error_code::service_unavailable
                                                         : error_code::internal_error);
    } catch (std::exception const& error) {
        log::error("read_failed", {{"endpoint", route}, {"message", error.what()}});
        co_return make_error(error_code::internal_error);
    }
}

} // namespace recruiting::public_api
