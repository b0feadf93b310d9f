#include "auth_api/agent/invoke/invoke.hpp"

#include "audit/batcher.hpp"
#include "auth/principal.hpp"
#include "auth_api/agent/builtin/builtin_model.hpp"
#include "auth_api/agent/model/remote_model.hpp"
#include "auth_api/agent/run/run.hpp"
#include "auth_api/agent/run/run_store.hpp"
#include "auth_api/agent/tools/tool_call.hpp"
#include "core/log.hpp"

#include <typeinfo>

namespace recruiting::auth_api::agent {
namespace {

constexpr int crowded_for = 5; // seconds
constexpr int most_tries = 5;  // what is found can change while it is acted on, but not forever
constexpr std::chrono::milliseconds begin_again{25};
constexpr std::chrono::seconds begin_patience{10};

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

struct invocations::beginning {
    begin_outcome outcome;
    coarse_clock::time_point sent_at;
};

// All that a run needs from its beginning to its end, whether a request waits for it or not.
struct invocations::begun_run {
    std::unique_ptr<runner::permit> permit;
    run_context run;
    bool resumed{false};
    coarse_clock::time_point begun_at;
    tracing::span span;
};

// Steps set the error or the answer, and then the request is done.
struct invocations::attempt {
    invoke_request const& request;
    result<invocation> wanted;
    invoke_outcome& outcome;

    [[nodiscard]] bool names_session() const { return wanted->session_id.has_value(); }
    bool refuse(api_error error) {
        outcome.error = std::move(error);
        return true;
    }
    bool report(run_record const& run, bool replay) {
        outcome.session_id = run.session_id;
        outcome.run_id = run.id;
        outcome.run_failed = effective_status(run) == run_status::failed;
        bool const other_prompt = run.prompt_hash != wanted->prompt_hash;
        outcome.answer =
            request.waits ? render_run(run, replay, other_prompt) : render_invocation(run, replay, other_prompt);
        return true;
    }
    bool report_begun(run_context const& run) {
        run_record begun;
        begun.id = run.run_id;
        begun.session_id = run.session_id;
        begun.prompt_hash = wanted->prompt_hash;
        return report(begun, false);
    }
};

task<void> invocations::answer(invoke_request const& request, invoke_outcome& outcome) {
    attempt current{request, read_invocation(request.req, needs_.settings.prompt_limit), outcome};
    for (int tries = 0; tries < most_tries; ++tries) {
        auto const found = co_await look_up(current);
        if (outcome.error) co_return;
        bool const done = co_await act_on(current, found);
        if (done) co_return;
    }
    throw outage("the state of the invocation kept changing");
}

// Authenticates, authorizes, and only then refuses a request that is not well-formed.
task<found_state> invocations::look_up(attempt& current) {
    found_state found;
    result<prepared_read> bound = prepared_read{};
    bool const by_session = current.wanted && current.names_session();
    if (!current.wanted) bound = current.wanted.error();
    else if (by_session) bound->statements.push_back(find_session(*current.wanted->session_id));
    else if (current.wanted->key)
        bound->statements.push_back(find_run_by_key(*current.wanted->key, current.request.presented));
    if (bound)
        bound->render = [&](std::span<pg::rows const> results, render_context const&, http::response&) {
            if (by_session) found = read_session_state(results[0]);
            else if (!results.empty()) found = read_run_by_key(results[0]);
            return result<void>{};
        };
    read_request reading{current.request.presented, current.request.facts,    current.request.required_scope,
                         std::move(bound),          current.request.req.path, current.request.req.query,
                         current.request.trace};
    auto seen = co_await execute_read(needs_.reads, needs_.signer, reading);
    current.outcome.principal = std::move(seen.principal);
    current.outcome.error = std::move(seen.error);
    co_return found;
}

// False: the state has changed and must be read again.
task<bool> invocations::act_on(attempt& current, found_state const& found) {
    auto const& caller = *current.outcome.principal;
    switch (decide(current.names_session(), found, auth::reach_of(caller))) {
    case invoke_action::answer: co_return current.report(*found.by_key, true);
    case invoke_action::not_found: co_return current.refuse(make_error(error_code::not_found));
    case invoke_action::out_of_reach:
        current.outcome.missing_scope = first_scope(found.used.scopes & ~caller.effective);
        co_return current.refuse(auth::refuse_missing(caller, found.used).value());
    case invoke_action::busy: co_return current.refuse(make_error(error_code::session_busy));
    case invoke_action::fail_expired: {
        constexpr uuid no_owner{}; // the lease has run out: no owner's rights are needed
        auto const& dead = found.by_key ? *found.by_key : *found.active_run;
        std::vector<pg::statement> segment = {as_runner(), fail_run(dead.id, no_owner, failure::lease_expired)};
        pg::traced const how{current.request.trace, "fail dead run"};
        std::string refused;
        try {
            auto const failed = co_await pg::run(needs_.connection, std::move(segment), how);
            static_cast<void>(failed);
        } catch (pg::query_error const& error) {
            refused = error.sqlstate();
        }
        if (!refused.empty()) throw outage("a dead run could not be failed: SQLSTATE " + refused);
        co_return false;
    }
    case invoke_action::begin: break;
    }
    bool const done = co_await begin(current);
    co_return done;
}

run_context invocations::make_context(attempt const& current) const {
    run_context run;
    run.run_id = new_record_id(); // clients get it as a UUID of RFC 9562
    run.session_id = current.wanted->session_id.value_or(new_record_id());
    run.lease_owner = needs_.runs.owner();
    run.presented = current.request.presented;
    run.principal = *current.outcome.principal;
    run.client = current.request.facts.client;
    run.user_agent = current.request.user_agent;
    run.request_id = current.request.request_id;
    run.prompt = current.wanted->prompt;
    return run;
}

// Until the beginning is stored nothing has happened, and a client that repeats the request loses nothing.
task<bool> invocations::begin(attempt& current) {
    auto permit = needs_.runs.acquire_permit();
    if (!permit) co_return current.refuse(error_after(error_code::service_unavailable, crowded_for));
    auto const missing = co_await needs_.chat_model.check();
    if (missing) {
        log::warning("agent_model_unavailable",
                     {{"requestId", current.request.request_id}, {"message", missing->detail}});
        co_return current.refuse(error_after(error_code::model_unavailable, crowded_for));
    }
    auto run = make_context(current);
    auto const stored = co_await store_beginning(current, run);
    if (stored.outcome == begin_outcome::crowded) co_return current.refuse(too_many_runs());
    if (stored.outcome != begin_outcome::begun) co_return false; // the next look-up finds the run that prevented it
    run.deadline = stored.sent_at + needs_.settings.run_timeout;
    current.outcome.run_begun = true;
    current.outcome.session_id = run.session_id;
    current.outcome.run_id = run.run_id;
    tracing::span span(current.request.trace, tracing::span_kind::internal, "invoke_agent recruiting");
    span.set("gen_ai.operation.name", "invoke_agent").set("gen_ai.agent.name", "recruiting");
    span.set("recruiting.run_id", to_dashed_string(run.run_id));
    run.trace = span.or_parent(current.request.trace);
    begun_run begun{std::move(permit), std::move(run), current.names_session(), stored.sent_at, std::move(span)};
    if (!current.request.waits) {
        current.report_begun(begun.run);
        ++unattended_;
        spawn(needs_.context, work_unattended(std::move(begun)));
        co_return true;
    }
    auto const ended = co_await work(begun);
    co_return current.report(ended, false);
}

task<run_record> invocations::work(begun_run& begun) {
    auto ended = co_await needs_.runs.work(begun.run, begun.resumed, begun.begun_at);
    if (ended.status != run_status::completed) begun.span.fail(ended.failure);
    begun.span.end();
    co_return ended;
}

// An exception here ends no process: the run then fails by its lease.
task<void> invocations::work_unattended(begun_run begun) {
    std::string why;
    try {
        auto const ended = co_await work(begun);
        static_cast<void>(ended);
    } catch (outage const& error) {
        why = error.what();
    } catch (std::exception const& error) {
        why = typeid(error).name(); // its text may hold what was said
    }
    if (!why.empty())
        log::error("agent_run_left", {{"requestId", begun.run.request_id},
                                      {"correlationId", to_dashed_string(begun.run.run_id)},
                                      {"message", why}});
    --unattended_;
}

// The same segment may be sent again when its answer got lost: it recognises itself, and then the lease counts from the
// first time it was sent.
task<invocations::beginning> invocations::store_beginning(attempt& current, run_context const& run) {
    new_run const wanted{run,
                         current.wanted->key,
                         current.wanted->prompt_hash,
                         session_title(run.prompt),
                         needs_.chat_model.name(),
                         needs_.settings.lease,
                         needs_.settings.runs_per_organization};
    auto const first_sent_at = coarse_clock::now();
    pg::traced const how{current.request.trace, "begin run"};
    for (;;) {
        auto segment = begin_run(wanted);
        beginning made{begin_outcome::queued, coarse_clock::now()};
        std::string refused;
        try {
            auto const results = co_await pg::run(needs_.connection, std::move(segment), how);
            made.outcome = read_begin_outcome(results);
        } catch (pg::query_error const& error) {
            if (!error.is_passing()) refused = error.sqlstate();
        } catch (outage const&) { // sent again
        }
        if (refused == pg::unique_violation) made.outcome = begin_outcome::taken;
        else if (!refused.empty()) throw outage("a run could not be begun: SQLSTATE " + refused);
        if (made.outcome == begin_outcome::begun_before) made = {begin_outcome::begun, first_sent_at};
        if (made.outcome != begin_outcome::queued) co_return made;
        if (coarse_clock::now() - first_sent_at > begin_patience) throw outage("a run could not be begun in time");
        co_await sleep_for(begin_again);
    }
}

agent::agent(dependencies needs)
    : connection_(needs.context, needs.clock, needs.connection),
      waiting_connection_(needs.context, needs.clock, needs.connection),
      chat_model_(make_model(needs.context, needs.settings.model, needs.metrics)),
      tools_(
          make_toolbox({needs.reads, needs.signer, waiting_connection_, needs.audit, needs.settings, needs.metrics})),
      runs_({needs.context, connection_, *chat_model_, *tools_, needs.settings, needs.metrics}),
      answering_({needs.context, needs.settings, needs.reads, needs.signer, waiting_connection_, *chat_model_, runs_}) {
}

std::unique_ptr<model> make_model(asio::io_context& context, model_settings const& config, metrics::registry& metrics) {
    if (config.base_url.empty()) {
        model_metrics const unused(metrics); // its metrics exist from the start, with or without a model server
        return make_builtin_model(context);
    }
    return std::make_unique<remote_model>(context, config, metrics);
}

} // namespace recruiting::auth_api::agent
