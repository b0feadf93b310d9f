#include "public_api/dispatch.hpp"

#include "core/log.hpp"
#include "core/redact.hpp"
#include "http/client_address.hpp"
#include "http/problem.hpp"
#include "http/trace.hpp"
#include "public_api/exposure/exposure_queue.hpp"
#include "public_api/http/answer.hpp"
#include "public_api/pages/page.hpp"

namespace recruiting::public_api {
namespace {

constexpr std::size_t longest_place = 100;
constexpr std::size_t longest_user_agent = 256;

// Whole, as clients know them; what matched no route may hold anything and is not shown.
std::string_view endpoint_of(std::optional<std::size_t> route) {
    static std::vector<std::string> const names = [] {
        std::vector<std::string> made;
        for (auto const& row : routes()) made.push_back(std::string(row.base) + std::string(row.pattern));
        return made;
    }();
    return route ? std::string_view(names[*route]) : std::string_view();
}

std::string_view method_for_log(std::string_view method) noexcept {
    for (std::string_view const known : {"GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"})
        if (method == known) return known;
    return "other";
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

api_error refuse(limit_refusal refusal, limit_fields& fields) {
    fields = {{"RateLimit-Policy", std::move(refusal.policy)}, {"RateLimit", std::move(refusal.state)}};
    return std::move(refusal.error);
}

tracing::span redis_span(tracing::parent const& under, std::size_t counts) {
    tracing::span made(under, tracing::span_kind::client, "INCR");
    made.set("db.system.name", "redis").set("db.operation.name", "INCR");
    if (counts > 1) made.set("db.operation.batch.size", counts);
    return made;
}

} // namespace

task<http::response> dispatcher::handle(http::request const& req) {
    auto const started = std::chrono::steady_clock::now();
    auto const request_id = request_id_for(req.header("X-Request-Id"));
    http::request_trace trace(tracer_, req, config_.trusted_proxies);
    auto const found = find_route(req.method, req.path);
    auto const client = client_of(req, config_.trusted_proxies);
    auto const published = published_.get(); // held until the answer is made
    call const from{req,      found.params,       client,          request_id, system_time().now(), *published,
                    cursors_, config_.public_url, config_.booking, limit_key_, &documents_};
    plan planned;
    limit_fields of_limit;
    auto outcome = answer_at_once(from, found, planned);
    if (!outcome) {
        auto carried_out = co_await carry_out(planned, from.now, endpoint_of(found.index), trace.own(), of_limit);
        outcome = std::move(carried_out);
    }
    auto reply = *outcome ? std::move(**outcome) : refusal(outcome->error(), req, request_id);
    for (auto& [name, value] : of_limit) reply.add(name, std::move(value));
    finish(reply, req, found, request_id);
    auto const* const owner = organization_of(found, *published, from.now);
    auto const organization = owner == nullptr ? std::string() : to_string(owner->id);
    tell({found.index, request_id, trace.id(), method_for_log(req.method), client, organization}, reply.status,
         std::chrono::steady_clock::now() - started);
    trace.end(endpoint_of(found.index), request_id, reply.status);
    co_return reply;
}

task<http::response> dispatcher::reject(http::request const& req, api_error const& error) {
    auto const request_id = request_id_for(req.header("X-Request-Id"));
    auto reply = http::problem_response(error, request_id, {});
    make_cacheable(reply, {}, compressed_);
    complete(reply, request_id);
    tell({std::nullopt, request_id, "", "", "", ""}, reply.status, {});
    co_return reply;
}

// A document says itself how long it may be kept, in either form.
void dispatcher::finish(http::response& reply, http::request const& req, route_match const& found,
                        std::string_view request_id) {
    bool const is_document = found.is_document();
    if (is_document ? reply.status >= 400 : req.method != "OPTIONS")
        make_cacheable(reply, representation_of(req), compressed_);
    if (is_document) reply.add("X-Request-Id", std::string(request_id));
    else complete(reply, request_id);
}

void dispatcher::tell(told_request const& of, unsigned status, std::chrono::nanoseconds duration) {
    metrics_.count(of.route.value_or(routes().size()), status, duration);
    log::info("request", {{"requestId", of.request_id},
                          {"traceId", of.trace_id},
                          {"method", of.method},
                          {"endpoint", endpoint_of(of.route)},
                          {"status", status},
                          {"organizationId", of.organization},
                          {"client", of.client},
                          {"durationMs", std::chrono::duration<double, std::milli>(duration).count()}});
}

// Most requests need nothing but memory: no coroutine is made for them.
std::optional<result<http::response>> dispatcher::answer_at_once(call const& from, route_match const& found,
                                                                 plan& planned) {
    if (auto refused = refuse_api_key(from, found)) return std::move(*refused);
    if (from.request.method == "OPTIONS" && !found.is_document()) return preflight();
    if (!found.index) return make_error(error_code::not_found);
    if (!found.allow.empty()) return method_not_allowed(found.allow);
    auto made = routes()[*found.index].action(from);
    if (!made) return refusal_of(made.error(), from.published);
    if (made->ready && made->counted.empty()) return std::move(*made->ready);
    planned = std::move(*made);
    return std::nullopt;
}

task<result<http::response>> dispatcher::carry_out(plan& planned, timestamp now, std::string_view route,
                                                   tracing::parent trace, limit_fields& fields) {
    if (!planned.counted.empty()) {
        auto counting = redis_span(trace, planned.counted.size());
        auto decision = co_await limits_.count(planned.counted, now);
        counting.end();
        if (decision.refusal) co_return refuse(std::move(*decision.refusal), fields);
        if (decision.is_excess) planned.segment = std::move(planned.excess_segment);
    }
    if (planned.ready) co_return std::move(*planned.ready);
    auto reply = co_await run(planned, now, route, trace, fields);
    co_return reply;
}

// What becomes of the report shows in nothing that is answered.
std::optional<api_error> dispatcher::refuse_api_key(call const& from, route_match const& found) {
    auto exposed = find_exposed_key(from.request, config_.trusted_proxies);
    if (!exposed) return std::nullopt;
    auto refusal = http::key_not_allowed(exposed->key.place);
    exposure seen;
    seen.seen_at = from.now;
    seen.secret = std::move(exposed->key.secret);
    seen.place = redact_secrets(printable(exposed->key.place, longest_place));
    seen.method = method_for_log(exposed->method);
    seen.endpoint = endpoint_of(found.index);
    seen.client = from.client;
    seen.user_agent = redact_secrets(printable(from.request.header("User-Agent"), longest_user_agent));
    seen.request_id = from.request_id;
    exposures_.note(std::move(seen), std::chrono::steady_clock::now());
    return refusal;
}

// What the statement that failed means for the client; nullopt: an outage or a bug.
std::optional<result<http::response>> dispatcher::answer_of_violation(plan const& planned, pg::query_error const& error,
                                                                      timestamp now, limit_fields& fields) {
    for (auto const& limit : planned.database_limits)
        if (limit.constraint == error.constraint()) return refuse(limits_.refuse(limit.use, now), fields);
    return planned.on_violation ? planned.on_violation(error.sqlstate(), error.constraint()) : std::nullopt;
}

task<result<http::response>> dispatcher::run(plan& planned, timestamp now, std::string_view route,
                                             tracing::parent trace, limit_fields& fields) {
    pg::traced const how{trace, "answer request"};
    try {
        std::vector<pg::rows> results;
        if (!planned.segment.empty()) {
            auto segment = std::move(planned.segment);
            results = co_await pg::run(database_, std::move(segment), how);
        }
        co_return planned.render(results);
    } catch (outage const&) {
        co_return make_error(error_code::service_unavailable); // the connection's loss is in the log already
    } catch (pg::query_error const& error) {
        auto meant = answer_of_violation(planned, error, now, fields);
        if (meant) co_return std::move(*meant);
        log::error("query_failed", {{"endpoint", route}, {"sqlstate", error.sqlstate()}});
        co_return make_error(error.is_passing() || is_outage(error.sqlstate()) ? error_code::service_unavailable
                                                                               : error_code::internal_error);
    } catch (std::exception const& error) {
        log::error("read_failed", {{"endpoint", route}, {"message", error.what()}});
        co_return make_error(error_code::internal_error);
    }
}

} // namespace recruiting::public_api
