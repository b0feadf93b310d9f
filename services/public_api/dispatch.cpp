#include "public_api/dispatch.hpp"

#include "core/log.hpp"
#include "core/redact.hpp"
#include "crypto/api_key_form.hpp"
#include "http/problem.hpp"
#include "public_api/http/answer.hpp"
#include "public_api/pages/page.hpp"

namespace recruiting::public_api {

public_request::public_request(http::request const& request, dispatcher_dependencies const& dependencies,
                               shared_catalogue::snapshot const& jobs, body_cache& job_bodies,
                               std::vector<digest> const& limit_keys)
    : http::endpoint_request<action>(request, routes(), find_route(request.method, request.path), dependencies.tracer,
                                     dependencies.config.trusted_proxies),
      client_text(client ? to_string(*client) : std::string()),
      published(jobs), input{.request = req,
                             .params = route.params,
                             .client = client_text,
                             .request_id = request_id,
                             .now = started_at,
                             .published = *published,
                             .job_bodies = job_bodies,
                             .cursors = dependencies.cursors,
                             .public_url = dependencies.config.public_url,
                             .booking = dependencies.config.booking,
                             .limit_keys = limit_keys,
                             .documents = dependencies.documents} {}

namespace {

// Bytes of each of a thread's two caches: the bodies that are asked for most, some thousand jobs.
constexpr std::size_t cache_size = std::size_t{16} << 20;

// Before the first snapshot "not found" would be a guess.
api_error refusal_of(api_error const& error, catalogue const& published) {
    bool const is_known = published.loaded() || error.code != error_code::not_found;
    return is_known ? error : make_error(error_code::service_unavailable);
}

http::response refusal_for(public_request const& context, api_error const& error) {
    auto const* const of = organization_of(context.route, *context.published, context.started_at);
    return refusal(error, context.req, context.request_id, of);
}

// The database is there and can't serve for now: not migrated yet or rights missing, out of resources, shutting down
// (PostgreSQL appendix A). Anything else is a bug.
bool is_outage(std::string_view sqlstate) noexcept {
    return sqlstate == pg::undefined_table || sqlstate == pg::invalid_schema || sqlstate == "42501" ||
           sqlstate == "57014" || sqlstate.starts_with("53") || sqlstate.starts_with("57P") ||
           sqlstate.starts_with("58");
}

api_error refuse_by_limit(limit_refusal refusal, limit_fields& fields) {
    fields = {{"RateLimit-Policy", std::move(refusal.policy)}, {"RateLimit", std::move(refusal.state)}};
    return std::move(refusal.error);
}

std::optional<exposed_key> find_exposed_key(http::request const& req) {
    for (auto const& [name, value] : req.headers)
        if (auto found = find_key_in_field(name, value)) return found;
    if (auto found = find_key_in_target(req.target)) return found;
    return find_key_in_body(req.body);
}

tracing::span redis_span(tracing::parent const& under) {
    tracing::span made(under, tracing::span_kind::client, "INCRBY");
    made.set("db.system.name", "redis").set("db.operation.name", "INCRBY");
    return made;
}

} // namespace

public_dispatcher::public_dispatcher(dispatcher_dependencies dependencies)
    : http::endpoint_dispatcher<public_request>(dependencies.metrics), dependencies_(dependencies),
      published_(dependencies.published),
      limit_keys_(limit_keys_of(dependencies.config.cursor_secret, dependencies.config.previous_cursor_secret)),
      compressed_(cache_size), job_bodies_(cache_size) {}

public_dispatcher::~public_dispatcher() = default;

// A body is awaited only where one is read: anyone could hold a connection with it.
task<std::optional<api_error>> public_dispatcher::refuse_head(http::request const& req) {
    if (req.method != "POST") co_return http::body_not_allowed();
    auto const match = find_route(req.method, req.path);
    if (match.found == nullptr) co_return http::no_such_route(match.allow);
    co_return std::nullopt;
}

public_request public_dispatcher::context_of(http::request const& req) {
    return {req, dependencies_, published_.get(), job_bodies_, limit_keys_};
}

std::optional<http::response> public_dispatcher::answer_at_once(public_request& context) {
    auto outcome = plan_answer(context);
    if (!outcome) return std::nullopt;
    return *outcome ? std::move(**outcome) : refusal_for(context, outcome->error());
}

task<http::response> public_dispatcher::answer(public_request& context) {
    auto outcome = co_await carry_out(context);
    auto answered = outcome ? std::move(*outcome) : refusal_for(context, outcome.error());
    for (auto& [name, value] : context.of_limit) answered.add(name, std::move(value));
    co_return answered;
}

task<http::response> public_dispatcher::answer_rejected(public_request& context, api_error const& error) {
    auto answered = refusal_for(context, error);
    complete(context, answered);
    co_return answered;
}

// The site's documents bring their own fields for caching, compressed or not.
void public_dispatcher::complete(public_request& context, http::response& answered) {
    bool const is_of_site = is_document(context.route);
    if (is_of_site ? answered.status >= 400 : context.req.method != "OPTIONS")
        make_cacheable(answered, context.req, compressed_);
    if (!is_of_site) allow_all_origins(answered);
}

void public_dispatcher::log_answer(public_request const& context, unsigned status, std::chrono::nanoseconds duration) {
    auto const* const owner = organization_of(context.route, *context.published, context.started_at);
    log_request(context, status, duration, context.client_text,
                owner == nullptr ? std::string() : to_string(owner->id));
}

// Most requests need nothing but memory: no coroutine is made for them. nullopt: the plan is to be carried out.
std::optional<result<http::response>> public_dispatcher::plan_answer(public_request& context) {
    if (auto refused = refuse_api_key(context)) return std::move(*refused);
    if (context.req.method == "OPTIONS" && !is_document(context.route)) return preflight();
    if (auto address = moved_page(context.req, *context.published, context.started_at)) {
        auto answered = redirect(301, std::move(*address));
        answered.add("Referrer-Policy", "no-referrer"); // the address may hold a link's secret
        return answered;
    }
    if (context.route.found == nullptr) return http::no_such_route(context.route.allow);
    auto made = context.route.found->action(context.input);
    if (!made) return refusal_of(made.error(), *context.published);
    if (auto* const answered = std::get_if<http::response>(&*made)) return std::move(*answered);
    context.planned = std::move(*made);
    return std::nullopt;
}

// The answer is the same for a key that exists and for one that is made up.
std::optional<api_error> public_dispatcher::refuse_api_key(public_request const& context) {
    auto const exposed = find_exposed_key(context.req);
    if (!exposed) return std::nullopt;
    dependencies_.exposed_keys.add();
    log::warning("key_exposed", {{"keyPrefix", exposed->displayed_prefix},
                                 {"seenIn", redact_secrets(exposed->location)},
                                 {"requestId", context.request_id}});
    return http::key_not_allowed(exposed->location);
}

task<result<http::response>> public_dispatcher::carry_out(public_request& context) {
    try {
        auto work = std::visit([&](auto& planned) { return carry_out(context, planned); }, context.planned);
        auto outcome = co_await std::move(work);
        co_return outcome;
    } catch (outage const&) {
        co_return make_error(error_code::service_unavailable); // the connection's loss is in the log already
    } catch (pg::query_error const& error) {
        auto meant = answer_of_violation(context, error);
        if (meant) co_return std::move(*meant);
        log::error("query_failed", {{"endpoint", context.endpoint()}, {"sqlstate", error.sqlstate()}});
        co_return make_error(error.is_passing() || is_outage(error.sqlstate()) ? error_code::service_unavailable
                                                                               : error_code::internal_error);
    } catch (std::exception const& error) {
        log::error("read_failed", {{"endpoint", context.endpoint()}, {"message", error.what()}});
        co_return make_error(error_code::internal_error);
    }
}

task<result<http::response>> public_dispatcher::carry_out(public_request&, http::response& answered) {
    co_return std::move(answered);
}

task<result<http::response>> public_dispatcher::carry_out(public_request& context, database_query& query) {
    pg::traced const how{context.trace.own(), "answer request"};
    std::vector<pg::rows> results;
    if (!query.statements.empty()) results = co_await pg::run(dependencies_.database, std::move(query.statements), how);
    co_return query.render(results);
}

task<result<http::response>> public_dispatcher::carry_out(public_request& context, counted_query& counted) {
    auto counting = redis_span(context.trace.own());
    auto decision = co_await dependencies_.limits.count(counted.uses, context.started_at);
    counting.end();
    if (decision.refusal) co_return refuse_by_limit(std::move(*decision.refusal), context.of_limit);
    if (decision.is_excess) counted.query.statements = std::move(counted.excess_statements);
    auto outcome = co_await carry_out(context, counted.query);
    co_return outcome;
}

task<result<http::response>> public_dispatcher::carry_out(public_request& context, limited_change& change) {
    return carry_out(context, change.query);
}

// The answer to a violation that the client caused; nullopt: the statement failed by an outage or a bug.
std::optional<result<http::response>> public_dispatcher::answer_of_violation(public_request& context,
                                                                             pg::query_error const& error) {
    auto const* const change = std::get_if<limited_change>(&context.planned);
    if (change == nullptr) return std::nullopt;
    for (auto const& limit : change->limits)
        if (limit.constraint == error.constraint())
            return refuse_by_limit(dependencies_.limits.refuse(limit.use, context.started_at), context.of_limit);
    return change->on_violation(error.sqlstate(), error.constraint());
}

} // namespace recruiting::public_api
