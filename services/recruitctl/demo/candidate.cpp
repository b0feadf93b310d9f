// Candidates of the demo and their applications: a funnel over the stages, with times that follow one another.
#include "core/text.hpp"
#include "recruitctl/demo/data.hpp"
#include "recruitctl/demo/words.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

namespace recruiting::recruitctl {
namespace {

using namespace std::chrono;

timestamp not_after_today(timestamp at) { return std::min(at, demo_today()); }

std::size_t first_bookable(demo_job const& job) {
    auto const found = std::find_if(job.stages.begin(), job.stages.end(), [](auto const& s) { return s.minutes > 0; });
    return static_cast<std::size_t>(found - job.stages.begin());
}

std::string choose_status(demo_random& chance, bool job_open) {
    auto const roll = chance.below(100);
    if (roll < 4) return "hired";
    if (roll < 12) return "withdrawn";
    if (job_open && roll < 58) return "active";
    return "rejected";
}

// Most applications stand early: each stage keeps somewhat less than half of those before it.
std::size_t choose_stage(demo_random& chance, std::size_t stages, std::string const& status) {
    if (status == "hired") return stages - 1;
    std::size_t at = 0;
    while (at + 2 < stages && chance.chance(45)) ++at; // the last one, Hired, is for the hired
    return at;
}

demo_application make_application(demo_random& chance, demo_job const& job, bool at_bookable_stage) {
    demo_application made;
    auto const open = job.status == "open" || job.status == "on_hold";
    made.status = at_bookable_stage ? "active" : choose_status(chance, open);
    auto const stage = at_bookable_stage ? first_bookable(job) : choose_stage(chance, job.stages.size(), made.status);
    made.job_id = job.id;
    made.stage_id = job.stages[stage].id;
    made.applied_at = chance.between(*job.opened_at, job.closed_at.value_or(demo_today()));
    made.stage_entered_at = made.applied_at;
    for (std::size_t passed = 0; passed < stage; ++passed)
        made.stage_entered_at = not_after_today(made.stage_entered_at + hours(30 + chance.below(200)));
    auto const decided = not_after_today(made.stage_entered_at + hours(5 + chance.below(300)));
    made.updated_at = made.status == "active" ? made.stage_entered_at : decided;
    if (made.status == "hired") made.hired_at = decided;
    if (made.status == "rejected") {
        made.rejected_at = decided;
        made.rejection_reason = chance.pick(demo_words::rejection_reasons);
    }
    made.id = chance.id(made.applied_at);
    return made;
}

// The index of a job that takes applications; early jobs get more, as everywhere.
std::size_t choose_job(demo_random& chance, std::vector<demo_job> const& jobs) {
    for (;;) {
        auto const at = std::min(chance.below(jobs.size()), chance.below(jobs.size()));
        if (jobs[at].opened_at) return at;
    }
}

void add_applications(demo_candidate& candidate, demo_random& chance, std::uint64_t index,
                      std::vector<demo_job> const& jobs) {
    auto const roll = chance.below(100);
    std::size_t const wanted = index == 0 ? 1 : roll < 70 ? 1 : roll < 92 ? 2 : 3;
    for (std::size_t i = 0; i < wanted; ++i) {
        auto const& job = jobs[index == 0 ? 0 : choose_job(chance, jobs)];
        auto const again = std::any_of(candidate.applications.begin(), candidate.applications.end(),
                                       [&job](auto const& other) { return other.job_id == job.id; });
        if (again) continue;
        auto made = make_application(chance, job, index == 0);
        made.external_id = "demo-application-" + padded(index + 1, 8) + '-' + std::to_string(i + 1);
        candidate.applications.push_back(std::move(made));
    }
}

void add_tags(demo_candidate& candidate, demo_random& chance, demo_words::role const& role) {
    for (auto const skill : split(role.skills, ';'))
        if (chance.chance(60)) candidate.tags.emplace_back(skill);
    if (chance.chance(8)) candidate.tags.emplace_back("relocation");
    if (chance.chance(4)) candidate.tags.emplace_back("former-applicant");
}

std::string links_of(std::string const& handle, demo_random& chance, bool engineering) {
    std::string links;
    auto const add = [&](char const* type, std::string const& url) {
        links += std::string(links.empty() ? "" : ",") + R"({"type":")" + type + R"(","url":")" + url + "\"}";
    };
    if (chance.chance(70)) add("linkedin", "https://linkedin.example/in/" + handle);
    if (engineering && chance.chance(50)) add("github", "https://github.example/" + handle);
    if (chance.chance(10)) add("website", "https://" + handle + ".example/");
    return '[' + links + ']';
}

} // namespace

std::string ascii_word(std::string_view name) {
    static constexpr auto folded = std::to_array<std::pair<std::string_view, char>>(
        {{"á", 'a'}, {"ã", 'a'}, {"ä", 'a'}, {"è", 'e'}, {"é", 'e'}, {"ë", 'e'}, {"í", 'i'},
         {"ı", 'i'}, {"ñ", 'n'}, {"ń", 'n'}, {"ó", 'o'}, {"ö", 'o'}, {"ø", 'o'}, {"Ö", 'o'},
         {"ş", 's'}, {"ś", 's'}, {"ß", 's'}, {"ü", 'u'}, {"ú", 'u'}, {"ç", 'c'}});
    std::string out;
    while (!name.empty()) {
        auto const c = to_lower(name.substr(0, 1)).front();
        if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) out += c;
        auto const match =
            std::find_if(folded.begin(), folded.end(), [&](auto const& f) { return name.starts_with(f.first); });
        if (match != folded.end()) out += match->second;
        name.remove_prefix(match != folded.end() ? match->first.size() : 1);
    }
    return out;
}

demo_candidate make_demo_candidate(std::uint64_t seed, demo_organization const& of, std::uint64_t index,
                                   std::vector<demo_job> const& jobs) {
    demo_random chance(seed, "candidate " + of.slug, index);
    auto const& first = chance.pick(demo_words::first_names);
    auto const& last = chance.pick(demo_words::last_names);
    auto const& place = chance.pick(demo_words::places);
    auto const& role = chance.pick(demo_words::roles);
    demo_candidate made;
    made.external_id = "demo-candidate-" + padded(index + 1, 8);
    made.name = std::string(first) + ' ' + std::string(last);
    auto const handle = ascii_word(first) + '-' + ascii_word(last) + std::to_string(index + 1);
    made.email = ascii_word(first) + '.' + ascii_word(last) + std::to_string(index + 1) + "@mail.example";
    if (chance.chance(80)) made.phone = std::string(place.phone) + ' ' + padded(chance.below(10'000'000), 7);
    made.current_title = std::string(chance.pick(demo_words::seniorities)) + std::string(role.title);
    made.current_company = chance.pick(demo_words::companies);
    made.city = place.city;
    made.region = place.region;
    made.country_code = place.country_code;
    made.source = chance.pick(demo_words::sources);
    made.links = links_of(handle, chance, role.engineering);
    add_tags(made, chance, role);
    add_applications(made, chance, index, jobs);
    made.created_at = made.applications.front().applied_at;
    made.last_activity_at = made.created_at;
    for (auto const& application : made.applications) {
        made.created_at = std::min(made.created_at, application.applied_at);
        made.last_activity_at = std::max(made.last_activity_at, application.updated_at);
    }
    made.id = chance.id(made.created_at);
    return made;
}

namespace {

// Organizations and members of the demo.

struct cast_member {
    std::string_view mailbox, name, role, status, title;
};

constexpr auto cast =
    std::to_array<cast_member>({{"admin", "Alex Baumann", "admin", "active", "Head of People"},
                                {"recruiter", "Robin Castro", "recruiter", "active", "Senior Recruiter"},
                                {"manager", "Mika Lindgren", "hiring_manager", "active", "Engineering Manager"},
                                {"interviewer", "Ines Carvalho", "interviewer", "active", "Staff Engineer"},
                                {"viewer", "Vera Novák", "viewer", "active", "Works Council"},
                                {"recruiter2", "Ruben Adeyemi", "recruiter", "active", "Recruiter"},
                                {"operations.manager", "Oskar Fuchs", "hiring_manager", "active", "Head of Operations"},
                                {"sales.manager", "Sofia Marino", "hiring_manager", "active", "Head of Sales"},
                                {"interviewer2", "Jun Nakamura", "interviewer", "active", "Senior Engineer"},
                                {"interviewer3", "Priya Banerjee", "interviewer", "active", "Product Designer"},
                                {"coordinator", "Clara Dubois", "viewer", "active", "Recruiting Coordinator"},
                                {"newcomer", "Noah Jensen", "interviewer", "invited", "Data Engineer"},
                                {"former", "Frida Larsen", "recruiter", "removed", "Recruiter"}});
constexpr auto small_cast =
    std::to_array<cast_member>({{"admin", "Gina Costello", "admin", "active", "Office Manager"},
                                {"recruiter", "Gil Torres", "recruiter", "active", "Recruiter"}});

std::string capitalized(std::string word) {
    if (!word.empty() && word[0] >= 'a' && word[0] <= 'z') word[0] = static_cast<char>(word[0] - 32);
    return word;
}

} // namespace

timestamp demo_today() noexcept {
    using namespace std::chrono;
    return timestamp{sys_days{year{2025} / 11 / 15}.time_since_epoch() + 12h};
}

demo_organization make_demo_organization(std::uint64_t seed, std::string const& slug, bool full) {
    demo_random chance(seed, "organization " + slug, 0);
    demo_organization made;
    made.slug = slug;
    made.full = full;
    made.name = slug == "acme" ? "Acme Robotics" : slug == "globex" ? "Globex Corporation" : capitalized(slug);
    made.website_url = "https://www." + slug + ".example";
    // The full one has its jobs on our own pages, so that their links lead somewhere.
    if (!full) made.careers_page_url = "https://careers." + slug + ".example";
    if (full) {
        made.accent_color = "#d9480f";
        made.apply_url = "mailto:jobs@" + slug + ".example";
    }
    made.time_zone = full ? "Europe/Berlin" : "America/Chicago";
    made.country_code = full ? "DE" : "US";
    made.created_at = demo_today() - std::chrono::days(620);
    made.id = chance.id(made.created_at);
    return made;
}

std::vector<demo_member> make_demo_members(std::uint64_t seed, demo_organization const& of) {
    std::vector<demo_member> members;
    auto const people = of.full ? std::span<cast_member const>(cast) : std::span<cast_member const>(small_cast);
    for (auto const& person : people) {
        demo_random chance(seed, "member " + of.slug, members.size());
        demo_member made;
        made.created_at = of.created_at + std::chrono::hours(2 + 60 * members.size());
        made.user_id = chance.id(made.created_at);
        made.membership_id = chance.id(made.created_at);
        made.email = std::string(person.mailbox) + '@' + of.slug + ".example";
        made.name = person.name;
        made.role = person.role;
        made.status = person.status;
        made.title = person.title;
        members.push_back(std::move(made));
    }
    return members;
}

} // namespace recruiting::recruitctl
