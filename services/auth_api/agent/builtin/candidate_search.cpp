// One candidate, by name or e-mail address: title, company, applications with their stages.
#include "auth_api/agent/builtin/job_details.hpp"
#include "auth_api/agent/builtin/names.hpp"
#include "auth_api/agent/builtin/people.hpp"
#include "auth_api/agent/builtin/refusals.hpp"
#include "auth_api/agent/builtin/wording.hpp"

#include <algorithm>

namespace recruiting::auth_api::agent::responder {
namespace {

constexpr std::int64_t most_listed = 20;
constexpr std::size_t most_titles = 10; // jobs whose titles are looked up for one candidate
constexpr std::size_t longest_name = 200;

struct wanted_person {
    std::string name; // or e-mail address
    bool may_be_job{false};
};

// False: not all titles have come yet. Where jobs can't be read the application stands without its title.
bool add_titles(desk& work, std::vector<record> const& applications, std::vector<std::string>& titles) {
    bool complete = true;
    for (auto const& application : applications) {
        if (titles.size() == most_titles) break;
        auto const job = work.try_ask("get_job", {{"jobId", application.text("jobId")}});
        complete = complete && (job.data || !job.code.empty());
        titles.push_back(job.data ? in_quotes(job.data["data"].text("title")) : "");
    }
    titles.resize(applications.size());
    return complete;
}

std::string application_line(record const& application, std::string const& title) {
    auto line = title.empty() ? "a job" : title;
    line += ": " + shown(application.text("stageName")) + " (" + spaced(application.text("status")) + "), applied " +
            day_of(application.text("appliedAt"));
    if (!application.text("rejectionReason").empty()) line += ", " + shown(application.text("rejectionReason"));
    return line;
}

void tell(desk& work, std::string_view id) {
    auto const page = work.ask("get_candidate", {{"candidateId", id}});
    if (!page) return;
    auto const candidate = page["data"];
    auto const applications = candidate["applications"].items();
    std::vector<std::string> titles;
    if (!add_titles(work, applications, titles)) return;
    auto text = person_line(candidate) + ".";
    auto const location = candidate["location"];
    if (!location.text("name").empty()) text += " Lives in " + shown(location.text("name")) + ".";
    if (!candidate.text("source").empty()) text += " Source: " + spaced(candidate.text("source")) + ".";
    if (applications.empty()) return work.say(text + " There is no application you can see.");
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < applications.size(); ++i) lines.push_back(application_line(applications[i], titles[i]));
    work.say(text + " Applications:" + bulleted(lines));
}

record only_one(std::vector<record> const& found, std::string const& name) {
    if (found.size() == 1) return found.front();
    record same;
    for (auto const& one : found) {
        if (!same_name(one.text("name"), name)) continue;
        if (same) return {};
        same = one;
    }
    return same;
}

void search(desk& work, wanted_person const& wanted) {
    auto const* const by = is_address(wanted.name) ? "email" : "q";
    auto const [page, code] = work.try_ask("search_candidates", {{by, wanted.name}, {"limit", most_listed}});
    if (wanted.may_be_job && code == "insufficient_scope")
        return describe_job(work, {{}, wanted.name}, job_aspect::everything);
    if (!code.empty()) return work.say(refusal("search_candidates", code));
    if (!page) return;
    auto found = page["data"].items();
    if (wanted.may_be_job)
        std::erase_if(found, [&](record const& one) { return !names_match(one.text("name"), wanted.name); });
    if (auto const one = only_one(found, wanted.name)) return tell(work, one.text("id"));
    if (found.empty() && wanted.may_be_job) return describe_job(work, {{}, wanted.name}, job_aspect::everything);
    if (found.empty()) return work.say("I found no candidate that matches " + in_quotes(wanted.name) + ".");
    work.say("Several candidates match " + in_quotes(wanted.name) + ":" +
             bulleted(person_lines(found), !page["page"].is_true("hasMore")));
}

bool applies(word const& one) { return one.text.starts_with("appl"); }

// "the candidate Anna", "find Anna", "who is Anna", "has Anna applied", "Anna's application"
bool names_person(prompt const& asked) {
    using enum sense;
    auto const& words = asked.words();
    for (std::size_t at = 0; at + 1 < words.size(); ++at) {
        auto const& one = words[at];
        auto const& next = words[at + 1];
        if (one.ends_clause) continue;
        bool const name_follows = next.is == unknown || next.is == quoted;
        bool const who_is = one.is == be && at > 0 && words[at - 1].is == who;
        bool const candidate_noun = one.is == candidate && singular(one.text) == one.text;
        if (name_follows && (one.is == find || who_is || candidate_noun)) return true;
        if (one.is == candidate && next.is == named) return true;
        if (name_follows && one.is == named && asked.has_any({find, candidate, who})) return true;
        if (one.is == unknown && applies(next)) return true;
        if (one.is == unknown && next.text == "s" && at + 2 < words.size() &&
            (words[at + 2].is == candidate || words[at + 2].is == stage || words[at + 2].is == candidate_status))
            return true;
    }
    return false;
}

// "show Anna Schmidt" but not "show me something"
bool has_capital_name(prompt const& asked) {
    return std::ranges::any_of(asked.words(), [&asked](word const& one) {
        return one.is == sense::unknown && asked.raw()[one.begin] >= 'A' && asked.raw()[one.begin] <= 'Z';
    });
}

bool describes_somebody(question const& about) {
    using enum sense;
    auto const& asked = about.asked;
    if (asked.has_any({job, pipeline}) || !asked.has(unknown)) return false;
    if (auto const* const word = asked.first(describe)) return word->value.empty();
    if (!job_named_in(about, naming::strict).empty() || !responder::stage_name(asked).empty()) return false;
    return asked.has_any({where, stage}) || (asked.has(list) && has_capital_name(asked));
}

} // namespace

plan match_candidate_search(question const& about) {
    auto const& asked = about.asked;
    using enum sense;
    if (asked.has_any({count, key, audit, failure, billing, usage, salary, member, role, revoke, deed, day, last}))
        return nullptr;
    auto const id = record_id(asked);
    if (!id.empty() && asked.has(candidate)) return [id](desk& work) { tell(work, id); };
    auto person = person_name(asked);
    if (person.empty() || person.size() > longest_name) return nullptr;
    if (!is_address(person) && !names_person(asked) && !describes_somebody(about)) return nullptr;
    bool const may_be_job = !asked.has_any({candidate, who, stage, named}) && !is_address(person);
    return [wanted = wanted_person{std::move(person), may_be_job}](desk& work) { search(work, wanted); };
}

} // namespace recruiting::auth_api::agent::responder
