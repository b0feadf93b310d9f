#include "auth_api/agent/run/runner.hpp"

#include "auth_api/agent/run/run.hpp"
#include "auth_api/agent/run/run_store.hpp"
#include "core/log.hpp"
#include "pg/error.hpp"
#include "pg/pipeline.hpp"

#include <typeinfo>

namespace recruiting::auth_api::agent {
namespace {

constexpr std::int64_t most_history = 400;  // messages; the model's context holds fewer
constexpr std::int64_t bytes_per_token = 8; // more than any text has: of the history, what could fit is read
constexpr std::chrono::milliseconds try_again{100};
constexpr std::chrono::seconds end_timeout{5}; // past the lease, for PostgreSQL to come back

std::string_view why_of(model_failure::kind kind) {
    switch (kind) {
    case model_failure::kind::unavailable: return failure::model_unavailable;
    case model_failure::kind::timed_out: return failure::model_timed_out;
    case model_failure::kind::bad_response: return failure::model_bad_response;
    case model_failure::kind::cancelled: break;
    }
    return failure::shut_down;
}

bool is_last(next_step const& step) {
    return std::holds_alternative<run_completed>(step) || std::holds_alternative<run_failed>(step);
}

struct segment_answer {
    std::vector<pg::rows> rows;
    bool away{false};
    bool refused{false};
    [[nodiscard]] bool ok() const noexcept { return !away && !refused; }
};

task<segment_answer> run_segment(pg::pipeline& connection, std::vector<pg::statement> segment, pg::traced how) {
    segment_answer answer;
    try {
        answer.rows = co_await pg::run(connection, std::move(segment), how);
    } catch (pg::query_error const& error) {
        // The error's text can quote messages of the session.
        log::write(pg::severity(error), "agent_statement_failed", {{"sqlstate", error.sqlstate()}});
        answer.away = error.is_passing();
        answer.refused = !answer.away;
    } catch (outage const&) {
        answer.away = true; // the connection itself logs it
    }
    co_return answer;
}

} // namespace

class runner::run_work {
public:
    run_work(runner& of, run_context const& run, coarse_clock::time_point begun_at)
        : of_(of), run_(run), lease_(of.leases_, run.run_id, begun_at) {}

    task<run_record> carry_out(bool resumed) {
        auto const missing = co_await load_history(resumed);
        next_step step = run_failed{missing};
        if (missing.empty()) step = loop_->start();
        while (!is_last(step)) step = co_await take(std::move(step));
        auto const ended = co_await finish(std::move(step));
        report(ended);
        co_return ended;
    }

private:
    // Returns why the history could not be read; "" when it was.
    task<std::string_view> load_history(bool resumed) {
        std::vector<message> history;
        std::string_view missing;
        if (resumed) {
            auto const bytes = of_.deps_.settings.model.context_tokens * bytes_per_token;
            std::vector<pg::statement> segment = {as_runner(),
                                                  read_history(run_.session_id, run_.run_id, most_history, bytes)};
            auto const answer = co_await persist(std::move(segment));
            missing = trouble(answer);
            if (missing.empty()) history = history_of(read_stored_messages(answer.rows.at(1)));
        }
        loop_.emplace(std::move(history), run_.prompt,
                      loop_limits{of_.deps_.settings.round_limit, of_.deps_.settings.tool_call_limit});
        written_ = loop_->messages().size(); // the prompt was stored when the run began
        co_return missing;
    }

    // Why the run must not go on; "" when it may.
    [[nodiscard]] std::string_view obstacle() const {
        if (!lease_.why().empty()) return lease_.why();
        return coarse_clock::now() >= run_.deadline ? failure::run_timed_out : std::string_view();
    }

    // Why a statement's answer is of no use; "" when it is.
    [[nodiscard]] std::string_view trouble(segment_answer const& answer) const {
        if (answer.ok()) return {};
        if (answer.refused) return failure::internal;
        auto const why = obstacle();
        return why.empty() ? failure::database_unavailable : why;
    }

    // An exception in our code fails this run; the process continues.
    task<next_step> take(next_step step) {
        if (auto const why = obstacle(); !why.empty()) co_return run_failed{why};
        next_step next = run_failed{failure::internal};
        std::string mistake;
        try {
            if (auto const* const calling = std::get_if<call_tool>(&step)) next = co_await call(calling->wanted);
            else next = co_await ask(std::get<ask_model>(step).with_tools);
        } catch (std::exception const& error) {
            mistake = typeid(error).name(); // its text may quote messages of the session
        }
        if (!mistake.empty()) log::error("agent_run_broke", {{"requestId", run_.request_id}, {"exception", mistake}});
        co_return next;
    }

    task<next_step> ask(bool with_tools) {
        auto const unwritten = co_await write_progress();
        if (!unwritten.empty()) co_return run_failed{unwritten};
        auto const offered = with_tools ? of_.deps_.tools.offered() : std::span<tool_description const>();
        model_request const request{loop_->messages(), loop_->history(), offered,   run_.deadline,
                                    lease_.cancel(),   started_at_,      run_.trace};
        auto answer = co_await of_.deps_.chat_model.complete(request);
        if (auto* const reply = std::get_if<model_reply>(&answer)) co_return loop_->take_reply(std::move(*reply));
        auto const why = obstacle();
        co_return run_failed{why.empty() ? why_of(std::get<model_failure>(answer).why) : why};
    }

    task<next_step> call(tool_call const& wanted) {
        tool_result result;
        bool away = false;
        try {
            result = co_await of_.deps_.tools.call(run_, wanted);
        } catch (outage const&) {
            away = true;
        }
        if (away) co_return run_failed{failure::database_unavailable};
        co_return loop_->take_result(std::move(result.content), result.used);
    }

    // Ids are given once, so that what is sent again is recognised.
    [[nodiscard]] pg::statement progress_statement() {
        auto const messages = loop_->messages_from(written_);
        while (ids_.size() < messages.size()) ids_.push_back(new_record_id());
        auto const usage = loop_->usage();
        return add_progress({run_.run_id,
                             run_.lease_owner,
                             ids_,
                             messages,
                             {usage.input - used_.input, usage.output - used_.output},
                             loop_->tool_calls() - tool_calls_,
                             of_.deps_.settings.lease,
                             loop_->used()});
    }
    void note_written() {
        written_ = loop_->messages().size();
        used_ = loop_->usage();
        tool_calls_ = loop_->tool_calls();
        ids_.clear();
    }
    [[nodiscard]] bool has_progress() const {
        return loop_->messages().size() > written_ || !(loop_->usage() == used_) || loop_->tool_calls() > tool_calls_;
    }

    // Returns why the progress could not be written; "" when it was.
    task<std::string_view> write_progress() {
        if (!has_progress()) co_return std::string_view();
        std::vector<pg::statement> segment = {as_runner(), lock_run(run_.run_id), progress_statement()};
        auto const answer = co_await persist(std::move(segment));
        auto why = trouble(answer);
        if (why.empty() && !read_held(answer.rows.back())) why = failure::lease_lost;
        if (why.empty()) note_written();
        co_return why;
    }

    // Repeats the segment while PostgreSQL is unavailable, as long as the run is ours and has time.
    task<segment_answer> persist(std::vector<pg::statement> segment) {
        pg::traced const how{run_.trace, "write or read run"};
        for (;;) {
            auto copy = segment;
            auto answer = co_await run_segment(of_.deps_.connection, std::move(copy), how);
            if (!answer.away || !obstacle().empty()) co_return answer;
            co_await sleep_for(try_again);
        }
    }

    [[nodiscard]] std::vector<pg::statement> ending(next_step const& last, bool with_progress) {
        std::vector<pg::statement> segment = {as_runner(), lock_run(run_.run_id)};
        if (with_progress && has_progress()) segment.push_back(progress_statement());
        if (auto const* const completed = std::get_if<run_completed>(&last))
            segment.push_back(complete_run(run_.run_id, run_.lease_owner, completed->reply, of_.deps_.settings.lease));
        else segment.push_back(fail_run(run_.run_id, run_.lease_owner, std::get<run_failed>(last).why));
        segment.push_back(find_run(run_.run_id));
        return segment;
    }

    // The caller gets what PostgreSQL then has: another process may have ended the run before.
    task<run_record> finish(next_step last) {
        auto const give_up = coarse_clock::now() + of_.deps_.settings.lease + end_timeout;
        bool with_progress = true;
        pg::traced const how{run_.trace, "end run"};
        for (;;) {
            auto segment = ending(last, with_progress);
            auto const answer = co_await run_segment(of_.deps_.connection, std::move(segment), how);
            if (answer.ok()) {
                auto const stored = read_run(answer.rows.back());
                if (!stored) throw outage("the run is not there");
                if (stored->status != run_status::in_progress) co_return *stored;
                last = run_failed{failure::lease_lost}; // completing it came too late
            } else if (answer.refused) {
                last = run_failed{failure::internal};
                with_progress = false;
            }
            if (coarse_clock::now() >= give_up) throw outage("the end of a run could not be written");
            if (!answer.ok()) co_await sleep_for(try_again);
        }
    }

    void report(run_record const& ended) {
        bool const completed = ended.status == run_status::completed;
        (completed ? of_.completed_ : of_.failed_).add();
        auto const duration = coarse_clock::now() - began_;
        of_.seconds_.observe(duration);
        log::write(completed ? log::level::info : log::level::warning, "agent_run",
                   {{"requestId", run_.request_id},
                    {"traceId", tracing::trace_text(run_.trace.at)},
                    {"correlationId", to_dashed_string(run_.run_id)},
                    {"sessionId", to_string(run_.session_id)},
                    {"status", to_string(ended.status)},
                    {"failure", std::string_view(ended.failure)},
                    {"toolCalls", loop_->tool_calls()},
                    {"durationMs", std::chrono::duration<double, std::milli>(duration).count()}});
    }

    runner& of_;
    run_context const& run_;
    lease_keeper::run_lease lease_;
    std::optional<run_loop> loop_;
    coarse_clock::time_point began_{coarse_clock::now()};
    timestamp started_at_{system_time().now()};
    // What is stored of the loop's.
    std::size_t written_{0};
    token_usage used_;
    std::int64_t tool_calls_{0};
    std::vector<uuid> ids_; // of the messages after those
};

runner::runner(dependencies deps)
    : deps_(deps), leases_(deps.context, deps.connection, deps.settings.lease, deps.settings.heartbeat),
      completed_(deps.metrics.add_counter("recruiting_agent_runs_total", "Runs that this process finished.",
                                          R"(outcome="completed")")),
      failed_(deps.metrics.add_counter("recruiting_agent_runs_total", "Runs that this process finished.",
                                       R"(outcome="failed")")),
      in_progress_(
          deps.metrics.add_gauge("recruiting_agent_runs_in_progress", "Runs that this process is working on.")),
      seconds_(deps.metrics.add_histogram("recruiting_agent_run_duration_seconds", "Duration of runs.", "",
                                          metrics::slow_bounds)) {
    deps.metrics.add_gauge("recruiting_agent_runs_max", "Maximum number of runs in progress.")
        .set(deps.settings.runs_per_process);
}

std::unique_ptr<runner::permit> runner::acquire_permit() {
    if (leases_.is_down()) return nullptr;
    auto acquired = std::make_unique<permit>(in_progress_);
    if (in_progress_.value() > deps_.settings.runs_per_process) return nullptr;
    return acquired;
}

task<run_record> runner::work(run_context const& run, bool resumed, coarse_clock::time_point begun_at) {
    run_work one(*this, run, begun_at);
    auto const ended = co_await one.carry_out(resumed);
    co_return ended;
}

void runner::drain(std::chrono::milliseconds limit) {
    auto timer = std::make_shared<timer_type>(deps_.context, limit);
    timer->async_wait([this, timer](boost::system::error_code error) {
        if (!error) leases_.shut_down();
    });
}

} // namespace recruiting::auth_api::agent
