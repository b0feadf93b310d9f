#include "auth_api/agent/builtin/find_job.hpp"

#include "auth_api/agent/builtin/lines.hpp"
#include "auth_api/agent/builtin/names.hpp"
#include "auth_api/agent/builtin/wording.hpp"

#include <algorithm>

namespace recruiting::auth_api::agent::responder {
namespace {

constexpr std::size_t longest_title = 200; // what the tool takes as q

std::vector<record> having_title(std::vector<record> jobs, std::string const& title) {
    std::erase_if(jobs, [&title](record const& job) { return !same_name(job.text("title"), title); });
    return jobs;
}

std::vector<record> open_ones(std::vector<record> jobs) {
    std::erase_if(jobs, [](record const& job) { return job.text("status") != "open"; });
    return jobs;
}

// The one that is meant, where that is clear: the only one, the only one of exactly this title, the only open one of
// it.
record choose(std::vector<record> const& jobs, std::string const& title) {
    auto const exact = having_title(jobs, title);
    auto const open = open_ones(exact);
    for (auto const* const some : {&jobs, &exact, &open})
        if (some->size() == 1) return some->front();
    return {};
}

std::string which_one(std::vector<record> const& jobs, std::string const& title, bool complete) {
    auto const lines =
        lines_of(jobs, [](record const& job) { return job_line(job) + ", id " + shown(job.text("id")); });
    return "Several jobs match " + in_quotes(title) +
           ". Which one do you mean? Ask again with its full title or its id:" + bulleted(lines, complete);
}

} // namespace

job_reference job_named_in(question const& about, naming how) {
    if (auto id = record_id(about.asked); !id.empty()) return {std::move(id), {}};
    if (about.asked.has(sense::reference) && !about.asked.has(sense::quoted))
        return {std::string(about.recent_job), {}};
    auto title = job_title(about.asked);
    if (title.empty() && how == naming::loose) title = possible_job_title(about.asked);
    if (title.size() > longest_title || plain(title).empty()) title.clear();
    return {{}, std::move(title)};
}

std::optional<std::string> find_job(desk& work, job_reference const& named) {
    if (!named.id.empty()) return named.id;
    auto const page = work.ask("list_jobs", {{"q", named.title}, {"limit", job_pages.size}});
    if (!page) return std::nullopt;
    auto const jobs = page["data"].items();
    auto const chosen = choose(jobs, named.title);
    if (chosen) return std::string(chosen.text("id"));
    if (jobs.empty()) work.say("I found no job that matches " + in_quotes(named.title) + ".");
    else work.say(which_one(jobs, named.title, !page["page"].is_true("hasMore")));
    return std::nullopt;
}

std::string job_place(record const& job) {
    auto const location = job["location"];
    auto const name = location.text("name").empty() ? location.text("city") : location.text("name");
    if (!name.empty()) return shown(name);
    return job.text("workplaceType") == "remote" ? "remote" : "";
}

std::string job_line(record const& job) {
    auto line = shown(job.text("title"));
    if (!job.text("department").empty()) line += ", " + shown(job.text("department"));
    if (auto const place = job_place(job); !place.empty()) line += ", " + place;
    return line + " (" + spaced(job.text("status")) + ")";
}

} // namespace recruiting::auth_api::agent::responder
