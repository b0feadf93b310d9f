#include "auth_api/agent/builtin/job_details.hpp"

#include "auth_api/agent/builtin/lines.hpp"
#include "auth_api/agent/builtin/wording.hpp"

namespace recruiting::auth_api::agent::responder {
namespace {

constexpr std::size_t longest_description = 700; // characters

std::string salary_of(record const& job) {
    auto const salary = job["salary"];
    auto const least = salary.number("min");
    auto const most = salary.number("max");
    if (!least && !most) return {};
    std::string text = least && most && *least != *most ? number(*least) + " to " + number(*most)
                       : least && !most                 ? "from " + number(*least)
                       : least                          ? number(*least)
                                                        : "up to " + number(*most);
    if (!salary.text("currency").empty()) text += ' ' + shown(salary.text("currency"));
    if (!salary.text("period").empty()) text += " a " + spaced(salary.text("period"));
    return text;
}

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

std::string stages_of(record const& job) {
    auto const lines = lines_of(job["stages"].items(), [](record const& stage) { return shown(stage.text("name")); });
    if (lines.empty()) return in_quotes(job.text("title")) + " has no stages.";
    return "The stages of " + in_quotes(job.text("title")) + ":" + bulleted(lines);
}

std::string everything_of(record const& job) {
    std::vector<std::string> lines;
    auto const add = [&lines](std::string_view what, std::string const& value) {
        if (!value.empty()) lines.push_back(std::string(what) + ": " + value);
    };
    add("Status", spaced(job.text("status")) + (job.is_true("published") ? ", published" : ""));
    add("Department", shown(job.text("department")));
    add("Location", location_of(job));
    add("Employment", spaced(job.text("employmentType")));
    add("Salary", salary_of(job));
    add("Candidates", number(job.number("candidateCount").value_or(0)));
    add("Public page", shown(job.text("publicUrl"), 300));
    auto text = in_quotes(job.text("title")) + bulleted(lines);
    auto const description = shown(job.text("descriptionText"), longest_description);
    return text + (description.empty() ? "\nIt has no description." : "\nIts description says: " + description);
}

std::string answer(record const& job, job_aspect about) {
    auto const title = in_quotes(job.text("title"));
    if (about == job_aspect::salary) {
        auto const salary = salary_of(job);
        return salary.empty() ? "No salary is given for " + title + "."
                              : "The salary of " + title + ": " + salary + ".";
    }
    if (about == job_aspect::location) {
        auto const location = location_of(job);
        return location.empty() ? "No location is given for " + title + "."
                                : "The location of " + title + ": " + location + ".";
    }
    if (about == job_aspect::stages) return stages_of(job);
    if (about == job_aspect::status)
        return title + " is " + spaced(job.text("status")) +
               (job.is_true("published") ? " and published." : " and not published.");
    return everything_of(job);
}

bool is_singular_job(word const& one) { return one.is == sense::job && singular(one.text) == one.text; }

// "the job Data Engineer", "the Data Engineer position"
bool names_one_job(prompt const& asked) {
    auto const& words = asked.words();
    for (std::size_t at = 0; at < words.size(); ++at) {
        if (!is_singular_job(words[at])) continue;
        bool const before = at > 0 && words[at - 1].is == sense::unknown && !words[at - 1].ends_clause;
        bool const after = at + 1 < words.size() && !words[at].ends_clause &&
                           (words[at + 1].is == sense::unknown || words[at + 1].is == sense::named);
        if (before || after) return true;
    }
    return false;
}

// "Is Backend Engineer still open?"
bool asks_status(prompt const& asked) {
    auto const& words = asked.words();
    return asked.has_any({sense::job_status, sense::published}) && words.size() > 2 && words[0].is == sense::be &&
           (words[1].is == sense::unknown || words[1].is == sense::quoted);
}

} // namespace

void describe_job(desk& work, job_reference const& named, job_aspect about) {
    auto const id = find_job(work, named);
    if (!id) return;
    auto const found = work.ask("get_job", {{"jobId", *id}});
    if (found) work.say(answer(found["data"], about));
}

plan match_job_details(question const& about) {
    auto const& asked = about.asked;
    using enum sense;
    if (asked.has(count) && !asked.has(salary)) return nullptr;
    if (asked.has_any({candidate, key, audit, failure, billing, usage, member, revoke, deed, per})) return nullptr;
    auto wanted = job_named_in(about, naming::loose);
    if (wanted.empty()) return nullptr;
    bool const one_job =
        asked.has(job) && (asked.has_any({quoted, reference}) || !wanted.id.empty() || names_one_job(asked));
    bool const status = asks_status(asked) || (one_job && asked.has(be) && asked.has_any({job_status, published}) &&
                                               !asked.has_any({which, what, where}));
    auto aspect = job_aspect::everything;
    if (asked.has(salary)) aspect = job_aspect::salary;
    else if (asked.has_any({where, location}) && !asked.has(list)) aspect = job_aspect::location;
    else if (asked.has(stage)) aspect = job_aspect::stages;
    else if (status) aspect = job_aspect::status;
    bool const describes = asked.has(describe) && (asked.has(job) || !asked.has_any({who, organization}));
    bool const of_aspect = asked.has(salary) || (asked.has_any({where, stage}) && one_job);
    if (!one_job && !describes && !of_aspect && !status) return nullptr;
    return [wanted, aspect](desk& work) { describe_job(work, wanted, aspect); };
}

} // namespace recruiting::auth_api::agent::responder
