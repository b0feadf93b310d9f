// Lists of jobs: open ones unless another status is named; of a department or a place; how many; counted by either.
#include "auth_api/agent/builtin/find_job.hpp"
#include "auth_api/agent/builtin/intents.hpp"
#include "auth_api/agent/builtin/lines.hpp"
#include "auth_api/agent/builtin/names.hpp"
#include "auth_api/agent/builtin/wording.hpp"

#include <algorithm>
#include <map>

namespace recruiting::auth_api::agent::responder {
namespace {

enum class grouping { none, department, location };

struct wanted_jobs {
    std::string status; // empty: every one
    bool published{false};
    std::vector<std::string> where; // departments and places as the prompt names them
    bool marked{false};             // they are quoted, or "in" or "for" says that they are names
    bool count{false};
    grouping by{grouping::none};
};

std::string noun(wanted_jobs const& wanted, bool one) {
    std::string text = wanted.published ? "published " : "";
    if (!wanted.status.empty()) text += spaced(wanted.status) + ' ';
    return text + (one ? "job" : "jobs");
}

bool fits(record const& job, std::string const& where) {
    auto const location = job["location"];
    for (auto const text :
         {job.text("department"), location.text("name"), location.text("city"), location.text("region"),
          location.text("countryCode"), job.text("workplaceType"), job.text("title")})
        if (names_match(text, where) || names_match(text, singular(where))) return true;
    return false;
}

std::string line_of(record const& job, bool with_status) {
    auto line = shown(job.text("title"));
    if (!job.text("department").empty()) line += ", " + shown(job.text("department"));
    if (auto const place = job_place(job); !place.empty()) line += ", " + place;
    line += " (" + counted(job.number("candidateCount").value_or(0), "candidate", "candidates");
    if (with_status) line += ", " + spaced(job.text("status"));
    return line + ")";
}

std::string grouped(std::vector<record> const& jobs, grouping by) {
    std::map<std::string, std::int64_t> counts;
    for (auto const& job : jobs) {
        auto const key = by == grouping::department ? shown(job.text("department")) : job_place(job);
        ++counts[key.empty() ? "not set" : key];
    }
    std::vector<std::string> lines;
    lines.reserve(counts.size());
    for (auto const& [key, count] : counts) lines.push_back(key + ": " + number(count));
    return bulleted(lines);
}

std::string matching(std::vector<std::string> const& where) {
    if (where.empty()) return {};
    std::vector<std::string> parts;
    parts.reserve(where.size());
    for (auto const& one : where) parts.push_back(in_quotes(one));
    return " matching " + joined(parts);
}

std::string answer(listing const& all, wanted_jobs const& wanted) {
    std::vector<record> jobs;
    for (auto const& job : all.items)
        if (std::ranges::all_of(wanted.where, [&job](std::string const& where) { return fits(job, where); }))
            jobs.push_back(job);
    auto const where = matching(wanted.where);
    if (jobs.empty())
        return (all.complete ? "There are no " : "Among those I could read there are no ") + noun(wanted, false) +
               where + ".";
    auto const size = static_cast<std::int64_t>(jobs.size());
    auto text = (size == 1 && all.complete ? "There is " : "There are ") +
                counted(size, noun(wanted, true), noun(wanted, false), all.complete) + where;
    if (wanted.by != grouping::none) return text + ":" + grouped(jobs, wanted.by);
    if (wanted.count) return text + ".";
    bool const with_status = wanted.status.empty();
    auto const lines = lines_of(jobs, [with_status](record const& job) { return line_of(job, with_status); });
    return text + ":" + bulleted(lines, all.complete);
}

// Words that only stand beside "jobs" and fit none of them say nothing about jobs.
std::string answer_to(listing const& all, wanted_jobs wanted) {
    std::string text;
    std::erase_if(wanted.where, [&](std::string const& where) {
        bool const known = wanted.marked || all.items.empty() || is_workplace(where) ||
                           std::ranges::any_of(all.items, [&where](record const& job) { return fits(job, where); });
        if (!known) text += not_understood(where);
        return !known;
    });
    return text + answer(all, wanted);
}

plan listing_jobs(wanted_jobs const& wanted) {
    return [wanted](desk& work) {
        boost::json::object arguments;
        if (!wanted.status.empty()) arguments["status"] = wanted.status;
        if (wanted.published) arguments["published"] = true;
        auto const jobs = work.ask_all("list_jobs", std::move(arguments), job_pages);
        if (jobs) work.say(answer_to(*jobs, wanted));
    };
}

} // namespace

plan match_jobs(question const& about) {
    auto const& asked = about.asked;
    using enum sense;
    if (asked.has_any({candidate, pipeline, stage, key, audit, deed, revoke, salary, describe, member})) return nullptr;
    auto const* const status = asked.first(job_status);
    if (!asked.has(job) && status == nullptr) return nullptr;
    wanted_jobs wanted;
    wanted.published = asked.has(sense::published);
    wanted.status = status != nullptr ? std::string(status->value) : asked.has(all) || wanted.published ? "" : "open";
    wanted.count = asked.has(count);
    if (asked.has(per) && asked.has(department)) wanted.by = grouping::department;
    else if (asked.has(per) && asked.has(location)) wanted.by = grouping::location;
    else wanted.where = place_names(asked);
    wanted.marked = asked.has_any({quoted, preposition});
    return listing_jobs(wanted);
}

} // namespace recruiting::auth_api::agent::responder
