// Who is in a pipeline: of a job, of one of its stages; who was hired or rejected; the newest candidates of all.
#include "auth_api/agent/builtin/added_candidates.hpp"
#include "auth_api/agent/builtin/find_job.hpp"
#include "auth_api/agent/builtin/lines.hpp"
#include "auth_api/agent/builtin/names.hpp"
#include "auth_api/agent/builtin/people.hpp"
#include "auth_api/agent/builtin/stages.hpp"
#include "auth_api/agent/builtin/wording.hpp"

#include <algorithm>

namespace recruiting::auth_api::agent::responder {
namespace {

constexpr page_limits newest_only{20, 1};
constexpr std::size_t most_names = 20; // of a stage

struct wanted_people {
    job_reference job;
    std::string stage;
    std::string status;
    std::string source;
};

bool names_hidden(record const& stage) {
    auto const applications = stage["applications"].items();
    return std::ranges::any_of(applications, [](record const& one) { return !one["candidateName"]; });
}

std::vector<std::string> names_in(record const& stage) {
    std::vector<std::string> names;
    for (auto const& application : stage["applications"].items())
        names.push_back(shown(application.text("candidateName")));
    return names;
}

constexpr auto hidden_names = "\nYour key does not reach the candidates' names (candidates:read).";

std::string one_stage(record const& stage, std::string_view job) {
    auto const count = stage.number("candidateCount").value_or(0);
    auto text = "In the stage " + in_quotes(stage.text("name")) + " of " + in_quotes(job);
    if (count == 0) return text + " there is nobody.";
    text += (count == 1 ? " there is " : " there are ") + counted(count, "candidate", "candidates");
    if (names_hidden(stage)) return text + "." + hidden_names;
    return text + ":" + bulleted(names_in(stage), static_cast<std::size_t>(count));
}

std::string stage_line(record const& stage) {
    auto const count = stage.number("candidateCount").value_or(0);
    auto line = shown(stage.text("name")) + " (" + number(count) + ")";
    if (count == 0 || names_hidden(stage)) return line;
    auto names = names_in(stage);
    if (names.size() > most_names) names.resize(most_names);
    auto const rest = count - static_cast<std::int64_t>(names.size());
    if (rest > 0) names.push_back(number(rest) + " more");
    return line + ": " + joined(names);
}

std::string whole_pipeline(record const& pipeline) {
    auto const stages = pipeline["stages"].items();
    auto const sum = candidates_in(stages);
    auto const job = in_quotes(pipeline.text("jobTitle"));
    if (sum == 0) return "Nobody is in the pipeline of " + job + ".";
    auto text = "In the pipeline of " + job + (sum == 1 ? " there is " : " there are ") +
                counted(sum, "candidate", "candidates") + ":" + bulleted(lines_of(stages, stage_line));
    if (std::ranges::any_of(stages, names_hidden)) text += hidden_names;
    return text;
}

std::string people_of(record const& pipeline, std::string const& stage) {
    if (stage.empty()) return whole_pipeline(pipeline);
    auto const stages = stages_named(pipeline, stage);
    if (stages.empty()) return no_such_stage(pipeline, stage);
    std::string text;
    for (auto const& one : stages) text += (text.empty() ? "" : "\n") + one_stage(one, pipeline.text("jobTitle"));
    return text;
}

void list_newest(desk& work, wanted_people const& wanted, time_range const& when) {
    boost::json::object arguments;
    if (!wanted.job.empty()) {
        auto const job = find_job(work, wanted.job);
        if (!job) return;
        arguments["jobId"] = *job;
    }
    if (!wanted.status.empty()) arguments["status"] = wanted.status;
    if (!wanted.source.empty()) arguments["source"] = wanted.source;
    auto found = work.ask_all("search_candidates", std::move(arguments), newest_only);
    if (!found) return;
    if (!when.words.empty()) keep_added_in(*found, when);
    auto who = wanted.status.empty() ? std::string("candidates") : wanted.status + " candidates";
    // A status is of any of a candidate's applications: the tool can't say of which.
    if (!wanted.job.empty()) who += " among those who applied to that job";
    if (!wanted.source.empty()) who += " from the source " + in_quotes(wanted.source);
    if (!when.words.empty()) who += " added " + when.words;
    if (found->items.empty()) return work.say("There are no " + who + ".");
    work.say("The newest " + who + ":" + bulleted(person_lines(found->items), found->complete));
}

void list_people(desk& work, wanted_people const& wanted, time_range const& when) {
    bool const of_pipeline = wanted.status.empty() && wanted.source.empty() && when.words.empty();
    if (!of_pipeline || (wanted.job.empty() && wanted.stage.empty())) return list_newest(work, wanted, when);
    if (wanted.job.empty())
        return work.say("Which job do you mean? Ask for example: who is in the stage " + in_quotes(wanted.stage) +
                        " of “Backend Engineer”?");
    auto const job = find_job(work, wanted.job);
    if (!job) return;
    auto const pipeline = work.ask("get_pipeline", {{"jobId", *job}});
    if (pipeline) work.say(people_of(pipeline["data"], wanted.stage));
}

void ask_for_job(desk& work) {
    work.say("Which job's pipeline do you mean? Ask for example: who is in the pipeline of “Backend Engineer”?");
}

} // namespace

plan match_pipelines(question const& about) {
    auto const& asked = about.asked;
    using enum sense;
    if (asked.has_any({count, key, audit, failure, billing, usage, salary, describe, deed})) return nullptr;
    if (!asked.has(candidate) && asked.has_any({member, role})) return nullptr;
    wanted_people wanted{{}, responder::stage_name(asked), {}, source_name(asked)};
    if (auto const* const status = asked.first(candidate_status)) wanted.status = status->value;
    if (wanted.source.empty()) wanted.job = job_named_in(about, asked.has(pipeline) ? naming::loose : naming::strict);
    if (asked.has(pipeline) && wanted.job.empty() && wanted.stage.empty()) return ask_for_job;
    bool const asks = asked.has_any({who, list, which, find, candidate, pipeline});
    bool const of_job =
        asked.has_any({who, candidate, pipeline, candidate_status, sense::stage_name}) && !wanted.job.empty();
    bool const of_all = asked.has(candidate) && wanted.job.empty() &&
                        (asked.has_any({list, which, who, all, last, day, candidate_status}) ||
                         !wanted.source.empty() || asked.only({candidate, article, polite}));
    if (!asks || !(of_job || of_all || !wanted.stage.empty())) return nullptr;
    return [wanted, &asked](desk& work) { list_people(work, wanted, time_range_in(asked, work.now())); };
}

} // namespace recruiting::auth_api::agent::responder
