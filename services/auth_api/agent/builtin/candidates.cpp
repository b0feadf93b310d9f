// Candidates: how many, the newest, who is in a job's pipeline, one of them by name.
#include "auth_api/agent/builtin/intents.hpp"
#include "auth_api/agent/builtin/wording.hpp"
#include "mail/address.hpp"

#include <algorithm>

namespace recruiting::auth_api::agent::builtin {
namespace {

constexpr page_limits newest_candidates{20, 1};
constexpr page_limits counted_candidates{200, 7}; // a round each, of the 8 that a run has
constexpr std::size_t most_titles = 10;           // jobs whose titles are looked up for one candidate
constexpr std::size_t most_names = 20;            // of a stage

constexpr auto which_job = "Which job do you mean? Ask for example: who is in the pipeline of “Backend Engineer”?";
constexpr auto hidden_names = "\nYour key does not reach the candidates' names (candidates:read).";

std::vector<std::string_view> stage_kinds(question const& asked) {
    return asked.among({"applied", "screen", "interview", "assessment", "offer"});
}

std::vector<std::string_view> statuses(question const& asked) {
    return asked.among({"active", "hired", "rejected", "withdrawn"});
}

std::string candidate_line(record const& candidate) {
    auto line = shown(candidate.text("name"));
    auto const title = shown(candidate.text("currentTitle"));
    auto const company = shown(candidate.text("currentCompany"));
    if (!title.empty()) line += ", " + title;
    if (!company.empty()) line += (title.empty() ? ", " : " at ") + company;
    if (!candidate.text("email").empty()) line += ", " + shown(candidate.text("email"));
    return line;
}

// nullopt: not all titles have come yet. Where a job can't be read, its application stands without the title.
std::optional<std::vector<std::string>> application_lines(dialogue& with, std::vector<record> const& applications) {
    std::vector<std::string> lines;
    bool complete = true;
    for (auto const& one : applications) {
        auto const job = lines.size() < most_titles ? with.try_call("get_job", {{"jobId", one.text("jobId")}})
                                                    : dialogue::result{{}, std::string(not_offered)};
        complete = complete && (job.data || !job.code.empty());
        auto line = job.data ? in_quotes(job.data["data"].text("title")) : std::string("a job");
        line += ": " + shown(one.text("stageName")) + " (" + spaced(one.text("status")) + "), applied " +
                day_of(one.text("appliedAt"));
        lines.push_back(std::move(line));
    }
    if (!complete) return std::nullopt;
    return lines;
}

void describe_candidate(dialogue& with, std::string_view id) {
    auto const page = with.call("get_candidate", {{"candidateId", id}});
    if (!page) return;
    auto const candidate = page["data"];
    auto const lines = application_lines(with, candidate["applications"].items());
    if (!lines) return;
    auto const text = candidate_line(candidate) + ".";
    if (lines->empty()) return with.answer(text + " There is no application you can see.");
    with.answer(text + " Applications:" + bulleted(*lines, lines->size()));
}

void find_candidate(dialogue& with, std::string const& name) {
    if (auto const id = record_id(name); !id.empty()) return describe_candidate(with, id);
    auto const* const by = mail::is_address(name) ? "email" : "q";
    auto const page = with.call("search_candidates", {{by, name}, {"limit", newest_candidates.size}});
    if (!page) return;
    auto const found = page["data"].items();
    if (found.size() == 1) return describe_candidate(with, found.front().text("id"));
    if (found.empty()) return with.answer("I found no candidate that matches " + in_quotes(name) + ".");
    with.answer("Several candidates match " + in_quotes(name) + ":" +
                bulleted(lines_of(found, candidate_line), found.size(), !page["page"].is_true("hasMore")));
}

std::string candidate_noun(std::string const& status) { return (status.empty() ? "" : status + ' ') + "candidate"; }

// More candidates than one answer may read: the jobs' records have numbers too, of applications.
std::optional<std::string> applications_beside(dialogue& with) {
    auto const first = with.try_call("list_jobs", {{"limit", job_pages.size}});
    if (!first.code.empty()) return std::string();
    auto const jobs = with.read_list("list_jobs", {}, job_pages);
    if (!jobs) return std::nullopt;
    std::int64_t sum = 0;
    for (auto const& job : jobs->items) sum += job.integer("candidateCount").value_or(0);
    return " (" + counted(sum, "application", jobs->complete) + " to " + counted(jobs->size(), "job", jobs->complete) +
           ")";
}

void count_all(dialogue& with, std::string const& status) {
    boost::json::object arguments;
    if (!status.empty()) arguments["status"] = status;
    // With more than one page it is not sure that all can be read: the jobs are read in the same rounds, not after.
    auto first = arguments;
    first["limit"] = counted_candidates.size;
    bool const many = with.try_call("search_candidates", first).data["page"].is_true("hasMore");
    auto const beside = many && status.empty() ? applications_beside(with) : std::string();
    auto const found = with.read_list("search_candidates", std::move(arguments), counted_candidates);
    if (!found || !beside) return;
    with.answer(there_are(found->size(), candidate_noun(status), found->complete) + (found->complete ? "" : *beside) +
                ".");
}

std::vector<record> stages_of(record const& pipeline, std::string_view kind) {
    auto stages = pipeline["stages"].items();
    std::erase_if(stages, [kind](record const& stage) { return !kind.empty() && stage.text("kind") != kind; });
    return stages;
}

std::int64_t candidates_in(std::vector<record> const& stages) {
    std::int64_t sum = 0;
    for (auto const& stage : stages) sum += stage.integer("candidateCount").value_or(0);
    return sum;
}

bool names_hidden(record const& stage) {
    auto const applications = stage["applications"].items();
    return std::ranges::any_of(applications, [](record const& one) { return !one["candidateName"]; });
}

std::string stage_line(record const& stage) {
    return shown(stage.text("name")) + ": " + number(stage.integer("candidateCount").value_or(0));
}

std::string stage_names_line(record const& stage) {
    auto line = stage_line(stage);
    if (names_hidden(stage)) return line;
    std::vector<std::string> names;
    for (auto const& one : stage["applications"].items())
        if (names.size() < most_names) names.push_back(shown(one.text("candidateName")));
    auto const rest = stage.integer("candidateCount").value_or(0) - static_cast<std::int64_t>(names.size());
    if (rest > 0 && !names.empty()) names.push_back(number(rest) + " more");
    return line + (names.empty() ? "" : " (" + joined(names) + ")");
}

std::string of_pipeline(record const& pipeline, std::string const& kind) {
    auto const part = kind.empty() ? "the pipeline" : "the " + kind + " stages";
    return " in " + part + " of " + in_quotes(pipeline.text("jobTitle"));
}

std::string pipeline_answer(record const& pipeline, std::string const& kind, bool count) {
    auto const stages = stages_of(pipeline, kind);
    if (stages.empty() && !kind.empty())
        return in_quotes(pipeline.text("jobTitle")) + " has no stage of the kind " + kind + ".";
    auto const sum = candidates_in(stages);
    auto text = there_are(sum, "active candidate") + of_pipeline(pipeline, kind);
    if (sum == 0) return text + ".";
    auto const lines = count ? lines_of(stages, stage_line) : lines_of(stages, stage_names_line);
    text += ":" + bulleted(lines, lines.size());
    return !count && std::ranges::any_of(stages, names_hidden) ? text + hidden_names : text;
}

std::string totals_answer(record const& pipeline, std::string const& status) {
    auto const job = in_quotes(pipeline.text("jobTitle"));
    auto const totals = pipeline["totals"];
    if (!status.empty())
        return job + " has " + counted(totals.integer(status).value_or(0), candidate_noun(status)) + ".";
    std::int64_t sum = 0;
    std::vector<std::string> parts;
    for (auto const* const one : {"active", "hired", "rejected", "withdrawn"}) {
        auto const count = totals.integer(one).value_or(0);
        sum += count;
        parts.push_back(number(count) + ' ' + one);
    }
    return job + " has " + counted(sum, "candidate") + ": " + joined(parts) + ".";
}

} // namespace

plan match_candidate(question const& asked) {
    bool const known = asked.only({"find", "candidate", "candidates", "called", "what"});
    // "the candidates of X" are those of a job; "the candidates called X" are people.
    bool const one =
        known && (asked.has_any({"find", "candidate"}) || (asked.has("candidates") && asked.has("called")));
    if (!one || asked.names().size() != 1 || asked.time()) return nullptr;
    return [name = asked.names().front()](dialogue& with) { find_candidate(with, name); };
}

plan match_candidate_list(question const& asked) {
    auto const status = statuses(asked);
    bool const known =
        asked.only({"candidates", "count", "all", "who", "what", "active", "hired", "rejected", "withdrawn"}) &&
        status.size() <= 1;
    if (!asked.has("candidates") || !known || !asked.names().empty() || asked.time()) return nullptr;
    std::string const wanted(status.empty() ? "" : status.front());
    if (asked.has("count")) return [wanted](dialogue& with) { count_all(with, wanted); };
    return [wanted](dialogue& with) {
        boost::json::object arguments;
        if (!wanted.empty()) arguments["status"] = wanted;
        auto const found = with.read_list("search_candidates", std::move(arguments), newest_candidates);
        if (!found) return;
        auto const noun = candidate_noun(wanted) + 's';
        if (found->items.empty()) return with.answer("There are no " + noun + ".");
        with.answer("The newest " + noun + ":" + bulleted(*found, candidate_line));
    };
}

plan match_pipeline(question const& asked) {
    auto const kinds = stage_kinds(asked);
    auto const status = statuses(asked);
    bool const count = asked.has("count");
    bool const known =
        asked.only({"candidates", "pipeline", "stage", "job", "who", "what", "count", "applied", "screen", "interview",
                    "assessment", "offer", "active", "hired", "rejected", "withdrawn"});
    bool const of_stage = asked.has("stage") || asked.has("pipeline");
    if (!known || !(asked.has("candidates") || of_stage) || asked.names().size() > 1 || asked.time()) return nullptr;
    if (kinds.size() > 1 || status.size() > 1 || (!kinds.empty() && !of_stage)) return nullptr;
    // A list by status is of all of a candidate's applications, not of those to this job alone.
    if (!status.empty() && (!count || of_stage)) return nullptr;
    if (asked.names().empty() && asked.only({"stage"})) return nullptr; // a word, not yet a question
    if (asked.names().empty()) return [](dialogue& with) { with.answer(which_job); };
    std::string const kind(kinds.empty() ? "" : kinds.front());
    std::string const wanted(status.empty() ? "" : status.front());
    return [name = asked.names().front(), kind, wanted, count, of_stage](dialogue& with) {
        auto const job = find_job(with, name);
        if (!job) return;
        auto const found = with.call("get_pipeline", {{"jobId", *job}});
        if (!found) return;
        with.answer(count && !of_stage ? totals_answer(found["data"], wanted)
                                       : pipeline_answer(found["data"], kind, count));
    };
}

} // namespace recruiting::auth_api::agent::builtin
