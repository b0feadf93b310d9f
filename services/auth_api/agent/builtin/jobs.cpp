// Lists of jobs, and one job.
#include "auth_api/agent/builtin/intents.hpp"
#include "auth_api/agent/builtin/wording.hpp"

#include <algorithm>

namespace recruiting::auth_api::agent::builtin {
namespace {

constexpr std::int64_t most_found = 30; // jobs that a search by title reads
constexpr std::size_t longest_description = 700;

struct wanted_jobs {
    std::string status; // empty: every one
    std::string workplace;
    std::string name; // of a department, a place or a title
    bool published{false};
    bool count{false};
};

std::string location_of(record const& job) {
    auto const location = job["location"];
    std::vector<std::string> parts;
    for (auto const* const name : {"name", "city", "region", "countryCode"}) {
        auto const text = shown(location.text(name));
        if (!text.empty() && (parts.empty() || parts.back() != text)) parts.push_back(text);
    }
    std::string out;
    for (auto const& part : parts) out += (out.empty() ? "" : ", ") + part;
    auto const workplace = spaced(job.text("workplaceType"));
    if (workplace.empty()) return out;
    return out.empty() ? workplace : out + " (" + workplace + ")";
}

bool fits(record const& job, wanted_jobs const& wanted) {
    if (!wanted.workplace.empty() && job.text("workplaceType") != wanted.workplace) return false;
    if (wanted.name.empty()) return true;
    auto const texts = {job.text("title"), job.text("department")};
    return holds_words(location_of(job), wanted.name) ||
           std::ranges::any_of(texts, [&wanted](auto text) { return holds_words(text, wanted.name); });
}

std::string line_of(record const& job) {
    auto line = shown(job.text("title"));
    if (!job.text("department").empty()) line += ", " + shown(job.text("department"));
    if (auto const location = location_of(job); !location.empty()) line += ", " + location;
    line += " (" + counted(job.integer("candidateCount").value_or(0), "candidate");
    return line + (job.text("status") == "open" ? ")" : ", " + spaced(job.text("status")) + ")");
}

std::string list_answer(listing found, wanted_jobs const& wanted) {
    std::erase_if(found.items, [&wanted](record const& job) { return !fits(job, wanted); });
    std::string noun = wanted.published ? "published " : "";
    for (auto const& word : {wanted.status, wanted.workplace})
        if (!word.empty()) noun += spaced(word) + ' ';
    auto const named = wanted.name.empty() ? "" : " with " + in_quotes(wanted.name) + " in title, department or place";
    auto const text = there_are(found.size(), noun + "job", found.complete) + named;
    if (wanted.count || found.items.empty()) return text + ".";
    return text + ":" + bulleted(found, line_of);
}

std::string salary_of(record const& job) {
    auto const salary = job["salary"];
    auto const least = salary.integer("min");
    auto const most = salary.integer("max");
    if (!least && !most) return {};
    std::string text = least && most && *least != *most ? number(*least) + " to " + number(*most)
                       : least && !most                 ? "from " + number(*least)
                       : least                          ? number(*least)
                                                        : "up to " + number(*most);
    if (!salary.text("currency").empty()) text += ' ' + shown(salary.text("currency"));
    if (!salary.text("period").empty()) text += " per " + spaced(salary.text("period"));
    return text;
}

std::string description_of(record const& job) {
    std::vector<std::string> lines;
    auto const add = [&lines](std::string const& what, std::string const& value) {
        lines.push_back(what + ": " + (value.empty() ? "not given" : value));
    };
    add("Status", spaced(job.text("status")) + (job.is_true("published") ? ", published" : ", not published"));
    add("Department", shown(job.text("department")));
    add("Location", location_of(job));
    add("Employment", spaced(job.text("employmentType")));
    add("Salary", salary_of(job));
    add("Candidates", number(job.integer("candidateCount").value_or(0)));
    auto const description = shown(job.text("descriptionText"), longest_description);
    return in_quotes(job.text("title")) + bulleted(lines, lines.size()) +
           (description.empty() ? "\nIt has no description." : "\nIts description says: " + description);
}

std::string job_choice(record const& job) {
    return shown(job.text("title")) + " (" + spaced(job.text("status")) + "), id " + shown(job.text("id"));
}

// Of several jobs the one of exactly this title.
std::vector<record> best_titled(std::vector<record> const& found, std::string const& name) {
    std::vector<record> same;
    for (auto const& job : found)
        if (holds_words(job.text("title"), name) && holds_words(name, job.text("title"))) same.push_back(job);
    return same.size() == 1 ? same : found;
}

} // namespace

std::optional<std::string> find_job(dialogue& with, std::string const& name) {
    if (auto id = record_id(name); !id.empty()) return id;
    auto const page = with.call("list_jobs", {{"q", name}, {"limit", most_found}});
    if (!page) return std::nullopt;
    auto found = page["data"].items();
    std::erase_if(found, [&name](record const& job) { return !holds_words(job.text("title"), name); });
    found = best_titled(found, name);
    if (found.size() == 1) return std::string(found.front().text("id"));
    if (found.empty()) with.answer("I found no job with " + in_quotes(name) + " in its title.");
    else
        with.answer("Several jobs have " + in_quotes(name) +
                    " in their title. Which one do you mean? Ask again with its full title or its id:" +
                    bulleted(lines_of(found, job_choice), found.size()));
    return std::nullopt;
}

plan match_job_list(question const& asked) {
    auto const statuses = asked.among({"open", "draft", "on_hold", "closed", "archived"});
    auto const workplaces = asked.among({"remote", "hybrid", "on_site"});
    bool const known = asked.only({"jobs", "what", "count", "all", "published", "open", "draft", "on_hold", "closed",
                                   "archived", "remote", "hybrid", "on_site"});
    if (!asked.has("jobs") || !known || asked.time() || asked.names().size() > 1) return nullptr;
    if (statuses.size() > 1 || workplaces.size() > 1) return nullptr;
    wanted_jobs wanted;
    wanted.published = asked.has("published");
    if (!statuses.empty()) wanted.status = statuses.front();
    else if (!asked.has("all")) wanted.status = "open";
    if (!workplaces.empty()) wanted.workplace = workplaces.front();
    if (!asked.names().empty()) wanted.name = asked.names().front();
    wanted.count = asked.has("count");
    return [wanted](dialogue& with) {
        boost::json::object arguments;
        if (!wanted.status.empty()) arguments["status"] = wanted.status;
        if (wanted.published) arguments["published"] = true;
        auto const found = with.read_list("list_jobs", std::move(arguments), job_pages);
        if (found) with.answer(list_answer(*found, wanted));
    };
}

plan match_job(question const& asked) {
    bool const known = asked.only({"job", "detail", "called", "what", "open", "closed", "published"});
    if (!known || !asked.has_any({"job", "detail"}) || asked.names().size() != 1 || asked.time()) return nullptr;
    return [name = asked.names().front()](dialogue& with) {
        auto const id = find_job(with, name);
        if (!id) return;
        auto const found = with.call("get_job", {{"jobId", *id}});
        if (found) with.answer(description_of(found["data"]));
    };
}

} // namespace recruiting::auth_api::agent::builtin
