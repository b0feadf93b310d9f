#include "auth_api/agent/invoke/invoke.hpp"

#include "audit/batcher.hpp"
#include "auth/principal.hpp"
#include "auth_api/agent/builtin/builtin_model.hpp"
#include "auth_api/agent/model/remote_model.hpp"
#include "auth_api/agent/run/run.hpp"
#include "auth_api/agent/run/run_store.hpp"
#include "auth_api/agent/tools/read_tool.hpp"
#include "core/log.hpp"

#include <typeinfo>

namespace recruiting::auth_api::agent {
namespace {

constexpr int crowded_for = 5; // seconds
constexpr int most_looks = 5;  // what is found can change while it is acted on, but not forever
constexpr std::chrono::milliseconds begin_again{25};
constexpr std::chrono::seconds begin_timeout{10};

api_error error_after(error_code code, int after, std::string message = {}) {
    auto error = make_error(code);
    error.retry_after_seconds = after;
    error.message = std::move(message);
    return error;
}

// A name of the catalogue's, which outlives the request; "": none.
std::string_view first_scope(scope_set const& scopes) {
    auto const names = auth::scope_names(scopes);
    return names.empty() ? std::string_view() : scope_catalogue[scope_index(names.front()).value()].name;
}

api_error too_many_runs() {
    auto error = error_after(error_code::rate_limited, crowded_for,
                             "This organization has reached its maximum of concurrent agent runs.");
    error.details.push_back(
        {"limit", "agent_runs", "agent_runs", "Wait until one of the organization's runs has ended."});
    return error;
}

} // namespace

// Each step of a request returns the next one.
enum class invocations::step {
    look_up, // finds what the key or the session already has; again when that has changed meanwhile
    begin,   // sends the beginning of a run; again when nothing is known of it, or another one is ahead
    done     // the error or the answer is set
};

// All that a run needs from before it is stored to its end, whether a request waits for it or not.
struct invocations::own_run {
    std::unique_ptr<runner::permit> permit;
    run_context context;
    bool resumed{false};
    coarse_clock::time_point prepared_at{coarse_clock::now()};
    coarse_clock::time_point begun_at{};
    tracing::span span{};
};

// One request, between its steps.
struct invocations::request_state {
    invoke_request const& request;
    result<invocation> wanted;
    invoke_outcome& outcome;
    std::optional<own_run> own{}; // while it is begun

    [[nodiscard]] bool names_session() const { return wanted->session_id.has_value(); }
    step refuse(api_error error) {
        outcome.error = std::move(error);
        return step::done;
    }
    step report(run_record const& run, bool replay) {
        outcome.session_id = run.session_id;
        outcome.run_id = run.id;
        outcome.run_failed = effective_status(run) == run_status::failed;
        bool const other_prompt = run.prompt_hash != wanted->prompt_hash;
        outcome.answer = render_run(run, {request.how.with_reply, replay, other_prompt});
        return step::done;
    }
};

task<void> invocations::answer(invoke_request const& request, invoke_outcome& outcome) {
    request_state current{request, read_invocation(request.req, deps_.settings.prompt_limit), outcome};
    int looks = 0;
    auto next = step::look_up;
    while (next != step::done) {
        if (next == step::begin) {
            next = co_await begin(current);
            continue;
        }
        if (++looks > most_looks) throw outage("the state of the invocation kept changing");
        next = co_await look_up(current);
    }
}

// Authenticates, authorizes, and only then refuses a request that is not well-formed.
task<invocations::step> invocations::look_up(request_state& current) {
    auto const& request = current.request;
    result<prepared_read> bound = prepared_read{};
    if (!current.wanted) bound = current.wanted.error();
    else if (current.names_session()) bound->statements.push_back(find_session(*current.wanted->session_id));
    else if (current.wanted->key) bound->statements.push_back(find_run_by_key(*current.wanted->key, request.presented));
    read_request reading{request.presented, request.facts, request.required_scope, std::move(bound), request.trace};
    auto seen = co_await authenticated_query(deps_.reads, reading);
    current.outcome.principal = std::move(seen.principal);
    if (seen.error) co_return current.refuse(std::move(*seen.error));
    auto const found = seen.rows.empty() ? found_state{} : read_found(seen.rows.front());
    auto const next = co_await act_on(current, found);
    co_return next;
}

task<invocations::step> invocations::act_on(request_state& current, found_state const& found) {
    auto const& caller = *current.outcome.principal;
    switch (decide(current.names_session(), found, auth::access_of(caller))) {
    case invoke_action::answer: co_return current.report(*found.run, true);
    case invoke_action::not_found: co_return current.refuse(make_error(error_code::not_found));
    case invoke_action::beyond_access:
        current.outcome.missing_scope = first_scope(found.used.scopes & ~caller.effective);
        co_return current.refuse(auth::refuse_missing(caller, found.used).value());
    case invoke_action::busy: co_return current.refuse(make_error(error_code::session_busy));
    case invoke_action::fail_expired: {
        co_await fail_dead_run(found.run->id, current.request.trace);
        co_return step::look_up;
    }
    case invoke_action::begin: break;
    }
    auto const next = co_await prepare(current);
    co_return next;
}

task<void> invocations::fail_dead_run(uuid run_id, tracing::parent trace) {
    constexpr uuid no_owner{}; // the lease has run out: no owner's rights are needed
    std::vector<pg::statement> segment = {as_runner(), fail_run(run_id, no_owner, failure::lease_expired)};
    pg::traced const how{trace, "fail dead run"};
    try {
        auto const failed = co_await pg::run(deps_.connection, std::move(segment), how);
        static_cast<void>(failed);
    } catch (pg::query_error const& error) {
        throw outage("a dead run could not be failed: SQLSTATE " + error.sqlstate());
    }
}

// Until the beginning is stored nothing has happened, and a client that repeats the request loses nothing.
task<invocations::step> invocations::prepare(request_state& current) {
    auto permit = deps_.runs.acquire_permit();
    if (!permit) co_return current.refuse(error_after(error_code::service_unavailable, crowded_for));
    auto const missing = co_await deps_.chat_model.check();
    if (missing) {
        log::warning("agent_model_unavailable",
                     {{"requestId", current.request.request_id}, {"message", missing->detail}});
        co_return current.refuse(error_after(error_code::model_unavailable, crowded_for));
    }
    current.own.emplace(own_run{std::move(permit), make_context(current), current.names_session()});
    co_return step::begin;
}

run_context invocations::make_context(request_state const& current) const {
    run_context run;
    run.run_id = new_record_id(); // clients get it as a UUID of RFC 9562
    run.session_id = current.wanted->session_id.value_or(new_record_id());
    run.lease_owner = deps_.runs.owner();
    run.presented = current.request.presented;
    run.principal = *current.outcome.principal;
    run.client = current.request.facts.client;
    run.user_agent = current.request.user_agent;
    run.request_id = current.request.request_id;
    run.prompt = current.wanted->prompt;
    run.is_prompt_own = current.request.how.is_prompt_own;
    return run;
}

// The same beginning may be sent again when its answer got lost: it recognises itself, and then the lease counts from
// before it was first sent.
task<invocations::step> invocations::begin(request_state& current) {
    auto& own = *current.own;
    own.begun_at = coarse_clock::now();
    auto const outcome = co_await send_beginning(current);
    switch (outcome) {
    case begin_outcome::begun: break;
    case begin_outcome::begun_before: own.begun_at = own.prepared_at; break;
    case begin_outcome::crowded: co_return current.refuse(too_many_runs());
    case begin_outcome::refused:
    case begin_outcome::taken: current.own.reset(); co_return step::look_up; // finds what prevented it
    case begin_outcome::queued:
        if (coarse_clock::now() - own.prepared_at > begin_timeout) throw outage("a run could not be begun in time");
        co_await sleep_for(begin_again);
        co_return step::begin;
    }
    co_await carry_out(current);
    co_return step::done;
}

// Returns queued also when no answer came, so that the beginning is sent again.
task<begin_outcome> invocations::send_beginning(request_state const& current) {
    new_run const wanted{current.own->context,
                         current.wanted->key,
                         current.wanted->prompt_hash,
                         session_title(current.wanted->prompt),
                         deps_.chat_model.name(),
                         deps_.settings.lease,
                         deps_.settings.runs_per_organization};
    auto segment = begin_run(wanted);
    pg::traced const how{current.request.trace, "begin run"};
    try {
        auto const results = co_await pg::run(deps_.connection, std::move(segment), how);
        co_return read_begin_outcome(results);
    } catch (pg::query_error const& error) {
        if (error.sqlstate() == pg::unique_violation) co_return begin_outcome::taken;
        if (!error.is_passing()) throw outage("a run could not be begun: SQLSTATE " + error.sqlstate());
    } catch (outage const&) { // it may have been stored
    }
    co_return begin_outcome::queued;
}

task<void> invocations::carry_out(request_state& current) {
    auto& [permit, run, resumed, prepared_at, begun_at, span] = *current.own;
    auto const& trace = current.request.trace;
    run.deadline = begun_at + deps_.settings.run_timeout;
    current.outcome.run_begun = true;
    span = tracing::span(trace, tracing::span_kind::internal, "invoke_agent recruiting");
    span.set("gen_ai.operation.name", "invoke_agent").set("gen_ai.agent.name", "recruiting");
    span.set("recruiting.run_id", to_dashed_string(run.run_id));
    run.trace = span.or_parent(trace);
    run_record begun;
    begun.id = run.run_id;
    begun.session_id = run.session_id;
    begun.prompt_hash = current.wanted->prompt_hash;
    current.report(begun, false); // of a request that waits, an outage leaves no more than that
    if (current.request.how.waits) {
        auto const ended = co_await work(*current.own);
        current.report(ended, false);
    } else {
        ++unattended_;
        spawn(deps_.context, work_unattended(std::move(*current.own), current.request.how.end));
    }
}

task<run_record> invocations::work(own_run& own) {
    auto ended = co_await deps_.runs.work(own.context, own.resumed, own.begun_at);
    if (ended.status != run_status::completed) own.span.fail(ended.failure);
    own.span.end();
    co_return ended;
}

// An exception here ends no process: the run then fails by its lease.
task<void> invocations::work_unattended(own_run own, std::shared_ptr<run_end> end) {
    std::string why;
    try {
        auto const ended = co_await work(own);
        if (end) {
            end->failed = effective_status(ended) == run_status::failed;
            end->body = render_run(ended, {true, false, false}).body;
        }
    } catch (outage const& error) {
        why = error.what();
    } catch (std::exception const& error) {
        why = typeid(error).name(); // its text may hold what was said
    }
    if (!why.empty())
        log::error("agent_run_left", {{"requestId", own.context.request_id},
                                      {"correlationId", to_dashed_string(own.context.run_id)},
                                      {"message", why}});
    if (end) end->known = true;
    --unattended_;
}

thread_agent::thread_agent(dependencies deps)
    : connection_(deps.context, deps.clock, deps.connection),
      waiting_connection_(deps.context, deps.clock, deps.connection),
      chat_model_(make_model(deps.context, deps.settings.model, deps.metrics)),
      tools_(make_toolbox({deps.reads, deps.signer, waiting_connection_, deps.audit, deps.settings, deps.metrics})),
      runs_({deps.context, connection_, *chat_model_, *tools_, deps.settings, deps.metrics}),
      answering_({deps.context, deps.settings, deps.reads, waiting_connection_, *chat_model_, runs_}) {}

std::unique_ptr<model> make_model(asio::io_context& context, model_settings const& config, metrics::registry& metrics) {
    if (config.base_url.empty()) {
        model_metrics const unused(metrics); // its metrics exist from the start, with or without a model server
        return make_builtin_model(context);
    }
    return std::make_unique<remote_model>(context, config, metrics);
}

} // namespace recruiting::auth_api::agent
