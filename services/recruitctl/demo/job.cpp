// Jobs of the demo: title, place, pay, description, stages and hiring team.
#include "core/text.hpp"
#include "recruitctl/demo/data.hpp"
#include "recruitctl/demo/words.hpp"

#include <algorithm>

namespace recruiting::recruitctl {
namespace {

using namespace std::chrono;

// What a salary in euros is in the place's currency; rounded to five hundreds.
std::int64_t in_currency(std::int64_t euros, std::string_view currency) {
    std::int64_t percent = 100;
    if (currency == "CHF") percent = 140;
    else if (currency == "GBP") percent = 86;
    else if (currency == "PLN") percent = 310;
    else if (currency == "SEK") percent = 900;
    else if (currency == "USD") percent = 130;
    else if (currency == "CAD") percent = 125;
    return euros * percent / 100 / 500 * 500;
}

std::string describe(demo_job const& job, demo_words::role const& role, std::string const& organization) {
    std::string html = "<h2>The role</h2><p>As <strong>" + job.title + "</strong> at " + organization + " you will " +
                       std::string(role.mission) + ". You join the " + job.department + " team in " + job.city +
                       ".</p><h3>What you bring</h3><ul>";
    for (auto const skill : split(role.skills, ';'))
        html += "<li>You know your way around <em>" + std::string(skill) + "</em></li>";
    return html + "<li>You say what you think and listen to what others think</li></ul><h3>What we offer</h3><ul>"
                  "<li>30 days of leave and a budget for learning</li><li>Robots down the corridor</li></ul>"
                  "<p>Questions? Write to us, we answer within two working days.</p>";
}

// By index and not by chance, so that even a few jobs show every status.
std::string status_of(std::uint64_t index) {
    if (index % 20 == 19) return "archived";
    switch (index % 10) {
    case 7: return "on_hold";
    case 8: return "closed";
    case 9: return "draft";
    default: return "open";
    }
}

void add_times(demo_job& job, demo_random& chance) {
    job.created_at = chance.between(demo_today() - days(500), demo_today() - days(40));
    if (job.status == "draft") return;
    job.opened_at = job.created_at + hours(20 + chance.below(200));
    if (job.status == "closed" || job.status == "archived")
        job.closed_at = chance.between(*job.opened_at + days(21), demo_today());
}

void add_stages(demo_job& job, demo_random& chance, bool engineering) {
    auto const add = [&](char const* name, char const* kind, int minutes) {
        job.stages.push_back({chance.id(job.created_at), name, kind, minutes});
    };
    add("Applied", "applied", 0);
    add("Phone screen", "screen", 30);
    if (engineering) add("Work sample", "assessment", 0);
    add(engineering ? "Technical interview" : "Interview", "interview", 60);
    if (engineering) add("Team interview", "interview", 45);
    add("Offer", "offer", 0);
    add("Hired", "hired", 0);
}

// manager@ has job 0 and a third of the engineering jobs; the others go by department.
void add_team(demo_job& job, demo_random& chance, std::uint64_t index, bool engineering) {
    job.team.push_back({index % 2 == 0 ? 1U : 5U, "recruiter"});
    if (index == 0 || (engineering && index % 3 == 0)) job.team.push_back({2, "hiring_manager"});
    else if (job.department == "Operations" || job.department == "Hardware") job.team.push_back({6, "hiring_manager"});
    else if (job.department == "Sales" || job.department == "Customer Success")
        job.team.push_back({7, "hiring_manager"});
    if (engineering) job.team.push_back({chance.chance(50) ? 3U : 8U, "interviewer"});
    if (chance.chance(40)) job.team.push_back({10, "coordinator"});
}

} // namespace

demo_job make_demo_job(std::uint64_t seed, demo_organization const& of, std::uint64_t index) {
    demo_random chance(seed, "job " + of.slug, index);
    auto const& role =
        demo_words::roles[index < demo_words::roles.size() ? index : chance.below(demo_words::roles.size())];
    auto const& place = index == 0 ? demo_words::places.front() : chance.pick(demo_words::places);
    auto const seniority = index == 0 ? demo_words::word("Senior ") : chance.pick(demo_words::seniorities);
    demo_job job;
    job.external_id = "demo-job-" + padded(index + 1, 6);
    job.requisition_id = "REQ-" + padded(1001 + index, 4);
    job.title = std::string(seniority) + std::string(role.title);
    job.department = role.department;
    job.status = status_of(index);
    job.published = job.status == "open" && index % 10 != 6;
    job.workplace_type = chance.chance(20) ? "remote" : chance.chance(60) ? "hybrid" : "on_site";
    job.employment_type = chance.chance(85) ? "full_time" : chance.chance(50) ? "part_time" : "contract";
    job.location_name = place.name;
    job.city = place.city;
    job.region = place.region;
    job.country_code = place.country_code;
    job.currency = place.currency;
    job.openings = 1 + static_cast<std::int64_t>(chance.below(3));
    auto const step = seniority.starts_with("Junior") ? 80 : seniority.empty() ? 100 : 122;
    auto const middle = role.salary * step / 100;
    job.salary_min = in_currency(middle * 90 / 100, place.currency);
    job.salary_max = in_currency(middle * 112 / 100, place.currency);
    job.salary_published = index == 0 || chance.chance(60);
    job.description_html = describe(job, role, of.name);
    add_times(job, chance);
    job.id = chance.id(job.created_at);
    add_stages(job, chance, role.engineering);
    if (of.full) add_team(job, chance, index, role.engineering);
    return job;
}

} // namespace recruiting::recruitctl
