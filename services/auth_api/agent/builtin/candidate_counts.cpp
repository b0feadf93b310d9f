// How many candidates: in all, of a job, of a stage of its pipeline, by status.
#include "auth_api/agent/builtin/added_candidates.hpp"
#include "auth_api/agent/builtin/find_job.hpp"
#include "auth_api/agent/builtin/names.hpp"
#include "auth_api/agent/builtin/refusals.hpp"
#include "auth_api/agent/builtin/stages.hpp"
#include "auth_api/agent/builtin/wording.hpp"

namespace recruiting::auth_api::agent::responder {
namespace {

struct wanted_count {
    job_reference job;
    std::string stage;
    std::string status;
    std::string source;
};

constexpr page_limits counted_candidates{200, 7}; // a round each, of the 8 a run has
constexpr page_limits jobs_over_all{20, 1};       // whose pipelines one answer reads: a run has 32 tool calls

std::string candidates(std::int64_t count, bool exact = true) {
    return counted(count, "candidate", "candidates", exact);
}

std::string there_are(std::int64_t count) { return count == 1 ? "There is " : "There are "; }

std::string totals_of(record const& pipeline) {
    auto const totals = pipeline["totals"];
    std::int64_t sum = 0;
    std::vector<std::string> parts;
    for (auto const* const status : {"active", "hired", "rejected", "withdrawn"}) {
        auto const count = totals.number(status).value_or(0);
        sum += count;
        parts.push_back(number(count) + ' ' + status);
    }
    auto text = in_quotes(pipeline.text("jobTitle")) + " has " + candidates(sum);
    if (sum == 0) return text + ".";
    return text + ": " + joined(parts) +
           ". The active ones by stage:" + bulleted(counts_by_stage(pipeline["stages"].items()));
}

std::string count_in(record const& pipeline, wanted_count const& wanted) {
    auto const job = in_quotes(pipeline.text("jobTitle"));
    if (!wanted.stage.empty()) {
        auto const stages = stages_named(pipeline, wanted.stage);
        if (stages.empty()) return no_such_stage(pipeline, wanted.stage);
        auto const sum = candidates_in(stages);
        if (stages.size() > 1)
            return there_are(sum) + candidates(sum) + " in " + number(static_cast<std::int64_t>(stages.size())) +
                   " stages of " + job + ":" + bulleted(counts_by_stage(stages));
        return there_are(sum) + candidates(sum) + " in the stage " + in_quotes(stages.front().text("name")) + " of " +
               job + ".";
    }
    if (wanted.status.empty()) return totals_of(pipeline);
    auto const count = pipeline["totals"].number(wanted.status).value_or(0);
    return job + " has " + counted(count, wanted.status + " candidate", wanted.status + " candidates") + ".";
}

// Without pipeline:read the number that the job's own record has still answers the plain question.
void count_by_record(desk& work, std::string const& job, std::string const& refused) {
    auto const found = work.try_ask("get_job", {{"jobId", job}});
    if (!found.code.empty()) work.say(refused);
    if (!found.data) return;
    auto const record = found.data["data"];
    work.say(in_quotes(record.text("title")) + " has " + candidates(record.number("candidateCount").value_or(0)) +
             ". For more: " + refused);
}

void count_of_job(desk& work, wanted_count const& wanted) {
    auto const job = find_job(work, wanted.job);
    if (!job) return;
    auto const pipeline = work.try_ask("get_pipeline", {{"jobId", *job}});
    if (pipeline.data) return work.say(count_in(pipeline.data["data"], wanted));
    if (pipeline.code.empty()) return;
    auto const refused = refusal("get_pipeline", pipeline.code);
    if (wanted.stage.empty() && wanted.status.empty() && pipeline.code == "insufficient_scope")
        return count_by_record(work, *job, refused);
    work.say(refused);
}

void count_of_stage(desk& work, std::string const& stage) {
    auto const jobs = work.ask_all("list_jobs", {{"status", "open"}}, jobs_over_all);
    if (!jobs) return;
    std::vector<std::string> lines;
    std::int64_t sum = 0;
    std::int64_t seen = 0;
    bool waiting = false;
    for (auto const& job : jobs->items) {
        auto const [pipeline, code] = work.try_ask("get_pipeline", {{"jobId", job.text("id")}});
        bool const hidden = code == "not_found"; // of another team
        if (hidden) continue;
        if (!code.empty()) work.say(refusal("get_pipeline", code));
        ++seen;
        waiting = waiting || !pipeline;
        auto const count = candidates_in(stages_named(pipeline["data"], stage));
        if (count > 0) lines.push_back(shown(job.text("title")) + ": " + number(count));
        sum += count;
    }
    if (waiting) return;
    if (seen == 0 && !jobs->items.empty()) return work.say(refusal("get_pipeline", "not_found"));
    bool const all_seen = seen == static_cast<std::int64_t>(jobs->items.size());
    auto const over =
        (jobs->complete ? counted(seen, "open job", "open jobs") : "the newest " + number(seen) + " open jobs") +
        (all_seen ? "" : " you can see");
    work.say(there_are(sum) + candidates(sum) + " in the stage " + in_quotes(stage) + " over " + over +
             (lines.empty() ? "." : ":" + bulleted(lines)));
}

// More candidates than may be read: the jobs' records have numbers too, by application. They are read beside the
// candidates, not after them: a run has few rounds.
std::optional<listing> jobs_beside(desk& work) {
    auto const first = work.try_ask("search_candidates", {{"limit", counted_candidates.size}});
    if (!first.data["page"].is_true("hasMore")) return listing{};
    auto const jobs = work.try_ask("list_jobs", {{"limit", job_pages.size}});
    if (!jobs.code.empty()) return listing{};
    return work.ask_all("list_jobs", {}, job_pages);
}

std::string at_least(std::int64_t seen, listing const& jobs) {
    std::int64_t sum = 0;
    for (auto const& job : jobs.items) sum += job.number("candidateCount").value_or(0);
    auto const text = there_are(seen) + candidates(seen, false);
    if (sum < seen) return text + ".";
    return text + " (" + counted(sum, "application", "applications", jobs.complete) + " to " +
           counted(static_cast<std::int64_t>(jobs.items.size()), "job", "jobs", jobs.complete) + ").";
}

void count_all(desk& work, wanted_count const& wanted, time_range const& when) {
    boost::json::object arguments;
    if (!wanted.status.empty()) arguments["status"] = wanted.status;
    if (!wanted.source.empty()) arguments["source"] = wanted.source;
    bool const every_one = arguments.empty() && when.words.empty();
    auto const jobs = every_one ? jobs_beside(work) : listing{};
    auto found = work.ask_all("search_candidates", std::move(arguments), counted_candidates);
    if (!found || !jobs) return;
    if (!when.words.empty()) keep_added_in(*found, when);
    auto const seen = static_cast<std::int64_t>(found->items.size());
    if (!found->complete && every_one) return work.say(at_least(seen, *jobs));
    auto const adjective = wanted.status.empty() ? std::string() : wanted.status + ' ';
    auto text = there_are(seen) + counted(seen, adjective + "candidate", adjective + "candidates", found->complete);
    if (!wanted.source.empty()) text += " from the source " + in_quotes(wanted.source);
    if (!when.words.empty()) text += " added " + when.words;
    work.say(text + ".");
}

void count_candidates(desk& work, wanted_count const& wanted, time_range const& when) {
    bool const narrow = !wanted.job.empty() || !wanted.stage.empty() || !wanted.status.empty();
    if (narrow && !when.words.empty())
        return work.say("I can't count those by date. I can tell how many candidates were added " + when.words +
                        ", and how many a job, a stage or a status has now.");
    if (!wanted.job.empty()) return count_of_job(work, wanted);
    if (!wanted.stage.empty()) return count_of_stage(work, wanted.stage);
    count_all(work, wanted, when);
}

} // namespace

plan match_candidate_counts(question const& about) {
    auto const& asked = about.asked;
    using enum sense;
    if (!asked.has(count) || asked.has_any({key, audit, billing, usage, invoice, seat})) return nullptr;
    if (!asked.has(candidate) && asked.has_any({member, role})) return nullptr;
    auto const stage_words = responder::stage_name(asked);
    if (!asked.has_any({candidate, candidate_status, pipeline, stage}) && stage_words.empty()) return nullptr;
    wanted_count wanted{{}, stage_words, {}, source_name(asked)};
    if (wanted.source.empty()) wanted.job = job_named_in(about, naming::loose);
    if (auto const* const status = asked.first(candidate_status)) wanted.status = status->value;
    return [wanted, &asked](desk& work) { count_candidates(work, wanted, time_range_in(asked, work.now())); };
}

} // namespace recruiting::auth_api::agent::responder
